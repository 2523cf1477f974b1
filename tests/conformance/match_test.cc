// Matching gives the same bytes as the reference, on the CPU with every instruction set and several numbers of threads,
// and on every GPU of this machine.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <limits>
#include <random>

#include "engine/device/cpu_isa.h"
#include "engine/device/registry.h"
#include "engine/match/nearest.h"
#include "engine/match/nearest_gpu.h"
#include "octavo/extractor.h"
#include "octavo/matcher.h"
#include "tests/conformance/isas.h"

namespace octavo {
namespace {

using Random = std::mt19937;

// How a set of descriptors is filled. The last two make ties everywhere.
struct Content {
  const char* name;
  std::uint8_t (*byte)(std::size_t row, Random& random);
};

const Content contents[] = {
    {"random", [](std::size_t, Random& random) { return static_cast<std::uint8_t>(random()); }},
    {"all 0", [](std::size_t, Random&) { return std::uint8_t{0}; }},
    {"all 255", [](std::size_t, Random&) { return std::uint8_t{255}; }},
    {"0 or 255", [](std::size_t, Random& random) { return static_cast<std::uint8_t>(random() % 2 * 255); }},
    {"five kinds", [](std::size_t row, Random&) { return static_cast<std::uint8_t>(row * 7919 % 5); }},
    {"seldom 1", [](std::size_t, Random& random) { return static_cast<std::uint8_t>(random() % 64 == 0); }},
};

// N descriptors that start at an odd address, between guard bytes.
class Set {
 public:
  Set(std::size_t n, const Content& content, unsigned seed) : bytes_(n * descriptor_length + 2, 0xA5) {
    Random random(seed);
    for (std::size_t i = 0; i < n * descriptor_length; ++i) {
      bytes_[1 + i] = content.byte(i / descriptor_length, random);
    }
  }
  [[nodiscard]] Descriptors view() const { return {bytes_.data() + 1, bytes_.size() - 2}; }

 private:
  std::vector<std::uint8_t> bytes_;
};

Neighbours neighbours(NearestSearch& search, Descriptors a, Descriptors b, bool both) {
  std::vector<Neighbours> found;
  search.search(a, {&b, 1}, both, [&](const Neighbours& n) { found.push_back(n); });
  EXPECT_EQ(found.size(), 1u);
  return found.at(0);
}

// Devices that must find what the reference finds.
class Conformance : public testing::Test {
 protected:
  struct Searcher {
    std::string name;
    DeviceOptions options;
    std::unique_ptr<NearestSearch> search;
  };

  // Expects the reference's results, in one direction and in both directions.
  void expect_equal(const Set& a, const Set& b, const std::string& what) {
    const Neighbours expected = neighbours(*reference_, a.view(), b.view(), true);
    for (const Searcher& searcher : searchers_) {
      const Neighbours both = neighbours(*searcher.search, a.view(), b.view(), true);
      ASSERT_EQ(both.of_a, expected.of_a) << what << ", " << searcher.name;
      ASSERT_EQ(both.of_b, expected.of_b) << what << ", " << searcher.name;
      const Neighbours one_way = neighbours(*searcher.search, a.view(), b.view(), false);
      ASSERT_EQ(one_way.of_a, expected.of_a) << what << ", " << searcher.name;
      ASSERT_TRUE(one_way.of_b.empty());
    }
  }

  void expect_equal_matches_of_collections();

  std::vector<Searcher> searchers_;
  std::unique_ptr<NearestSearch> reference_ = make_nearest_reference();
};

// Every instruction set of this machine on 1, 2 and 7 threads.
class MatchConformance : public Conformance {
 protected:
  void SetUp() override {
    for (const Isa& isa : isas_to_compare()) {
      for (int threads : {1, 2, 7}) {
        const DeviceOptions options{"cpu", threads, isa.name};
        searchers_.push_back(
            {isa.name + " on " + std::to_string(threads) + " threads", options, make_nearest(resolve_device(options))});
      }
    }
  }

