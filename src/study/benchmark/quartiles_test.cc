#include "study/benchmark/benchmark.h"

#include <gtest/gtest.h>

namespace octavo {
namespace {

TEST(Quartiles, AgreeWithNumPy) {
  const Quartiles odd = quartiles({5, 1, 4, 2, 3});
  EXPECT_DOUBLE_EQ(odd.q1, 2);
  EXPECT_DOUBLE_EQ(odd.median, 3);
  EXPECT_DOUBLE_EQ(odd.q3, 4);
  const Quartiles even = quartiles({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(even.q1, 1.75);
  EXPECT_DOUBLE_EQ(even.median, 2.5);
  EXPECT_DOUBLE_EQ(even.q3, 3.25);
}

TEST(Quartiles, OfOneValueAreThatValue) {
  const Quartiles one = quartiles({7});
  EXPECT_EQ(one.q1, 7);
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.q3, 7);
}

TEST(Quartiles, OfNothingAreZero) { EXPECT_EQ(quartiles({}).median, 0); }

}  // namespace
}  // namespace octavo
