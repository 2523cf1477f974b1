#include "octavo/error.h"

#include <gtest/gtest.h>

#include <array>

namespace octavo {
namespace {

constexpr std::array<std::string_view, 6> commands{"extract", "match", "evaluate", "selftest", "bench", "devices"};

std::string meant(std::string_view word) { return std::string(nearest_word(word, commands).value_or("")); }

TEST(Suggestion, IsTheNearestWord) {
  EXPECT_EQ(meant("extrakt"), "extract");  // replaced
  EXPECT_EQ(meant("exract"), "extract");   // left out
  EXPECT_EQ(meant("benchh"), "bench");     // added
  EXPECT_EQ(meant("mathc"), "match");      // swapped
  EXPECT_EQ(meant("EVALUATE"), "evaluate");
  EXPECT_EQ(meant("match"), "match");
  EXPECT_EQ(did_you_mean("devcies", commands), "; did you mean devices?");
}

TEST(Suggestion, MayBeTheOnlyWordWithThisBeginning) {
  EXPECT_EQ(meant("sel"), "selftest");
  EXPECT_EQ(meant("ev"), "evaluate");
  EXPECT_EQ(meant("e"), "");  // two words begin so
}

TEST(Suggestion, IsMissingWhereNoWordIsNear) {
  for (const char* word : {"", "x", "panorama", "a.png"}) {
    EXPECT_EQ(meant(word), "") << word;
    EXPECT_EQ(did_you_mean(word, commands), "") << word;
  }
  EXPECT_EQ(nearest_word("word", {}), std::nullopt);
  EXPECT_EQ(meant(std::string(1000000, 'm')), "");
}

TEST(Suggestion, CountsASwapAsOneChange) {
  constexpr std::array<std::string_view, 2> devices{"auto", "cpu"};
  EXPECT_EQ(nearest_word("cup", devices), "cpu");
  EXPECT_EQ(nearest_word("gpu", devices), "cpu");
  EXPECT_EQ(nearest_word("xyz", devices), std::nullopt);
}

}  // namespace
}  // namespace octavo
