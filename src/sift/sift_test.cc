// Properties of the reference that theory requires: a Gaussian blob is found at its centre, at its scale; a turned
// image gives turned keypoints and the same descriptors; budgets keep the best keypoints.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "extract/selection.h"
#include "octavo/extractor.h"
#include "sift/orientation.h"
#include "sift/stages_reference.h"

namespace octavo {
namespace {

Image gaussian_blob(int width, int height, double x0, double y0, double sigma, double height_of_blob) {
  Image image(width, height, 1, PixelType::f32);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double r2 = (x - x0) * (x - x0) + (y - y0) * (y - y0);
      reinterpret_cast<float*>(image.row(y))[x] =
          static_cast<float>(0.5 + height_of_blob * std::exp(-r2 / (2 * sigma * sigma)));
    }
  }
  return image;
}

Image many_blobs(int n) {
  std::vector<double> sum(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 128);
  std::uint32_t seed = 1;
  const auto next = [&](double range) {
    seed = seed * 1664525u + 1013904223u;
    return range * (seed >> 8) / 16777216.0;
  };
  for (int i = 0; i < 220; ++i) {
    const double x0 = next(n), y0 = next(n), sigma = 1.5 + next(4), height = next(120) - 60;
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const double r2 = (x - x0) * (x - x0) + (y - y0) * (y - y0);
        sum[static_cast<std::size_t>(y * n + x)] += height * std::exp(-r2 / (2 * sigma * sigma));
      }
    }
  }
  Image image(n, n, 1, PixelType::u8);
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      image.row(y)[x] = std::byte(std::clamp(static_cast<int>(sum[static_cast<std::size_t>(y * n + x)]), 0, 255));
    }
  }
  return image;
}

// A blob of blur s (camera blur included) is extreme in D where the difference of Gaussians, of blurs t and k·t around
// it, responds most: near t = s·k^(−1/2) for a small step k, so its keypoint's scale is close to s.
TEST(SiftReference, BlobIsFoundAtItsCentreAndScale) {
  for (int first_octave : {-1, 0}) {
    for (double sigma : {4.0, 6.0, 9.0}) {
      for (double sign : {1.0, -1.0}) {
        const double x = 60.3, y = 47.7;
        const Image image = gaussian_blob(120, 100, x, y, sigma, sign * 0.4);
        Extractor reference({.first_octave = first_octave, .upright = true}, {.name = "reference"});
        const Features found = reference.extract(image.view());
        ASSERT_GE(found.size(), 1u);
        const Keypoint k =
            *std::max_element(found.keypoints.begin(), found.keypoints.end(),
                              [](const Keypoint& a, const Keypoint& b) { return a.response < b.response; });
        EXPECT_NEAR(k.x, x, 0.1) << "sigma " << sigma << ", first octave " << first_octave;
        EXPECT_NEAR(k.y, y, 0.1) << "sigma " << sigma << ", first octave " << first_octave;
        EXPECT_NEAR(k.scale / sigma, 1.0, 0.15) << "sigma " << sigma << ", first octave " << first_octave;
      }
    }
  }
}

TEST(SiftReference, FlatAndTinyImagesHaveNoFeatures) {
  for (int size : {1, 2, 5, 6, 30}) {
    Image flat(size, size, 1, PixelType::u8);
    for (int y = 0; y < size; ++y) std::memset(flat.row(y), 77, static_cast<std::size_t>(size));
    EXPECT_EQ(Extractor({.contrast_threshold = 0}, {.name = "reference"}).extract(flat.view()).size(), 0u);
  }
}

// A quarter turn maps pixels onto pixels, so features turn with the image, up to rounding. Doubling would shift the
// grid.
TEST(SiftReference, FeaturesTurnWithTheImage) {
  // Odd: every second pixel of the turned image is every second pixel of the image.
  const int n = 181;
  const Image image = many_blobs(n);
  Image turned(n, n, 1, PixelType::u8);  // (x, y) goes to (n − 1 − y, x)
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) turned.row(x)[n - 1 - y] = image.row(y)[x];
  }
  Extractor reference({.first_octave = 0, .max_octaves = 1}, {.name = "reference"});
  const Features before = reference.extract(image.view()), after = reference.extract(turned.view());
  ASSERT_GT(before.size(), 20u);
  std::size_t partners = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Keypoint& k = before.keypoints[i];
    for (std::size_t j = 0; j < after.size(); ++j) {
      const Keypoint& l = after.keypoints[j];
      const double turn = std::remainder(l.orientation - k.orientation - std::numbers::pi / 2, 2 * std::numbers::pi);
      if (std::hypot(l.x - (n - 1 - k.y), l.y - k.x) > 0.01 || std::abs(l.scale - k.scale) > 0.01 ||
          std::abs(turn) > 0.01)
        continue;
      double distance2 = 0;
      for (std::size_t d = 0; d < descriptor_length; ++d) {
        distance2 += std::pow(before.descriptor(i)[d] - after.descriptor(j)[d], 2);
      }
      if (distance2 < 20 * 20) ++partners;
    }
  }
  EXPECT_GE(static_cast<double>(partners), 0.98 * static_cast<double>(before.size()));
}

