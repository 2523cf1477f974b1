// FOAGDD corners on the CPU and on GPUs equal the reference's, measures included: every instruction set and number of
// threads, sizes around those of vectors and tiles, every option.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/canonical_order.h"
#include "engine/foagdd/foagdd.h"
#include "engine/selftest/images.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "tests/conformance/contenders.h"

namespace octavo {

// Prints a corner in the message of a failure.
void PrintTo(const FoagddPoint& p, std::ostream* out) { *out << p.row << " " << p.column << " " << p.key; }

namespace {

std::vector<FoagddPoint> of_reference(const ImageView& image, const FoagddOptions& options) {
  return make_foagdd_engine(options, {.name = "reference"})->detect(image);
}

// Options that give as many corners as possible: every region that is not flat exceeds the threshold.
constexpr FoagddOptions greedy{.verify_scales = 2, .corner_threshold = -6};

// Compares the corners that every device finds with those of the reference.
class Comparison {
 public:
  explicit Comparison(const FoagddOptions& options, std::initializer_list<int> threads = {1, 7})
      : reference_(make_foagdd_engine(options, {.name = "reference"})) {
    for (const Contender& c : contenders(threads)) engines_.emplace_back(c, make_foagdd_engine(options, c.device));
  }

  // Returns the number of corners.
  std::size_t expect_the_same(const ImageView& image, const std::string& what) {
    const std::vector<FoagddPoint> expected = reference_->detect(image);
    for (const auto& [contender, engine] : engines_) {
      // A GPU replays what it recorded the first time.
      for (int run = 0; run < (contender.device.name == "cpu" ? 1 : 2); ++run) {
        EXPECT_EQ(engine->detect(image), expected) << what << ", " << contender.name;
      }
    }
    return expected.size();
  }

