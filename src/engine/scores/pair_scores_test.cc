// The metrics of docs/evaluation.md, on pairs whose numbers can be counted by hand.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/scores/nearby.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/pair_scores.h"

namespace octavo {
namespace {

Features at(const std::vector<Point>& points) {
  Features features;
  for (const Point& p : points) {
    features.keypoints.push_back({.x = static_cast<float>(p.x), .y = static_cast<float>(p.y), .scale = 2});
    features.descriptors.insert(features.descriptors.end(), descriptor_length, 0);
  }
  return features;
}

TrueHomography moved_by(double dx, double dy) { return {{1, 0, dx, 0, 1, dy, 0, 0, 1}}; }

constexpr ImageSize hundred{100, 100};

TEST(PairScores, CountPointsAndMatchesByHand) {
  // B is A moved by (10, 0). A's x = 95 leaves the frame. B's x = 5 comes from outside A.
  const Features a = at({{20, 20}, {20, 20}, {50, 50}, {95, 10}, {70, 70}});
  const Features b = at({{30.5, 20}, {60, 54}, {5, 5}, {80, 70}});
  const std::vector<Match> mutual{{0, 0, 1}, {2, 1, 1}, {3, 2, 1}, {4, 3, 1}}, matches{{0, 0, 1}, {2, 1, 1}};
  const PairScores scores = count_pair(a, b, mutual, matches, moved_by(10, 0), hundred, hundred);

  EXPECT_EQ(scores.keypoints_a, 5);
  // Two orientations at (20, 20) are two keypoints and one point.
  EXPECT_EQ(scores.common_a, 4);
  EXPECT_EQ(scores.points_a, 3);
  EXPECT_EQ(scores.common_b, 3);
  EXPECT_EQ(scores.points_b, 3);
  // Distances: 0.5, 4, 0.
  EXPECT_EQ(scores.repeated_a, (Counts{2, 2, 2, 3, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(scores.repeated_b, scores.repeated_a);
  EXPECT_EQ(scores.corresponding, 2);
  EXPECT_DOUBLE_EQ(repeatability(scores)[2], 4.0 / 6);
  EXPECT_DOUBLE_EQ(correspondence_share(scores), 2.0 / 3);

  // Errors of the mutual matches: 0.5, 4, 100.1, 0; of the matches: 0.5, 4.
  EXPECT_EQ(scores.mutual_judged, 4);
  EXPECT_EQ(scores.mutual_correct, (Counts{2, 2, 2, 3, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(scores.correct, (Counts{1, 1, 1, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_DOUBLE_EQ(matching_accuracy(scores)[0], 0.5);
  EXPECT_DOUBLE_EQ(precision(scores)[3], 1);
  EXPECT_DOUBLE_EQ(matching_score(scores), 1.0 / 3);
  EXPECT_FALSE(scores.homography);
  EXPECT_EQ(scores.corner_error, std::numeric_limits<double>::infinity());
}

TEST(PairScores, OneToOneIsStricterThanNearEnough) {
  // Three points of B lie around one point of A. All three are near enough; only one of them counts one to one.
  const PairScores scores =
      count_pair(at({{50, 50}}), at({{50, 50}, {51, 50}, {52, 50}}), {}, {}, moved_by(0, 0), hundred, hundred);
  EXPECT_EQ(scores.repeated_a[2], 1);
  EXPECT_EQ(scores.repeated_b[2], 3);
  EXPECT_DOUBLE_EQ(repeatability(scores)[2], 1);
  EXPECT_EQ(scores.corresponding, 1);
}

TEST(PairScores, ThresholdsBelongToThemselves) {
  const PairScores scores =
      count_pair(at({{50, 50}}), at({{53, 54}}), {}, {}, moved_by(0, 0), hundred, hundred);  // 5 pixels apart
  EXPECT_EQ(scores.repeated_a, (Counts{0, 0, 0, 0, 1, 1, 1, 1, 1, 1}));
}

TEST(Truth, OfAMuchEnlargedImageFits) {
  // B shows 2.5 pixels of A, and none of those that the check samples, which is every sixteenth.
  const TrueHomography enlarged{{8, 0, -70, 0, 8, -70, 0, 0, 1}};
  EXPECT_NO_THROW(check(enlarged, {33, 33}, {20, 20}));
}

TEST(Covisible, IsWhatBothImagesShow) {
  const ImageSize wide{8, 4}, narrow{5, 4};
  const Covisible moved = covisible(moved_by(-2, 0), wide, narrow);  // B shows columns 2 to 6 of A
  ASSERT_TRUE(moved.a);
  EXPECT_FALSE(moved.b);
  ASSERT_EQ(moved.a->width(), 8);
  ASSERT_EQ(moved.a->height(), 4);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 8; ++x) EXPECT_EQ(std::to_integer<int>(moved.a->row(y)[x]), x >= 2 && x < 7 ? 255 : 0) << x;
  }
  const Covisible same = covisible(moved_by(0, 0), wide, wide);
  EXPECT_FALSE(same.a || same.b);
  const Covisible points = covisible(Correspondences{.a = {{1, 1}}, .b = {{1, 1}}}, wide, narrow);
  EXPECT_FALSE(points.a || points.b);
  EXPECT_THROW(covisible(moved_by(100, 0), wide, narrow), Error);
}

TEST(PairScores, NothingGivesZeros) {
  const PairScores scores = count_pair({}, {}, {}, {}, moved_by(0, 0), hundred, hundred);
  EXPECT_EQ(repeatability(scores), Curve{});
  EXPECT_EQ(matching_accuracy(scores), Curve{});
  EXPECT_EQ(precision(scores), Curve{});
  EXPECT_EQ(correspondence_share(scores), 0);
  EXPECT_EQ(matching_score(scores), 0);
}

TEST(PairScores, BehindTheHorizonNothingIsInCommon) {
  // w = 1 − x / 50 changes its sign at x = 50. A's centre, x = 49.5, is on the positive side.
  const TrueHomography truth{{1, 0, 0, 0, 1, 0, -0.02, 0, 1}};
  const PairScores scores = count_pair(at({{10, 10}, {60, 10}, {50, 10}}), {}, {}, {}, truth, hundred, hundred);
  EXPECT_EQ(scores.common_a, 1);
}

TEST(PairScores, CorrespondencesJudgeWhatIsNearThem) {
  const Correspondences truth{.a = {{20, 20}, {60, 60}}, .b = {{30, 20}, {70, 60}}, .radius = 2};
  const Features a = at({{21, 20}, {60, 63}, {60, 61}}), b = at({{30, 24}, {70, 60}});
  const std::vector<Match> matches{{0, 0, 1}, {1, 1, 1}, {2, 1, 1}};
  const PairScores scores = count_pair(a, b, matches, matches, truth, hundred, hundred);
  EXPECT_EQ(scores.matches, 3);
  EXPECT_EQ(scores.judged, 2);  // (60, 63) is 3 pixels from the nearest known point
  EXPECT_EQ(scores.correct, (Counts{1, 1, 1, 2, 2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(scores.common_a, 2);
  EXPECT_EQ(scores.common_b, 1);
  EXPECT_EQ(scores.repeated_a[0], 1);
  EXPECT_FALSE(scores.has_true_homography);
}

TEST(Truths, ThatCannotBeAreRefused) {
  const auto refused = [](const Truth& truth, ImageSize a, ImageSize b, const std::string& words) {
    try {
      check(truth, a, b);
      ADD_FAILURE() << words;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused(moved_by(0, 0), hundred, {50, 50}, "identity");
  refused(moved_by(100, 0), hundred, hundred, "maps nothing");
  refused(TrueHomography{{1, 2, 3, 2, 4, 6, 0, 0, 1}}, hundred, hundred, "no inverse");
  refused(TrueHomography{{1, 0, NAN, 0, 1, 0, 0, 0, 1}}, hundred, hundred, "not a number");
  refused(Correspondences{.a = {{10, 10}, {10, 99.6}}, .b = {{10, 10}, {10, 10}}}, hundred, hundred,
          "point 2 of the correspondences lies outside image A");
  refused(Correspondences{.a = {{10, 10}}, .b = {}}, hundred, hundred, "1 points of A and 0 of B");
  for (const double radius : {0.0, -1.0, 0.0009, 1e-300, double{INFINITY}, double{NAN}}) {
    refused(Correspondences{.a = {{10, 10}}, .b = {{10, 10}}, .radius = radius}, hundred, hundred,
            "but must be at least 0.001 pixels");
  }
  EXPECT_NO_THROW(check(Correspondences{.a = {{10, 10}}, .b = {{10, 10}}, .radius = 0.001}, hundred, hundred));
  EXPECT_NO_THROW(check(moved_by(99, 0), hundred, hundred));
  EXPECT_NO_THROW(check(moved_by(0, 0), hundred, hundred));
}

TEST(HomographyAccuracy, CornersTellTheError) {
  const auto truth = moved_by(10, 0).b_from_a;
  EXPECT_EQ(corner_error(truth, truth, hundred), 0);
  EXPECT_DOUBLE_EQ(corner_error(moved_by(13, 4).b_from_a, truth, hundred), 5);
  // A scale of 1.1 about (0, 0) moves the corners of 101 × 101 pixels by 0, 10, 10√2 and 10.
  EXPECT_NEAR(corner_error({1.1, 0, 0, 0, 1.1, 0, 0, 0, 1}, moved_by(0, 0).b_from_a, {101, 101}),
              (20 + 10 * std::sqrt(2)) / 4, 1e-12);
  EXPECT_EQ(corner_error({1, 0, 0, 0, 1, 0, -0.01, 0, 1}, truth, {101, 101}), std::numeric_limits<double>::infinity());
}

TEST(HomographyAccuracy, AreaIsThatOfTheBrokenLine) {
  const std::vector<double> errors{2, 1, std::numeric_limits<double>::infinity(), 8};
  EXPECT_DOUBLE_EQ(accuracy(errors, 1), 0.25);
  EXPECT_DOUBLE_EQ(accuracy(errors, 5), 0.5);
  // Up to 1: no error is below 1, so the curve stays at 0. Up to 5: it rises to 1/4 over 0…1 and to 1/2 over 1…2, then
  // stays level.
  EXPECT_DOUBLE_EQ(area_under_accuracy(errors, 1), 0);
  EXPECT_DOUBLE_EQ(area_under_accuracy(errors, 5), (0.125 + 0.375 + 3 * 0.5) / 5);
  EXPECT_DOUBLE_EQ(area_under_accuracy(errors, 10), (0.125 + 0.375 + 6 * 0.625 + 2 * 0.75) / 10);
  EXPECT_EQ(accuracy({}, 3), 0);
  EXPECT_EQ(area_under_accuracy({}, 3), 0);
}

TEST(Summary, PairsCountTheSame) {
  PairScores one, other;
  one.judged = 100, one.correct.fill(100), one.matches = 100, one.keypoints_a = 10, one.keypoints_b = 30;
  one.has_true_homography = true, one.corner_error = 0.5;
  other.judged = 1, other.matches = 1;
  const std::vector<PairScores> pairs{one, other};
  const Summary summary = summarise(pairs);
  EXPECT_EQ(summary.pairs, 2);
  EXPECT_DOUBLE_EQ(summary.precision[2], 0.5);
  EXPECT_DOUBLE_EQ(summary.correct[2], 50);
  EXPECT_DOUBLE_EQ(summary.matches, 50.5);
  EXPECT_DOUBLE_EQ(summary.keypoints, 10);
  EXPECT_EQ(summary.homographies, 1);
  EXPECT_DOUBLE_EQ(summary.homography_accuracy[0], 1);
  EXPECT_DOUBLE_EQ(summary.homography_area[0], 0.75);
  EXPECT_EQ(summarise({}).pairs, 0);
}

TEST(Nearby, FindsWhatBruteForceFinds) {
  std::vector<Point> points;
  std::uint32_t state = 1;
  const auto number = [&] { return (state = state * 1664525 + 1013904223) / 4294967296.0 * 60 - 20; };
  for (int i = 0; i < 300; ++i) points.push_back({number(), number()});
  points.push_back(points[7]);  // of equal points the first counts: 7
  const evaluation::Nearby near(points, 3);
  for (int i = 0; i < 500; ++i) {
    const Point from = i == 0 ? points[7] : Point{number(), number()};
    int best = -1;
    double least = 3;
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double d = evaluation::distance(points[k], from);
      if (d < least || (d == least && best < 0)) best = static_cast<int>(k), least = d;
    }
    EXPECT_EQ(near.find(from).index, best);
    if (best >= 0) {
      EXPECT_EQ(near.find(from).distance, least);
    }
  }
  EXPECT_EQ(near.find({NAN, 0}).index, -1);
  EXPECT_EQ(near.find({1e300, 0}).index, -1);
}

}  // namespace
}  // namespace octavo