TEST(Orientations, PeaksAreRefinedRankedAndCut) {
  OrientationHistogram histogram{};
  EXPECT_EQ(orientations_of(histogram, 4).count, 0);
  for (int bin : {3, 12, 20, 30, 35}) histogram[static_cast<std::size_t>(bin)] = 1000;
  histogram[20] = 1100;  // the highest
  histogram[30] = 700;   // below 0.8 of it
  const Orientations all = orientations_of(histogram, 4);
  ASSERT_EQ(all.count, 4);
  const float expected[] = {3, 12, 20, 35};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(all.turns[i] * 36, expected[i], 1e-4);
  const Orientations one = orientations_of(histogram, 1);
  ASSERT_EQ(one.count, 1);
  EXPECT_NEAR(one.turns[0] * 36, 20, 1e-4);

  histogram = {};  // bin 36 is bin 0
  histogram[36] = 500;
  histogram[0] = 500;
  histogram[1] = 500;
  const Orientations between = orientations_of(histogram, 4);
  ASSERT_EQ(between.count, 1);
  EXPECT_GT(between.turns[0] * 36, 0.0f);
  EXPECT_LT(between.turns[0] * 36, 0.5f);
}

TEST(Descriptor, IsUnitLengthTimes512ClippedOrRootSift) {
  DescriptorHistogram histogram{};
  for (std::size_t i = 0; i < descriptor_length; ++i) histogram[i] = static_cast<std::int32_t>(1000 * (i % 7 + 1));
  std::uint8_t bytes[descriptor_length];
  reference::finish_descriptor(histogram, DescriptorKind::sift, bytes);
  double squares = 0, sum = 0;
  for (std::uint8_t b : bytes) squares += b * b;
  EXPECT_NEAR(std::sqrt(squares), 512, 4);
  for (std::uint8_t b : bytes) sum += b;
  const std::vector<std::uint8_t> sift(std::begin(bytes), std::end(bytes));
  reference::finish_descriptor(histogram, DescriptorKind::rootsift, bytes);
  squares = 0;
  for (std::uint8_t b : bytes) squares += b * b;
  EXPECT_NEAR(std::sqrt(squares), 512, 4);  // the square roots of an L1 unit vector have unit length
  for (std::size_t i = 0; i < descriptor_length; ++i) EXPECT_EQ(bytes[i], std::lround(512 * std::sqrt(sift[i] / sum)));

  // One bin holds everything. It is cut to 0.2 and normalised to 1 again, which exceeds a byte.
  histogram.fill(0);
  histogram[5] = 1 << 29;
  reference::finish_descriptor(histogram, DescriptorKind::sift, bytes);
  EXPECT_EQ(bytes[5], 255);
  histogram.fill(0);
  reference::finish_descriptor(histogram, DescriptorKind::rootsift, bytes);
  for (std::uint8_t b : bytes) EXPECT_EQ(b, 0);
}

std::vector<Keypoint> keypoints_in_a_row() {
  std::vector<Keypoint> all;
  for (int i = 0; i < 10; ++i) {
    const float f = static_cast<float>(i);
    all.push_back({.x = 10 * f, .y = 5, .scale = 10 - f, .response = i == 7 ? 2.0f : f / 10});
  }
  return all;
}

TEST(Selection, RanksThenCuts) {
  const std::vector<Keypoint> all = keypoints_in_a_row();
  EXPECT_EQ(select(all, 100, 10, {.max_features = 3}), (std::vector<std::size_t>{7, 8, 9}));
  EXPECT_EQ(select(all, 100, 10, {.max_features = 3, .rank = Rank::scale}), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(select(all, 100, 10, {}).size(), 10u);
  EXPECT_EQ(select(all, 100, 10, {.max_features = 99}).size(), 10u);
}

TEST(Selection, EqualsKeepCanonicalOrder) {
  std::vector<Keypoint> all = keypoints_in_a_row();
  for (Keypoint& k : all) k.response = 1;
  EXPECT_EQ(select(all, 100, 10, {.max_features = 4}), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Selection, GridSharesTheBudgetAndRefillsFromTheRest) {
  // Two columns of cells: the left one holds points 0…4, the right one 5…9, which are stronger except for point 7.
  const std::vector<Keypoint> all = keypoints_in_a_row();
  EXPECT_EQ(select(all, 100, 10, {.max_features = 4, .grid = 2}), (std::vector<std::size_t>{4, 7, 8, 9}));
  // First ⌈8/4⌉ = 2 for each cell. The cells of the lower half are empty, so the best remaining points fill the budget.
  EXPECT_EQ(select(all, 100, 10, {.max_features = 8, .grid = 2}), (std::vector<std::size_t>{2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(Mask, TakesTheNearestPixel) {
  Image mask(4, 3, 1, PixelType::u8);
  for (int y = 0; y < 3; ++y) std::memset(mask.row(y), 0, 4);
  mask.row(1)[2] = std::byte{1};
  EXPECT_TRUE(inside(mask.view(), 2.4f, 0.6f));
  EXPECT_FALSE(inside(mask.view(), 2.6f, 0.6f));
  EXPECT_FALSE(inside(mask.view(), -3.0f, 99.0f));
}

}  // namespace
}  // namespace octavo
