// Which homography is kept.

#include "multiview/align/choice.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace octavo {
namespace {

using Kind = AlignmentWarning::Kind;

Alignment judged(int inliers, std::size_t matches, std::initializer_list<Kind> kinds = {}) {
  Alignment alignment;
  alignment.homography.found = true;
  alignment.homography.inlier_count = inliers;
  alignment.matches.resize(matches);
  for (const Kind kind : kinds) alignment.warnings.push_back({kind, ""});
  return alignment;
}

TEST(Choice, ARetryReplacesNothing) { EXPECT_TRUE(replaces(judged(40, 80), {})); }

TEST(Choice, ARetryReplacesWhatHasFewInliers) {
  EXPECT_TRUE(replaces(judged(938, 1025), judged(8, 33, {Kind::few_inliers, Kind::local})));
  EXPECT_TRUE(replaces(judged(365, 856, {Kind::local}), judged(197, 558, {Kind::local})));
}

// Of two letters with one head, by what plain matches and a retry of views found.
TEST(Choice, FewInliersWithoutDoubtDoNotReplaceMany) {
  EXPECT_FALSE(replaces(judged(94, 141, {Kind::parallax}), judged(446, 1147, {Kind::local})));
}

TEST(Choice, MoreInliersAmongManyWrongMatchesDoNot) {
  EXPECT_FALSE(replaces(judged(797, 2755, {Kind::few_inliers}), judged(574, 1477, {Kind::local})));
}

TEST(Choice, WhatMayBeWrongDoesNotReplaceWhatIsOnlyUncertain) {
  EXPECT_FALSE(replaces(judged(300, 400, {Kind::undecidable}), judged(30, 40, {Kind::uncertain})));
}

TEST(Choice, APatternThatRepeatsMayBeWrong) {
  EXPECT_TRUE(may_be_wrong(judged(700, 710, {Kind::undecidable})));
  EXPECT_FALSE(ends_search(judged(700, 710, {Kind::undecidable})));
  EXPECT_FALSE(is_doubted(judged(700, 710, {Kind::parallax})));
}

}  // namespace
}  // namespace octavo
