// The tests that decide whether a neighbour is a match, their boundaries, and Matcher's errors for wrong calls.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <ranges>
#include <utility>

#include "engine/core/expect_error.h"
#include "engine/match/guide_region.h"
#include "engine/match/matches.h"
#include "octavo/error.h"
#include "octavo/matcher.h"

namespace octavo {
namespace {

NearestTwo two(std::int32_t first, std::uint32_t d1, std::int32_t second, std::uint32_t d2) {
  return {{first, second}, {d1, d2}};
}

TEST(Offer, KeepsTheTwoSmallestAndTheSmallestIndexOfEqualOnes) {
  NearestTwo n;
  offer(n, 9, 4);
  EXPECT_EQ(n, two(4, 9, -1, UINT32_MAX));
  offer(n, 9, 2);
  EXPECT_EQ(n, two(2, 9, 4, 9));
  offer(n, 9, 3);
  EXPECT_EQ(n, two(2, 9, 3, 9));
  offer(n, 1, 7);
  EXPECT_EQ(n, two(7, 1, 2, 9));
  offer(n, 10, 0);
  EXPECT_EQ(n, two(7, 1, 2, 9));
}

TEST(SelectMatches, RatioIsStrictAndExact) {
  const auto passes = [](std::uint32_t d1, std::uint32_t d2, double ratio) {
    return !select_matches({{two(0, d1, 1, d2)}, {}}, {.ratio = ratio, .mutual = false}).empty();
  };
  EXPECT_FALSE(passes(64, 100, 0.8));
  EXPECT_TRUE(passes(63, 100, 0.8));
  EXPECT_FALSE(passes(64, 100, 0.80001));  // the ratio has four decimals
  EXPECT_TRUE(passes(64, 100, 0.8001));
  EXPECT_FALSE(passes(0, 0, 0.8));
  EXPECT_TRUE(passes(0, 1, 0.0001));
  // Squared distances that differ by one at the end of the range, where float is not exact enough.
  EXPECT_FALSE(passes(max_descriptor_distance2 - 831, max_descriptor_distance2, 0.9999));
  EXPECT_TRUE(passes(max_descriptor_distance2 - 1665, max_descriptor_distance2, 0.9999));
}

TEST(SelectMatches, RatioOneAndMissingSecondNeighboursPass) {
  const Neighbours equal{{two(0, 5, 1, 5)}, {}};
  EXPECT_EQ(select_matches(equal, {.ratio = 1, .mutual = false}), (std::vector<Match>{{0, 0, 5}}));
  EXPECT_TRUE(select_matches(equal, {.ratio = 0.9999, .mutual = false}).empty());
  const Neighbours alone{{two(3, 5, -1, UINT32_MAX), NearestTwo{}}, {}};
  EXPECT_EQ(select_matches(alone, {.ratio = 0.0001, .mutual = false}), (std::vector<Match>{{0, 3, 5}}));
}

TEST(SelectMatches, DistanceAndMutualTests) {
  const Neighbours n{{two(1, 5, 0, 100), two(1, 6, 0, 100), two(0, 7, 1, 100)}, {2, 0}};
  EXPECT_EQ(select_matches(n, {.mutual = true}), (std::vector<Match>{{0, 1, 5}, {2, 0, 7}}));
  EXPECT_EQ(select_matches(n, {.mutual = false, .max_distance2 = 6}), (std::vector<Match>{{0, 1, 5}, {1, 1, 6}}));
}

Keypoint at(double x, double y) { return {.x = static_cast<float>(x), .y = static_cast<float>(y)}; }

TEST(GuideRegion, DiscAroundThePrediction) {
  const GuideRegion region({.b_from_a = {2, 0, 10, 0, 2, 20, 0, 0, 2}, .radius = 5}, at(4, 6));  // (9, 16)
  EXPECT_TRUE(region.contains(9, 16));
  EXPECT_TRUE(region.contains(12, 20));  // exactly 5 away
  EXPECT_FALSE(region.contains(12, 20.001));
  EXPECT_FALSE(region.contains(NAN, 16));
  EXPECT_FALSE(GuideRegion({.b_from_a = {1, 0, 0, 0, 1, 0, 1, 0, -4}, .radius = 1e6}, at(4, 6)).contains(0, 0));
}

TEST(GuideRegion, BandAlongTheEpipolarLine) {
  // l = (3, 4, −50): 3x + 4y = 50.
  const Guide guide{.model = Guide::Model::fundamental, .b_from_a = {0, 0, 3, 0, 0, 4, 0, 0, -50}, .radius = 2};
  const GuideRegion region(guide, at(77, 88));
  EXPECT_TRUE(region.contains(2, 11));
  EXPECT_TRUE(region.contains(10, 7.5));  // 3·10 + 4·7.5 − 50 = 10, that is 2 pixels
  EXPECT_FALSE(region.contains(10, 7.51));
  EXPECT_FALSE(GuideRegion({.model = Guide::Model::fundamental, .b_from_a = {}, .radius = 9}, at(1, 1)).contains(0, 0));
}

TEST(Matcher, WrongOptionsAreNamed) {
  const auto option = ErrorCode::invalid_option;
  for (const char* device : {"cpu", "reference"}) {
    expect_error(option, "ratio is 0, but must be between 0.0001 and 1", [&] { Matcher({.ratio = 0}, {device}); });
    expect_error(option, "ratio is 1.5", [&] { Matcher({.ratio = 1.5}, {device}); });
    expect_error(option, "ratio is nan", [&] { Matcher({.ratio = NAN}, {device}); });
    expect_error(option, "threads is -1", [&] { Matcher({}, {device, -1}); });
    expect_error(option, "isa is \"mmx\"", [&] { Matcher({}, {device, 0, "mmx"}); });
    Matcher matcher({}, {device});
    expect_error(option, "guide radius is 0", [&] { matcher.match(Features{}, Features{}, {.radius = 0}); });
    expect_error(option, "guide radius is inf", [&] { matcher.match(Features{}, Features{}, {.radius = INFINITY}); });
    expect_error(option, "guide b_from_a[3] is nan", [&] {
      matcher.match(Features{}, Features{}, {.b_from_a = {1, 0, 0, NAN, 1, 0, 0, 0, 1}});
    });
  }
  expect_error(ErrorCode::device_unavailable, "device is \"abacus\"", [] { Matcher({}, {"abacus"}); });
}

// Features at places of a few clusters, with descriptors of few values, so that neighbours are often the same point and
// equal distances are frequent.
Features clustered(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  Features features;
  for (std::size_t i = 0; i < count; ++i) {
    const auto cluster = random() % 25;
    features.keypoints.push_back(
        at(double(cluster % 5) * 40 + double(random() % 16), double(cluster / 5) * 40 + double(random() % 16)));
    for (std::size_t k = 0; k < descriptor_length; ++k) {
      features.descriptors.push_back(static_cast<std::uint8_t>(k < 6 ? random() % 8 : cluster * (k % 3)));
    }
  }
  return features;
}

bool are_within(const Keypoint& a, const Keypoint& b, double radius) {
  return std::hypot(double(a.x) - b.x, double(a.y) - b.y) <= radius;
}

// The definition of distinct matching, for one feature of a after the other.
std::vector<Match> distinct_by_definition(const Features& a, const Features& b, const MatchOptions& options) {
  const auto distances = [](const Features& from, std::size_t i, const Features& to) {
    std::vector<std::uint32_t> all;
    for (std::size_t j = 0; j < to.size(); ++j) {
      std::uint32_t sum = 0;
      for (std::size_t k = 0; k < descriptor_length; ++k) {
        const int difference = from.descriptor(i)[k] - to.descriptor(j)[k];
        sum += static_cast<std::uint32_t>(difference * difference);
      }
      all.push_back(sum);
    }
    return all;
  };
  const auto nearest = [](const std::vector<std::uint32_t>& d) {
    return std::size_t(std::ranges::min_element(d) - d.begin());
  };
  std::vector<Match> matches;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::vector<std::uint32_t> d = distances(a, i, b);
    const std::size_t j = nearest(d);
    const bool rejected = std::ranges::any_of(std::views::iota(std::size_t{0}, b.size()), [&](std::size_t k) {
      return !are_within(b.keypoints[k], b.keypoints[j], options.distinct_radius) &&
             double(d[j]) >= options.ratio * options.ratio * double(d[k]);
    });
    const std::size_t back = nearest(distances(b, j, a));
    const bool is_mutual = are_within(a.keypoints[back], a.keypoints[i], options.distinct_radius);
    if (!rejected && (is_mutual || !options.mutual)) matches.push_back({std::int32_t(i), std::int32_t(j), d[j]});
  }
  return matches;
}

TEST(DistinctMatches, AreThoseOfTheDefinition) {
  const Features a = clustered(300, 1), b = clustered(700, 2);
  for (const MatchOptions& options : {MatchOptions{.ratio = 0.5, .distinct_radius = 25},
                                      MatchOptions{.ratio = 0.75, .mutual = false, .distinct_radius = 12}}) {
    const std::vector<Match> defined = distinct_by_definition(a, b, options);
    const std::vector<Match> found = Matcher(options, {"cpu"}).match(a, b);
    EXPECT_EQ(found, Matcher(options, {"reference"}).match(a, b));
    EXPECT_GT(found.size(), 20u);
    // What the definition has and was not found lies in the same two pixels at both ends as a match that is as near.
    for (const Match& match : found) EXPECT_TRUE(std::ranges::find(defined, match) != defined.end());
    const auto square = [](const Keypoint& k) { return std::pair(std::floor(k.x / 2), std::floor(k.y / 2)); };
    for (const Match& match : defined) {
      EXPECT_TRUE(std::ranges::any_of(found, [&](const Match& kept) {
        return square(a.keypoints[std::size_t(kept.a)]) == square(a.keypoints[std::size_t(match.a)]) &&
               square(b.keypoints[std::size_t(kept.b)]) == square(b.keypoints[std::size_t(match.b)]) &&
               kept.distance2 <= match.distance2;
      }));
    }
    const Features* const collection[] = {&b, &a};
    EXPECT_EQ(Matcher(options, {"cpu"}).match(a, collection)[0], found);
  }
}

TEST(DistinctMatches, NeedPlaces) {
  Matcher matcher({.distinct_radius = 10}, {"cpu"});
  const std::vector<std::uint8_t> bytes(descriptor_length);
  expect_error(ErrorCode::invalid_option, "distinct_radius is 10", [&] { matcher.match(bytes, bytes); });
  EXPECT_TRUE(matcher.match(Features{}, clustered(5, 1)).empty());
  EXPECT_TRUE(matcher.match(clustered(5, 1), Features{}).empty());
}

TEST(Matcher, RefusesWhatIsNoDescriptorAndStaysUsable) {
  const auto argument = ErrorCode::invalid_argument;
  const std::vector<std::uint8_t> good(3 * descriptor_length, 7), bad(200);
  Features torn;
  torn.keypoints.resize(2);
  torn.descriptors = good;
  const Features* const collection[] = {&torn};
  for (const char* device : {"cpu", "reference"}) {
    Matcher matcher({.ratio = 1}, {device});
    expect_error(argument, "descriptors of a have 200 bytes", [&] { matcher.match(bad, good); });
    expect_error(argument, "descriptors of b have 200 bytes", [&] { matcher.nearest_two(good, bad); });
    expect_error(argument, "2 keypoints but 384 bytes", [&] { matcher.match(Features{}, torn); });
    expect_error(argument, "2 keypoints but 384 bytes", [&] { matcher.match(Features{}, collection); });
    EXPECT_EQ(matcher.match(good, good), (std::vector<Match>{{0, 0, 0}}));
    EXPECT_EQ(matcher.nearest_two(good, {}), std::vector<NearestTwo>(3));
    EXPECT_TRUE(matcher.match({}, good).empty());
  }
}

}  // namespace
}  // namespace octavo
