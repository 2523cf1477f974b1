// Properties of the reference that theory requires: a Gaussian blob is found at its centre, at its scale; a turned
// image gives turned keypoints and the same descriptors.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <tuple>
#include <vector>

#include "engine/sift/affine.h"
#include "engine/sift/engine.h"
#include "engine/sift/keypoint.h"
#include "engine/sift/orientation.h"
#include "engine/sift/pooling.h"
#include "engine/sift/stages_reference.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

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

// A direction that two thirds of the votes are near to is found, though no bin near it is the highest.
TEST(Orientations, SmoothedOftenTheyAreThoseOfMostVotes) {
  OrientationHistogram histogram{};
  histogram[30] = 1000;
  for (std::size_t bin : {6, 8, 10, 12, 14}) histogram[bin] = 400;
  const Orientations once = orientations_of(histogram, 1, 1), often = orientations_of(histogram, 6, 1);
  EXPECT_NEAR(once.turns[0] * 36, 30, 1e-4);
  EXPECT_NEAR(often.turns[0] * 36, 10, 0.1);
}

TEST(Orientations, PeaksAreRefinedRankedAndCut) {
  OrientationHistogram histogram{};
  EXPECT_EQ(orientations_of(histogram, 1, 4).count, 0);
  for (int bin : {3, 12, 20, 30, 35}) histogram[static_cast<std::size_t>(bin)] = 1000;
  histogram[20] = 1100;  // the highest
  histogram[30] = 700;   // below 0.8 of it
  const Orientations all = orientations_of(histogram, 1, 4);
  ASSERT_EQ(all.count, 4);
  const float expected[] = {3, 12, 20, 35};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(all.turns[i] * 36, expected[i], 1e-4);
  const Orientations one = orientations_of(histogram, 1, 1);
  ASSERT_EQ(one.count, 1);
  EXPECT_NEAR(one.turns[0] * 36, 20, 1e-4);

  histogram = {};  // bin 36 is bin 0
  histogram[36] = 500;
  histogram[0] = 500;
  histogram[1] = 500;
  const Orientations between = orientations_of(histogram, 1, 4);
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

// The octave and layer whose blur is nearest to a σ [pixel of octave 0], and how much nearer than the next best.
struct NearestImage {
  int octave = 0, layer = 0;
  double margin = 0;  // of log2
};

NearestImage nearest_image(const SiftOptions& options, int octaves, double sigma) {
  NearestImage nearest;
  double best = 1e9, second = 1e9;
  for (int octave = 0; octave < octaves; ++octave) {
    for (int layer = 1; layer <= options.layers; ++layer) {
      const double blur = options.sigma * std::exp2(octave + static_cast<double>(layer) / options.layers);
      const double distance = std::abs(std::log2(sigma / blur));
      second = std::min(second, std::max(distance, best));
      if (distance < best) nearest = {.octave = octave, .layer = layer};
      best = std::min(best, distance);
    }
  }
  nearest.margin = second - best;
  return nearest;
}

TEST(Pooling, SizesHaveEqualRatios) {
  const PoolingRecord pooling = pooling_of(parts_of({.pool = 5, .pool_from = 0.25, .pool_to = 4}), 3);
  ASSERT_EQ(pooling.sizes, 5);
  const float expected[] = {0.25f, 0.5f, 1, 2, 4};
  for (int i = 0; i < 5; ++i) EXPECT_FLOAT_EQ(pooling.size[i], expected[i]);
  EXPECT_FLOAT_EQ(pooling_of(parts_of({.pool = 3, .pool_from = 1.0 / 6, .pool_to = 3}), 1).size[1], std::sqrt(0.5f));
  EXPECT_EQ(pooling_of({}, 3).sizes, 0);
}

// The layers of an octave, the number of octaves, and the part of an octave that a keypoint's scale is above the first.
class PoolingOf : public testing::TestWithParam<std::tuple<int, int, float>> {};

TEST_P(PoolingOf, AWindowIsOnTheImageNearestInBlur) {
  const auto& [layers, octaves, octave_part] = GetParam();
  const SiftOptions options{.layers = layers, .sigma = 1.3, .pool = 9, .pool_from = 0.125, .pool_to = 8};
  const PoolingRecord pooling = pooling_of(parts_of(options), octaves);
  const float scale = 1.3f * std::exp2(octave_part);
  const double most = 1.3 * std::exp2(octaves + 0.5 / layers);
  for (int octave = 0; octave < octaves; ++octave) {
    const Oriented keypoint{octave, {1, 50, 40, 0, 0.25f, -0.5f, 0}, scale, 0.3f};
    for (int i = 0; i < pooling.sizes; ++i) {
      const WindowFrame window = window_frame(pooling, keypoint, i);
      const double wanted = std::ldexp(double{scale} * pooling.size[i], octave);
      const NearestImage nearest = nearest_image(options, octaves, wanted);
      if (nearest.margin < 1e-5) continue;  // between two images
      EXPECT_EQ(window.octave, nearest.octave) << wanted;
      EXPECT_EQ(window.layer, nearest.layer) << wanted;
      const double cell = 1 / std::hypot(window.cells11, window.cells12);  // [pixel]: 3σ
      EXPECT_NEAR(std::ldexp(cell / 3, window.octave), std::min(wanted, most), 1e-5 * wanted);
      EXPECT_NEAR(static_cast<float>(window.row) + window.y, std::ldexp(50.25, octave - window.octave), 1e-4);
      EXPECT_NEAR(static_cast<float>(window.column) + window.x, std::ldexp(39.5, octave - window.octave), 1e-4);
      EXPECT_LE(std::abs(window.x), 0.5f);
      EXPECT_LE(std::abs(window.y), 0.5f);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scales, PoolingOf,
                         testing::Combine(testing::Values(1, 3, 8), testing::Values(1, 2, 5),
                                          testing::Values(0.1f, 0.37f, 0.5f, 0.94f)));

// The extrema of an image, with one orientation each.
std::vector<Oriented> oriented_of(SiftEngine& engine, const Image& image, const SiftOptions& options) {
  std::vector<Oriented> points;
  const auto found = engine.detect(image.view());
  for (std::size_t o = 0; o < found.size(); ++o) {
    for (const Extremum& e : found[o])
      points.push_back({static_cast<int>(o), e, scale_of(e, scale_space_of(options)), 0});
  }
  const std::vector<Orientations> orientations = engine.orient(points);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].turns = orientations[i].turns[0];
  return points;
}

TEST(Pooling, TheDescriptorIsTheMeanOfTheDescriptorsOfItsSizes) {
  const Image image = many_blobs(150);
  for (const DescriptorKind kind : {DescriptorKind::sift, DescriptorKind::rootsift}) {
    const SiftOptions options{.descriptor = kind, .pool = 4, .pool_from = 0.3, .pool_to = 2.9};
    const auto engine = make_engine(options, {.name = "reference"});
    const std::vector<Oriented> points = oriented_of(*engine, image, options);
    ASSERT_GT(points.size(), 50u);
    std::vector<std::uint8_t> bytes(points.size() * descriptor_length);
    engine->describe(points, bytes.data());
    const PoolingRecord pooling = pooling_of(parts_of(options), octaves_of(scale_space_of(options))(150, 150));
    for (std::size_t n = 0; n < points.size(); ++n) {
      std::vector<double> mean(descriptor_length);
      for (int i = 0; i < pooling.sizes; ++i) {
        const WindowFrame window = window_frame(pooling, points[n], i);
        std::uint8_t one[descriptor_length];
        reference::finish_descriptor(
            reference::descriptor_histogram(engine->level(window.octave, window.layer), window), DescriptorKind::sift,
            one);
        for (std::size_t k = 0; k < descriptor_length; ++k) mean[k] += one[k] / 4.0;
      }
      double squares = 0, sum = 0;
      for (const double m : mean) squares += m * m;
      for (double& m : mean) m = std::min(255.0, std::nearbyint(512 * m / std::sqrt(squares)));
      for (const double m : mean) sum += m;
      for (std::size_t k = 0; k < descriptor_length; ++k) {
        const double expected = kind == DescriptorKind::sift ? mean[k] : 512 * std::sqrt(mean[k] / sum);
        EXPECT_NEAR(bytes[n * descriptor_length + k], std::min(255.0, std::nearbyint(expected)), 1);
      }
    }
  }
}

// A window of size 1 is the plain descriptor's, but for the fraction of a pixel of its centre, the rounding of votes,
// and the three quarters of the pixels that are not read. Descriptors are 512 long.
TEST(Pooling, AWindowOfSizeOneIsTheUsualOne) {
  const Image image = many_blobs(150);
  const SiftOptions options{.pool = 2, .pool_from = 1, .pool_to = 1};
  const auto engine = make_engine(options, {.name = "reference"});
  const PoolingRecord pooling = pooling_of(parts_of(options), octaves_of(scale_space_of(options))(150, 150));
  int compared = 0;
  for (Oriented o : oriented_of(*engine, image, options)) {
    o.extremum.column_offset = o.extremum.row_offset = 0;
    const WindowFrame window = window_frame(pooling, o, 0);
    if (window.layer != o.extremum.layer || window.octave != o.octave) continue;  // the offset in scale was large
    const Plane& level = engine->level(o.octave, o.extremum.layer);
    std::uint8_t usual[descriptor_length], of_window[descriptor_length];
    reference::finish_descriptor(reference::descriptor_histogram(level, o), DescriptorKind::sift, usual);
    reference::finish_descriptor(reference::descriptor_histogram(level, window), DescriptorKind::sift, of_window);
    double squares = 0;
    for (std::size_t k = 0; k < descriptor_length; ++k) squares += std::pow(of_window[k] - usual[k], 2);
    EXPECT_LT(std::sqrt(squares), 0.1 * 512);
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

// Pooling is for points whose size is found wrongly in one of two views.
TEST(Pooling, ADescriptorDependsLessOnTheSizeOfItsPoint) {
  const Image image = many_blobs(150);
  double distance[2] = {};
  for (const int pool : {0, 5}) {
    const SiftOptions options{.pool = pool};
    const auto engine = make_engine(options, {.name = "reference"});
    std::vector<Oriented> points = oriented_of(*engine, image, options);
    std::vector<std::uint8_t> bytes(points.size() * descriptor_length), larger(bytes.size());
    engine->describe(points, bytes.data());
    for (Oriented& o : points) o.scale *= 1.3f;
    engine->describe(points, larger.data());
    double squares = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) squares += std::pow(bytes[i] - larger[i], 2);
    distance[pool > 0] = std::sqrt(squares);
  }
  EXPECT_LT(distance[1], 0.8 * distance[0]);
}

// An image of a Gaussian blob with axes `a` and `b` [pixel] (deviations), the first at an angle [radian].
Image stretched_blob(int n, double a, double b, double angle) {
  Image image(n, n, 1, PixelType::f32);
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const double dx = x - n / 2, dy = y - n / 2, c = std::cos(angle), s = std::sin(angle);
      const double u = (c * dx + s * dy) / a, v = (c * dy - s * dx) / b;
      reinterpret_cast<float*>(image.row(y))[x] = static_cast<float>(0.3 + 0.5 * std::exp(-(u * u + v * v) / 2));
    }
  }
  return image;
}

const Keypoint& strongest_of(const Features& found) {
  return *std::max_element(found.keypoints.begin(), found.keypoints.end(),
                           [](const Keypoint& a, const Keypoint& b) { return a.response < b.response; });
}

// A stretched Gaussian blob gives an ellipse along it. Its gradients are blurred by σ/2, which adds (σ/2)² to the
// squares of both axes.
TEST(Affine, AStretchedBlobGivesItsEllipse) {
  for (const double ratio : {1.0, 1.5, 2.0}) {
    for (const double angle : {0.0, 0.4, 1.2, 2.5}) {
      const double a = 6 * std::sqrt(ratio), b = 6 / std::sqrt(ratio);
      const Features found =
          Extractor({.affine = true}, {.name = "reference"}).extract(stretched_blob(121, a, b, angle).view());
      ASSERT_GE(found.size(), 1u);
      const Keypoint& k = strongest_of(found);
      EXPECT_NEAR(k.x, 60, 0.3);
      EXPECT_NEAR(k.y, 60, 0.3);
      EXPECT_NEAR(double{k.a11} * k.a22 - double{k.a12} * k.a21, double{k.scale} * k.scale, 1e-3 * k.scale * k.scale);
      EXPECT_NEAR(std::remainder(std::atan2(k.a21, k.a11) - k.orientation, 2 * std::numbers::pi), 0, 1e-5);
      // A·Aᵀ has the squares of the axes as eigenvalues, and their directions.
      const double xx = double{k.a11} * k.a11 + double{k.a12} * k.a12,
                   yy = double{k.a21} * k.a21 + double{k.a22} * k.a22;
      const double xy = double{k.a11} * k.a21 + double{k.a12} * k.a22, root = std::hypot((xx - yy) / 2, xy);
      const double longer = (xx + yy) / 2 + root, shorter = (xx + yy) / 2 - root;
      const double blur = double{k.scale} * k.scale;
      const double expected = std::sqrt((a * a + blur) / (b * b + blur));
      EXPECT_NEAR(std::sqrt(longer / shorter), expected, 0.08 * expected) << "ratio " << ratio << ", angle " << angle;
      if (ratio == 1) continue;
      const double direction = std::atan2(2 * xy, xx - yy) / 2;
      EXPECT_NEAR(std::remainder(direction - angle, std::numbers::pi), 0, 0.05) << "ratio " << ratio;
    }
  }
}

// An edge has no shape: its points keep the circle, whose matrix is that of scale and orientation.
TEST(Affine, MomentsWithoutAShapeAreRefused) {
  EXPECT_EQ(shape_of({0, 0, 0}).xx, 0);
  EXPECT_EQ(shape_of({1000000, 0, 0}).xx, 0);
  EXPECT_EQ(shape_of({1000000, 0, 1000000 / 17}).xx, 0);  // axes of ratio √17
  const Shape shape = shape_of({4000000, 0, 1000000});
  EXPECT_FLOAT_EQ(shape.xx, std::sqrt(0.5f));
  EXPECT_FLOAT_EQ(shape.xy, 0);
  EXPECT_FLOAT_EQ(shape.yy, std::sqrt(2.0f));
  int steps = 0;
  const Shape circle = affine_shape([&](const Shape&) { return ++steps < 3 ? Moments{2, 0, 1} : Moments{1, 1, 1}; });
  EXPECT_EQ(steps, 3);
  EXPECT_EQ(circle.xx, 1);
  EXPECT_EQ(circle.xy, 0);
  EXPECT_EQ(circle.yy, 1);
}

// The shape makes the moments isotropic: S·Sᵀ is a multiple of μ⁻¹.
TEST(Affine, TheShapeIsTheInverseRootOfTheMoments) {
  const Moments m{5000000, 1200000, 3000000};
  const Shape s = shape_of(m);
  const double xx = static_cast<double>(m.xx), xy = static_cast<double>(m.xy), yy = static_cast<double>(m.yy);
  const double across = s.xx * xx, down_x = s.xy * xx + s.yy * xy;
  const double same = s.xx * across, mixed = s.xx * down_x;
  const double other = s.xy * down_x + s.yy * (s.xy * xy + s.yy * yy);
  EXPECT_NEAR(other / same, 1, 1e-5);
  EXPECT_NEAR(mixed / same, 0, 1e-5);
  EXPECT_NEAR(s.xx * s.yy, 1, 1e-6);
}

// An image stretched by 1.5 along x has keypoints at the stretched places, and their descriptors are more alike with
// ellipses than with circles.
TEST(Affine, DescriptorsFollowAStretchedImage) {
  const int n = 181;
  const Image image = many_blobs(n);
  Image stretched(n * 3 / 2, n, 1, PixelType::u8);
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n * 3 / 2; ++x) {
      const double at = x / 1.5;
      const int left = std::min(static_cast<int>(at), n - 2);
      const double part = at - left;
      const double grey =
          (1 - part) * std::to_integer<int>(image.row(y)[left]) + part * std::to_integer<int>(image.row(y)[left + 1]);
      stretched.row(y)[x] = std::byte(static_cast<int>(std::lround(grey)));
    }
  }
  double distance[2] = {};
  for (const bool affine : {false, true}) {
    Extractor reference({.affine = affine}, {.name = "reference"});
    const Features before = reference.extract(image.view()), after = reference.extract(stretched.view());
    std::vector<double> nearest;
    for (std::size_t i = 0; i < before.size(); ++i) {
      double best = 1e9;
      for (std::size_t j = 0; j < after.size(); ++j) {
        const Keypoint &a = before.keypoints[i], &b = after.keypoints[j];
        if (std::hypot(1.5 * a.x - b.x, a.y - b.y) > 2) continue;
        double squares = 0;
        for (std::size_t d = 0; d < descriptor_length; ++d) {
          squares += std::pow(before.descriptor(i)[d] - after.descriptor(j)[d], 2);
        }
        best = std::min(best, std::sqrt(squares));
      }
      if (best < 1e9) nearest.push_back(best);
    }
    ASSERT_GT(nearest.size(), 20u);
    std::sort(nearest.begin(), nearest.end());
    distance[affine] = nearest[nearest.size() / 2];
  }
  EXPECT_LT(distance[1], 0.95 * distance[0]);
}

}  // namespace
}  // namespace octavo