  tbb::global_control seven_threads_{tbb::global_control::max_allowed_parallelism, 7};
};

// Every GPU of this machine.
class GpuMatchConformance : public Conformance {
 protected:
  void SetUp() override {
    for (const Device& device : list_devices()) {
      if (device.kind != "cuda" && device.kind != "opencl") continue;
      searchers_.push_back({device.name, {.name = device.name}, make_nearest(resolve_device({.name = device.name}))});
    }
    if (searchers_.empty()) {
      std::string reasons;
      for (const MissingDriver& missing : missing_drivers()) reasons += missing.driver + ": " + missing.reason + ". ";
      GTEST_SKIP() << "this machine has no GPU. " << reasons;
    }
  }
};

TEST_F(MatchConformance, SizesAndContents) {
  constexpr std::size_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 31, 33, 127, 257, 1000};
  for (const Content& content : contents) {
    for (const std::size_t n : sizes) {
      for (const std::size_t m : sizes) {
        // The largest sizes take as long as all others together, so they run with one content only.
        if (std::max(n, m) == 1000 && &content != &contents[0]) continue;
        expect_equal(Set(n, content, 1), Set(m, content, 2),
                     std::to_string(n) + "×" + std::to_string(m) + ", " + content.name);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(MatchConformance, TheLargestDistance) {
  expect_equal(Set(300, contents[1], 1), Set(300, contents[2], 2), "0 against 255");
  expect_equal(Set(300, contents[2], 1), Set(300, contents[1], 2), "255 against 0");
  EXPECT_EQ(
      neighbours(*reference_, Set(1, contents[1], 1).view(), Set(1, contents[2], 2).view(), false).of_a[0].distance2[0],
      max_descriptor_distance2);
}

TEST_F(MatchConformance, MoreColumnsThanATileHolds) {
  for (const Content& content : {contents[0], contents[3], contents[4]}) {
    expect_equal(Set(67, content, 1), Set(8300, content, 2), std::string("wide, ") + content.name);
    expect_equal(Set(1100, content, 1), Set(33, content, 2), std::string("high, ") + content.name);
  }
}

TEST_F(MatchConformance, TiesGoToTheSmallestIndexTenTimesOver) {
  const Set a(250, contents[4], 1), b(350, contents[4], 2);
  for (int run = 0; run < 10; ++run) expect_equal(a, b, "run " + std::to_string(run));
}

Features features(std::size_t n, const Content& content, unsigned seed) {
  Random random(seed);
  Features f;
  f.keypoints.resize(n);
  for (Keypoint& k : f.keypoints) {
    k.x = static_cast<float>(random() % 640'000) / 1000;
    k.y = static_cast<float>(random() % 480'000) / 1000;
  }
  const Set set(n, content, seed);
  f.descriptors.assign(set.view().begin(), set.view().end());
  return f;
}

void Conformance::expect_equal_matches_of_collections() {
  const Features a = features(300, contents[0], 1);
  // Some of a's descriptors come back, slightly changed, so that matches survive the tests.
  std::vector<Features> collection;
  for (const std::size_t n : {0u, 1u, 50u, 257u, 600u}) {
    Features b = features(n, contents[0], static_cast<unsigned>(n));
    for (std::size_t i = 0; i < std::min<std::size_t>(n, 200); i += 2) {
      std::ranges::copy(a.descriptor(i), &b.descriptors[i * descriptor_length]);
      b.descriptors[i * descriptor_length] ^= 3;
    }
    collection.push_back(std::move(b));
  }
  std::vector<const Features*> pointers;
  for (const Features& b : collection) pointers.push_back(&b);

  for (const MatchOptions& options : {MatchOptions{}, MatchOptions{.ratio = 1, .mutual = false},
                                      MatchOptions{.ratio = 0.9, .mutual = false, .max_distance2 = 900'000},
                                      MatchOptions{.ratio = 1, .mutual = true, .max_distance2 = 5}}) {
    Matcher reference(options, {.name = "reference"});
    const auto expected = reference.match(a, pointers);
    ASSERT_EQ(expected.size(), collection.size());
    EXPECT_TRUE(expected[0].empty());
    EXPECT_GE(expected[4].size(), 40u);
    for (const Searcher& searcher : searchers_) {
      Matcher matcher(options, searcher.options);
      EXPECT_EQ(matcher.device(), searcher.options.name);
      EXPECT_EQ(matcher.isa(), resolve_device(searcher.options).isa_name());
      EXPECT_EQ(matcher.threads(), searcher.search->threads());
      EXPECT_EQ(matcher.match(a, pointers), expected) << searcher.name;
      for (std::size_t i = 0; i < collection.size(); ++i) {
        EXPECT_EQ(matcher.match(a, collection[i]), expected[i]) << searcher.name;
        const DeviceFeatures there_a = matcher.upload(a), there_b = matcher.upload(collection[i]);
        EXPECT_TRUE(there_b.download() == collection[i]) << searcher.name;
        EXPECT_EQ(matcher.match(there_a, there_b), expected[i]) << searcher.name;
      }
    }
  }
}

TEST_F(MatchConformance, MatchesAndCollections) { expect_equal_matches_of_collections(); }

TEST_F(MatchConformance, GuidedSearchEqualsTheDefinition) {
  using Model = Guide::Model;
  const Guide guides[] = {
      {.radius = 40},
      {.b_from_a = {0.9, -0.1, 30, 0.12, 1.1, -20, 1e-4, -2e-4, 1}, .radius = 25},
      {.b_from_a = {1, 0, 0, 0, 1, 0, 0.01, 0, -3}, .radius = 1e6},  // maps some points of the image to infinity
      {.b_from_a = {0, 0, 0, 0, 0, 0, 0, 0, 0}, .radius = 1e6},      // maps no point to a finite point
      {.model = Model::fundamental, .b_from_a = {0, 0, 0, 0, 0, -1, 0, 1, 0}, .radius = 5},            // rows
      {.model = Model::fundamental, .b_from_a = {0, 0, -1, 0, 0, 0, 1, 0, 0}, .radius = 5},            // columns
      {.model = Model::fundamental, .b_from_a = {0, -1, 200, 1, 0, -300, -200, 300, 0}, .radius = 3},  // a star
      {.model = Model::fundamental, .b_from_a = {1e-6, 2e-6, -0.01, 3e-6, -1e-6, 0.02, 0.005, -0.03, 1}, .radius = 10},
      {.model = Model::fundamental, .b_from_a = {0, 0, 0, 0, 0, 0, 0, 0, 1}, .radius = 1e6},  // no line
  };
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const Content& content : {contents[0], contents[4]}) {
    Features a = features(150, content, 5), b = features(200, content, 6);
    a.keypoints[7].x = b.keypoints[7].y = nan;
    a.keypoints[8].y = b.keypoints[8].x = infinity;
    b.keypoints[9] = {.x = 1e7f, .y = -1e7f};
    Features on_a_line = b, on_a_spot = b;
    for (Keypoint& k : on_a_line.keypoints) k.y = 100;
    for (Keypoint& k : on_a_spot.keypoints) k = {.x = 100, .y = 100};
    for (const Guide& guide : guides) {
      for (const Features& other : {b, on_a_line, on_a_spot, Features{}}) {
        const Neighbours expected = reference_->search_guided(a, other, guide, true);
        for (const Searcher& searcher : searchers_) {
          const Neighbours found = searcher.search->search_guided(a, other, guide, true);
          ASSERT_EQ(found.of_a, expected.of_a) << "guide " << &guide - guides << ", " << searcher.name;
          ASSERT_EQ(found.of_b, expected.of_b) << "guide " << &guide - guides << ", " << searcher.name;
        }
      }
    }
    const Neighbours nowhere = reference_->search_guided(a, b, guides[3], true);
    EXPECT_EQ(nowhere.of_a, std::vector<NearestTwo>(150));
    EXPECT_EQ(nowhere.of_b, std::vector<std::int32_t>(200, -1));
  }
}

TEST_F(MatchConformance, GuidedMatchesThroughTheMatcher) {
  const Features a = features(300, contents[0], 5);
  const Guide guide{.radius = 2};
  const std::vector<Match> expected = Matcher({}, {.name = "reference"}).match(a, a, guide);
  EXPECT_EQ(expected.size(), 300u);
  for (const Searcher& searcher : searchers_) {
    EXPECT_EQ(Matcher({}, searcher.options).match(a, a, guide), expected);
  }
}

// Features of more than one tile of places, the first of which are those of `a` again, twice, close together.
Features with_twins(const Features& a, Features b) {
  for (std::size_t i = 0; i < 2 * a.size(); ++i) {
    const std::size_t k = i / 2;
    std::copy_n(a.descriptor(k).data(), descriptor_length,
                b.descriptors.begin() + static_cast<std::ptrdiff_t>(i * descriptor_length));
    b.descriptors[i * descriptor_length] ^= static_cast<std::uint8_t>(i % 3);
    if (i % 2 == 1) b.keypoints[i] = b.keypoints[i - 1], b.keypoints[i].x += 3;
  }
  return b;
}

void expect_distinct_matches(const Features& a, const Features& b, const DeviceOptions& device) {
  const MatchOptions options{.ratio = 0.9, .distinct_radius = 10};
  const std::vector<Match> expected = Matcher(options, {.name = "reference"}).match(a, b);
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(Matcher(options, device).match(a, b), expected) << device.name << " " << device.isa;
}

TEST_F(MatchConformance, DistinctMatches) {
  const Features a = features(300, contents[0], 5), b = with_twins(a, features(9000, contents[0], 6));
  for (const Searcher& searcher : searchers_) expect_distinct_matches(a, b, searcher.options);
}

TEST_F(GpuMatchConformance, DistinctMatches) {
  const Features a = features(300, contents[0], 5), b = with_twins(a, features(9000, contents[0], 6));
  for (const Searcher& searcher : searchers_) expect_distinct_matches(a, b, searcher.options);
}

TEST_F(GpuMatchConformance, SizesAndContents) {
  // Sizes around those of the tiles of both scans.
  constexpr std::size_t sizes[] = {0, 1, 2, 63, 64, 65, 129, 255, 257};
  for (const Content& content : contents) {
    for (const std::size_t n : sizes) {
      for (const std::size_t m : sizes) {
        expect_equal(Set(n, content, 1), Set(m, content, 2),
                     std::to_string(n) + "×" + std::to_string(m) + ", " + content.name);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(GpuMatchConformance, TheLargestDistance) {
  expect_equal(Set(300, contents[1], 1), Set(300, contents[2], 2), "0 against 255");
  expect_equal(Set(300, contents[2], 1), Set(300, contents[1], 2), "255 against 0");
}

TEST_F(GpuMatchConformance, MoreColumnsThanASegmentHolds) {
  for (const Content& content : {contents[0], contents[3], contents[4]}) {
    expect_equal(Set(67, content, 1), Set(8300, content, 2), std::string("wide, ") + content.name);
    expect_equal(Set(1025, content, 1), Set(1023, content, 2), std::string("square, ") + content.name);
  }
}

TEST_F(GpuMatchConformance, BuffersThatGrowAndShrinkInUse) {
  for (const std::size_t n : {300, 20, 700, 1, 0, 500}) {
    expect_equal(Set(n, contents[0], 1), Set(n + 5, contents[0], 2), std::to_string(n));
  }
}

TEST_F(GpuMatchConformance, TiesGoToTheSmallestIndexTenTimesOver) {
  const Set a(250, contents[4], 1), b(350, contents[4], 2);
  for (int run = 0; run < 10; ++run) expect_equal(a, b, "run " + std::to_string(run));
}

TEST_F(GpuMatchConformance, MatchesAndCollections) { expect_equal_matches_of_collections(); }

TEST_F(GpuMatchConformance, GuidedMatchesThroughTheMatcher) {
  const Features a = features(300, contents[0], 5);
  const Guide guide{.radius = 2};
  const std::vector<Match> expected = Matcher({}, {.name = "reference"}).match(a, a, guide);
  for (const Searcher& searcher : searchers_) {
    EXPECT_EQ(Matcher({}, searcher.options).match(a, a, guide), expected) << searcher.name;
  }
}

}  // namespace
}  // namespace octavo
