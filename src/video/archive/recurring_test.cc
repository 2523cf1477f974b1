#include "octavo/video/archive_search.h"

#include <gtest/gtest.h>

#include "octavo/error.h"

namespace octavo {
namespace {

ArchivedClip clip(const std::string& content, double seconds = 100) {
  ArchivedClip clip;
  clip.content = content;
  clip.facts.seconds = seconds;
  return clip;
}

CopySegment segment(double in_a, double in_b, double seconds, double score = 10) {
  return {.query_in = in_a, .query_out = in_a + seconds, .other_in = in_b, .other_out = in_b + seconds, .score = score};
}

ClipPair pair(const std::string& a, const std::string& b, const std::vector<CopySegment>& segments) {
  ClipPair pair{.a = clip(a), .b = clip(b), .segments = segments, .verdict = {}};
  pair.a_coverage = coverage(segments, 100, true);
  pair.b_coverage = coverage(segments, 100, false);
  for (const CopySegment& one : segments) pair.score = std::max(pair.score, one.score);
  return pair;
}

// All pairs of `count` clips "0", "1", …, which have the first five seconds in common.
std::vector<ClipPair> with_intro(int count) {
  std::vector<ClipPair> pairs;
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      pairs.push_back(pair(std::to_string(a), std::to_string(b), {segment(0, 0, 5)}));
    }
  }
  return pairs;
}

TEST(Recurring, AnIntroIsOnePart) {
  std::vector<ClipPair> pairs = with_intro(6);
  pairs[0].segments.push_back(segment(40, 50, 20, 30));  // 0 and 1 share a scene too
  const std::vector<RecurringSegment> found = take_out_recurring(pairs);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].clips, 6);
  ASSERT_EQ(found[0].places.size(), 6u);
  EXPECT_EQ(found[0].places[2].clip.content, "2");
  EXPECT_EQ(found[0].places[2].in, 0);
  EXPECT_EQ(found[0].places[2].out, 5);
  EXPECT_EQ(pairs[0].recurring, (std::vector{0, -1}));
  EXPECT_EQ(pairs[0].score, 30);
  EXPECT_DOUBLE_EQ(pairs[0].a_coverage, 0.2);
  EXPECT_DOUBLE_EQ(pairs[0].b_coverage, 0.2);
  for (std::size_t p = 1; p < pairs.size(); ++p) {
    EXPECT_EQ(pairs[p].recurring, std::vector{0});
    EXPECT_EQ(pairs[p].score, 0);
    EXPECT_EQ(pairs[p].a_coverage, 0);
  }
}

TEST(Recurring, FewClipsHaveNoRecurringSegment) {
  std::vector<ClipPair> pairs = with_intro(3);
  EXPECT_TRUE(take_out_recurring(pairs).empty());
  EXPECT_EQ(pairs[0].recurring, std::vector{-1});
  EXPECT_EQ(pairs[0].score, 10);
  EXPECT_DOUBLE_EQ(pairs[0].a_coverage, 0.05);
  EXPECT_EQ(take_out_recurring(pairs, {.clips = 3}).size(), 1u);
}

TEST(Recurring, VersionsOfOneFilmDoNotRecur) {
  std::vector<ClipPair> pairs;
  for (int a = 0; a < 6; ++a) {
    for (int b = a + 1; b < 6; ++b) pairs.push_back(pair(std::to_string(a), std::to_string(b), {segment(5, 2, 90)}));
  }
  EXPECT_TRUE(take_out_recurring(pairs).empty());
  EXPECT_EQ(pairs[0].score, 10);
  EXPECT_DOUBLE_EQ(pairs[0].a_coverage, 0.9);
}

TEST(Recurring, PartsAtDifferentPlacesAreOneAndDifferentPartsAreTwo) {
  std::vector<ClipPair> pairs;
  for (int a = 0; a < 5; ++a) {
    for (int b = a + 1; b < 5; ++b) {
      // A jingle of 4 s that begins later in each clip, and credits of 6 s at the end.
      pairs.push_back(pair(std::to_string(a), std::to_string(b), {segment(3 * a, 3 * b, 4), segment(90, 90, 6)}));
    }
  }
  const std::vector<RecurringSegment> found = take_out_recurring(pairs);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].places[4].in, 12);
  EXPECT_EQ(found[1].places[4].in, 90);
  EXPECT_EQ(pairs[0].recurring, (std::vector{0, 1}));
}

TEST(Recurring, OfALongSegmentTheRestIsCovered) {
  std::vector<ClipPair> pairs = with_intro(5);
  pairs[0] = pair("0", "1", {segment(0, 0, 25, 40)});  // the intro, and the scene after it
  take_out_recurring(pairs);
  EXPECT_EQ(pairs[0].recurring, std::vector{-1});
  EXPECT_EQ(pairs[0].score, 40);
  EXPECT_DOUBLE_EQ(pairs[0].a_coverage, 0.2);
}

// Five clips show a photograph for 5 s, and share these as an intro.
TEST(Recurring, AnImageIsNoFilm) {
  std::vector<ClipPair> pairs = with_intro(5);
  for (int a = 0; a < 5; ++a) {
    CopySegment shown = segment(0, 0, 60);
    shown.other_out = 0;
    ClipPair with_image = pair(std::to_string(a), "image", {shown});
    with_image.b.facts.container = "image";
    with_image.b.facts.seconds = 0;
    with_image.b_coverage = 1;
    pairs.push_back(with_image);
  }
  EXPECT_EQ(take_out_recurring(pairs).size(), 1u) << "the image does not make the clips versions of one film";
  for (const ClipPair& one : pairs) {
    const bool has_image = one.b.content == "image";
    EXPECT_EQ(one.recurring, std::vector{has_image ? -1 : 0});
    EXPECT_EQ(one.score, has_image ? 10 : 0);
    EXPECT_EQ(one.b_coverage, has_image ? 1 : 0);
  }
}

TEST(Recurring, OfNothingIsNothing) {
  std::vector<ClipPair> pairs;
  EXPECT_TRUE(take_out_recurring(pairs).empty());
  EXPECT_THROW(take_out_recurring(pairs, {.clips = 2}), Error);
}

}  // namespace
}  // namespace octavo