 private:
  std::unique_ptr<FoagddEngine> reference_;
  std::vector<std::pair<Contender, std::unique_ptr<FoagddEngine>>> engines_;
};

void expect_the_same(const ImageView& image, const FoagddOptions& options, const std::string& what,
                     std::initializer_list<int> threads = {1, 7}) {
  Comparison(options, threads).expect_the_same(image, what);
}

class FoagddConformance : public ::testing::Test {
  tbb::global_control seven_{tbb::global_control::max_allowed_parallelism, 7};
};

TEST_F(FoagddConformance, EverySize) {
  Comparison comparison(greedy, {1});
  std::size_t most = 0;
  int combination = 0;
  for (const int width : {1, 2, 3, 7, 11, 12, 13, 14, 15, 16, 17, 31, 33, 63, 65, 127, 135, 136, 139, 257}) {
    for (const int height : {1, 7, 12, 13, 39, 71, 40}) {
      if (++combination % 2 == 1)
        continue;  // each width with every other height, and each height with every other width
      if (width > 65 && height > 40) continue;
      const Image image = images::noise(width, height, static_cast<std::uint64_t>(width * 1000 + height));
      most = std::max(most,
                      comparison.expect_the_same(image.view(), std::to_string(width) + "×" + std::to_string(height)));
    }
  }
  EXPECT_GT(most, 50u);
}

TEST_F(FoagddConformance, TallImagesAreCutIntoTiles) {
  expect_the_same(images::noise(19, 300).view(), greedy, "noise");
  expect_the_same(images::blobs(300, 210).view(), {.corner_threshold = 4}, "blobs");
}

TEST_F(FoagddConformance, EveryOption) {
  const Image image = images::blobs(70, 52);
  for (const int directions : {2, 3, 4, 5, 7, 8, 9, 12, 15, 16}) {
    expect_the_same(image.view(), {.directions = directions, .verify_scales = 2, .corner_threshold = -3}, "directions",
                    {1});
  }
  for (const int window : {3, 5, 7, 9, 11}) {
    for (const int directions : {8, 5}) {
      expect_the_same(image.view(), {.directions = directions, .window = window, .corner_threshold = 0}, "window", {1});
    }
  }
  for (const int scales : {1, 3, 5})
    expect_the_same(image.view(), {.verify_scales = scales, .corner_threshold = 0}, "scales");
  for (const double rho : {1.0, 2.25, 4.0})
    expect_the_same(image.view(), {.rho = rho, .corner_threshold = 0}, "rho", {1});
  for (const double threshold : {-100.0, 0.0, 8.0, 100.0})
    expect_the_same(image.view(), {.corner_threshold = threshold}, "threshold");
}

TEST_F(FoagddConformance, EveryKindOfImage) {
  Image storage;
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (const int channels : {1, 2, 3, 4}) {
      for (const Luma luma : {Luma::bt601, Luma::bt709}) {
        const Image image = images::blobs(61, 47, type, channels);
        ImageView view = images::unaligned(image, storage);
        view.order = luma == Luma::bt601 ? ChannelOrder::bgr : ChannelOrder::rgb;
        expect_the_same(view, {.corner_threshold = 0, .luma = luma}, "type", {7});
        expect_the_same(view, {.corner_threshold = 0, .luma = luma, .round_grey = true}, "type, rounded", {7});
      }
    }
  }
  expect_the_same(images::checkerboard(120, 90, 7).view(), {.corner_threshold = 0}, "ties everywhere");
  expect_the_same(images::checkerboard(64, 64, 100).view(), {.corner_threshold = 0}, "black");
}

// More corners than a GPU downloads at once, and more than its list can hold at first.
TEST_F(FoagddConformance, AnyNumberOfCorners) {
  FoagddOptions options = greedy;
  options.verify_scales = 1;
  for (const int size : {700, 1500}) {
    const Image image = images::noise(size, size);
    const std::vector<FoagddPoint> expected = make_foagdd_engine(options, {.name = "cpu"})->detect(image.view());
    EXPECT_GT(expected.size(), size == 700 ? 4096u : 16384u);
    for (const Contender& c : contenders({})) {
      ASSERT_EQ(make_foagdd_engine(options, c.device)->detect(image.view()), expected) << c.name;
    }
  }
}

TEST_F(FoagddConformance, AnEngineGoesFromSizeToSize) {
  const FoagddOptions options{.corner_threshold = 0};
  for (const Contender& c : contenders({2})) {
    const auto engine = make_foagdd_engine(options, c.device);
    for (const int size : {40, 130, 5, 64, 40}) {
      const Image image = images::blobs(size, size + 9);
      ASSERT_EQ(engine->detect(image.view()), of_reference(image.view(), options)) << c.name << ", " << size;
    }
  }
}

// Whole extractions with masks, budgets, orientations and descriptors, one after the other and in flight.
TEST_F(FoagddConformance, Features) {
  const Image image = images::blobs(150, 110);
  Image mask(150, 110, 1, PixelType::u8);
  for (int y = 0; y < 110; ++y) std::fill_n(mask.row(y), 150, std::byte{y % 40 < 30});
  const FoagddOptions kinds[] = {
      {.corner_threshold = 2},
      {.corner_threshold = 2, .max_features = 20, .grid = 3},
      {.corner_threshold = 2, .describe = true},
      {.corner_threshold = 2, .describe = true, .descriptor_scale = 1.6, .max_orientations = 1},
      {.corner_threshold = 2, .describe = true, .descriptor_scale = 8, .upright = true},
      {.corner_threshold = 2,
       .luma = Luma::bt709,
       .describe = true,
       .descriptor = DescriptorKind::rootsift,
       .max_features = 25,
       .grid = 2}};
  for (const FoagddOptions& options : kinds) {
    for (const ImageView* m : {static_cast<const ImageView*>(nullptr), &mask.view()}) {
      const Features expected = Foagdd(options, {.name = "reference"}).extract(image.view(), m);
      EXPECT_GE(expected.size(), 15u);
      EXPECT_EQ(expected.descriptors.size(), options.describe ? expected.size() * descriptor_length : 0);
      EXPECT_TRUE(std::is_sorted(expected.keypoints.begin(), expected.keypoints.end(), canonically_before));
      for (const Contender& c : contenders({3})) {
        Foagdd foagdd(options, c.device);
        std::vector<StageTime> times;
        ASSERT_TRUE(foagdd.extract(image.view(), m, &times) == expected) << c.name;
        ASSERT_GE(times.size(), 3u);
        const bool on_gpu = c.device.name != "cpu";
        EXPECT_EQ(times.back().stage, !options.describe ? "selection" : on_gpu ? "download" : "descriptor");
        const Ticket first = foagdd.submit(image.view(), m), second = foagdd.submit(image.view(), m, Keep::on_device);
        ASSERT_TRUE(foagdd.collect_on_device(second).download() == expected) << c.name;
        ASSERT_TRUE(foagdd.collect(first) == expected) << c.name;
      }
    }
  }
}

// The image, scaled so that its brightest pixel is 2^-halvings.
Image darkened(const Image& bright, int halvings) {
  Image dark(bright.width(), bright.height(), 1, PixelType::f32);
  for (int y = 0; y < bright.height(); ++y) {
    for (int x = 0; x < bright.width(); ++x) {
      reinterpret_cast<float*>(dark.row(y))[x] =
          std::ldexp(reinterpret_cast<const float*>(bright.row(y))[x], -halvings);
    }
  }
  return dark;
}

// Budgets that cut between responses above 0, around 0 and below 0, and between equal responses, which the order
// decides.
TEST_F(FoagddConformance, BudgetsOfDescribedCorners) {
  const Image bright = images::blobs(150, 110, PixelType::f32);
  int below_0 = 0, above_0 = 0;
  for (const int halvings : {-1, 0, 3, 4, 5, 9}) {
    const Image image = halvings < 0 ? images::checkerboard(150, 110, 9) : darkened(bright, halvings);
    const double threshold = 2 - 14 * std::max(halvings, 0) * std::log10(2.0);
    const int numbers[] = {1, 7, 40, 100'000}, grids[] = {1, 3, 16};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 3; ++j) {
        // Half of all combinations, in which every value of an option meets every value of each other.
        const bool upright = (i + j) % 2 == 1;
        const FoagddOptions options{.corner_threshold = threshold,
                                    .describe = true,
                                    .upright = upright,
                                    .max_features = numbers[i],
                                    .grid = grids[j]};
        const Features expected = Foagdd(options, {.name = "cpu"}).extract(image.view());
        ASSERT_GE(expected.size(), static_cast<std::size_t>(std::min(numbers[i], 15)));
        for (const Keypoint& k : expected.keypoints) ++(k.response < 0 ? below_0 : above_0);
        for (const std::string& name : gpu_names()) {
          ASSERT_TRUE(Foagdd(options, {.name = name}).extract(image.view()) == expected)
              << name << ", " << halvings << ", " << numbers[i] << ", " << grids[j] << ", " << upright;
        }
      }
    }
  }
  EXPECT_GT(below_0, 100);
  EXPECT_GT(above_0, 100);
}

