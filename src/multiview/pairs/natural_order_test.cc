#include "multiview/pairs/natural_order.h"

#include <gtest/gtest.h>

#include <array>

namespace octavo {
namespace {

TEST(NaturalOrder, CountsAsPeopleDo) {
  constexpr std::array<std::string_view, 17> names{
      "",    "#",  "0",   "00",  "2",     "010", "99999999999999999999", "100000000000000000000", "a", "a/z", "a-b",
      "a01", "a1", "a1b", "a10", "a10/2", "a100"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      EXPECT_EQ(is_naturally_before(names.at(i), names.at(j)), i < j) << names.at(i) << " " << names.at(j);
    }
  }
}

}  // namespace
}  // namespace octavo