// Windows that reach beyond every edge, tiny and wide images, and one orientation for each peak.
TEST_F(FoagddConformance, DescribedCornersOfEverySize) {
  const FoagddOptions options{.verify_scales = 1, .corner_threshold = -6, .describe = true};
  Foagdd reference(options, {.name = "reference"});
  std::size_t most = 0, turned = 0;
  for (const Contender& c : contenders({2})) {
    Foagdd foagdd(options, c.device);
    for (const int width : {1, 11, 12, 13, 40, 131}) {
      for (const int height : {1, 11, 12, 61}) {
        const Image image = images::noise(width, height, static_cast<std::uint64_t>(width * 100 + height));
        const Features expected = reference.extract(image.view());
        ASSERT_TRUE(foagdd.extract(image.view()) == expected) << c.name << ", " << width << "×" << height;
        most = std::max(most, expected.size());
        for (std::size_t i = 1; i < expected.size(); ++i) {
          const Keypoint &a = expected.keypoints[i - 1], &b = expected.keypoints[i];
          turned += a.x == b.x && a.y == b.y ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(most, 50u);
  EXPECT_GT(turned, 20u);
}

// Images without corners, with very many, or without room for one. Nothing overflows and nothing is undefined.
TEST_F(FoagddConformance, FlatSlopingSaturatedAndTinyImages) {
  const auto drawn = [](int width, int height, const std::function<float(int, int)>& value) {
    Image image(width, height, 1, PixelType::f32);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) reinterpret_cast<float*>(image.row(y))[x] = value(x, y);
    }
    return image;
  };
  const FoagddOptions anything{.verify_scales = 1, .corner_threshold = -100};
  const Image nothing[] = {drawn(61, 45, [](int, int) { return 0.0f; }),
                           drawn(61, 45, [](int, int) { return 0.5f; }),
                           drawn(61, 45, [](int, int) { return 1.0f; }),
                           drawn(61, 45, [](int x, int) { return static_cast<float>(x) / 64; }),
                           drawn(61, 45, [](int, int y) { return static_cast<float>(y) / 64; }),
                           drawn(61, 45, [](int x, int y) { return static_cast<float>(3 * x + y) / 256; })};
  for (const Image& image : nothing) {
    EXPECT_TRUE(of_reference(image.view(), {}).empty());
    expect_the_same(image.view(), {}, "nothing", {1});
    expect_the_same(image.view(), anything, "nothing above the least threshold", {1});
  }
  std::uint64_t state = 3;
  const Image saturated = drawn(61, 45, [&](int, int) { return static_cast<float>(images::next_random(state) % 2); });
  for (const int directions : {2, 8, 16}) {
    for (const int window : {7, 11}) {
      const FoagddOptions options{
          .directions = directions, .verify_scales = 3, .rho = 4, .window = window, .corner_threshold = -100};
      const std::vector<FoagddPoint> found = of_reference(saturated.view(), options);
      EXPECT_GT(found.size(), 10u);
      for (const FoagddPoint& p : found) {
        EXPECT_TRUE(log10_of_measure(p.key) > -100 && log10_of_measure(p.key) < 130) << p.key;
      }
      expect_the_same(saturated.view(), options, "saturated", {1});
    }
  }
  for (int width = 1; width < 20; width += 3) {
    for (int height = 1; height < 20; height += 3) {
      const Image tiny = drawn(width, height, [](int x, int y) { return static_cast<float>((x * 7 + y * 5) % 3) / 2; });
      expect_the_same(tiny.view(), anything, "tiny", {1});
    }
  }
}

// 2^−k times the contrast gives exactly 2^(−14k) times the measure.
TEST_F(FoagddConformance, ContrastByPowersOfTwo) {
  const Image bright = images::blobs(90, 60, PixelType::f32);
  const std::vector<FoagddPoint> expected = of_reference(bright.view(), {.corner_threshold = 6});
  ASSERT_GT(expected.size(), 5u);
  for (const int halvings : {1, 2, 4, 8, 16, 24}) {
    const Image dark = darkened(bright, halvings);
    std::vector<Contender> all = contenders({2});
    all.push_back({"reference", {.name = "reference"}});
    for (const Contender& c : all) {
      const FoagddOptions options{.corner_threshold = 6 - 14 * halvings * std::log10(2.0)};
      std::vector<FoagddPoint> found = make_foagdd_engine(options, c.device)->detect(dark.view());
      for (FoagddPoint& p : found) p.key += 14 * halvings * (1 << 20);
      ASSERT_EQ(found, expected) << c.name << ", 2^-" << halvings;
    }
  }
}

}  // namespace
}  // namespace octavo
