// Descriptions of given keypoints: an extraction's keypoints give its bytes again, and every device gives the bytes of
// the reference.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

#include "engine/selftest/images.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

// The CPU, by its best instruction set, and the GPUs.
std::vector<std::string> devices() {
  std::vector<std::string> names = gpu_names();
  names.insert(names.begin(), "cpu");
  return names;
}

// Expects that an extractor gives its own features again from their keypoints.
void expect_same_again(Extractor& extractor, const ImageView& image, const std::string& what) {
  const Features features = extractor.extract(image);
  ASSERT_GT(features.size(), 0u) << what;
  const Description again = extractor.describe(image, features.keypoints);
  ASSERT_TRUE(again.left_out.empty()) << what << ": " << sentence_of(again.left_out.front().reason);
  ASSERT_EQ(again.features.keypoints, features.keypoints) << what;
  ASSERT_EQ(again.features.descriptors, features.descriptors) << what;
  for (std::size_t i = 0; i < features.size(); ++i) ASSERT_EQ(again.inputs[i], i);
}

TEST(Describe, KeypointsOfAnExtractionGiveItsBytes) {
  const Image image = images::blobs(141, 120, PixelType::u8, 3);
  std::vector<std::pair<std::string, SiftOptions>> variants{
      {"usual", {}},
      {"not doubled", {.first_octave = 0}},
      {"two octaves", {.max_octaves = 2}},
      {"eight layers", {.layers = 8}},
      {"one layer, sigma 4", {.layers = 1, .sigma = 4, .contrast_threshold = 0.01}},
      {"no thresholds", {.contrast_threshold = 0, .edge_threshold = 0}},
      {"RootSIFT", {.descriptor = DescriptorKind::rootsift}},
      {"pooled", {.pool = 3}},
      {"upright", {.upright = true}},
      {"one orientation", {.max_orientations = 1}},
      {"30 in a grid", {.max_features = 30, .grid = 3}},
      {"trilateral", {.contrast_threshold = 0, .edge_threshold = 0, .smoothing = Smoothing::trilateral}},
  };
  for (const std::string& name : preset_names()) {
    // Ellipses are reported rounded, so their descriptors need not come back. Those of views are too long for an image.
    const SiftOptions options = preset(name);
    if (finds_keypoints(options) && !options.affine && options.views == Views::none)
      variants.emplace_back(name, preset(name));
  }
  for (const auto& [name, options] : variants) {
    for (const std::string& device : devices()) {
      Extractor extractor(options, {.name = device});
      expect_same_again(extractor, image.view(), name + ", " + device);
    }
  }
  Extractor reference({}, {.name = "reference"});
  expect_same_again(reference, image.view(), "reference");
}

TEST(Describe, CornersGiveTheirBytes) {
  const Image image = images::checkerboard(120, 90, 11);
  for (const FoagddOptions& options :
       {FoagddOptions{.describe = true}, FoagddOptions{.describe = true, .descriptor_scale = 5, .upright = true}}) {
    for (const std::string& device : devices()) {
      Foagdd extractor(options, {.name = device});
      expect_same_again(extractor, image.view(), device);
    }
  }
  // Also if the detector does not describe its corners itself.
  const Features described = Foagdd({.describe = true, .upright = true}).extract(image.view());
  Foagdd undescribed({.upright = true});
  EXPECT_EQ(undescribed.describe(image.view(), described.keypoints).features, described);
}

// Coordinates and angles of many keypoints, of which some are rounded to a place between two pixels.
TEST(Describe, ManyKeypointsOfAWideImage) {
  const Image image = images::noise(4000, 260);
  for (const std::string& device : devices()) {
    Extractor extractor({.contrast_threshold = 0, .edge_threshold = 0}, {.name = device});
    ASSERT_GT(extractor.extract(image.view()).size(), 2500u);
    expect_same_again(extractor, image.view(), device);
  }
}

// Keypoints that no extraction finds, at the edges and outside, of all scales and angles, twice, in no order.
std::vector<Keypoint> contentious_keypoints(int width, int height, std::size_t count) {
  std::vector<Keypoint> keypoints;
  std::uint32_t seed = 7;
  const auto next = [&](double range) {
    return static_cast<float>(range * ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216);
  };
  while (keypoints.size() < count) {
    Keypoint k{
        .x = next(width + 4) - 2, .y = next(height + 4) - 2, .scale = std::exp2(next(8) - 1), .response = next(1)};
    k.orientation = next(20) - 10;
    if (keypoints.size() % 3 == 0) k.x = std::floor(k.x) + 0.5f;
    if (keypoints.size() % 5 == 0) k.y = std::floor(k.y);
    if (keypoints.size() % 7 == 0) k.x = k.y = 0;
    if (keypoints.size() % 11 == 0) k.orientation = 0;
    if (keypoints.size() % 31 == 0) k.scale = std::numeric_limits<float>::quiet_NaN();
    keypoints.push_back(k);
    if (keypoints.size() % 13 == 0) {  // the same place twice, of two scales
      k.scale *= 1.05f;
      keypoints.push_back(k);
      keypoints.push_back(k);
    }
  }
  return keypoints;
}

void expect_same_everywhere(const ImageView& image, std::span<const Keypoint> keypoints, const SiftOptions& options,
                            const std::string& what, std::initializer_list<int> threads = {7}) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  for (const OrientationFrom from : {OrientationFrom::keypoint, OrientationFrom::image}) {
    const Description expected = Extractor(options, {.name = "reference"}).describe(image, keypoints, from);
    for (const auto& [name, device] : contenders(threads)) {
      Extractor extractor(options, device);
      ASSERT_TRUE(extractor.describe(image, keypoints, from) == expected) << what << ", " << name;
      if (device.name == "cpu") continue;
      ASSERT_TRUE(extractor.describe(image, keypoints, from) == expected) << what << ", " << name << ", again";
    }
  }
}

TEST(Describe, Sizes) {
  for (const int size : {1, 2, 3, 5, 6, 7, 11, 12, 15, 16, 17, 31, 33, 63, 65, 127, 257}) {
    expect_same_everywhere(images::blobs(size, 61).view(), contentious_keypoints(size, 61, 60), {},
                           std::to_string(size) + "×61");
    expect_same_everywhere(images::noise(40, size).view(), contentious_keypoints(40, size, 60), {.first_octave = 0},
                           "40×" + std::to_string(size));
  }
}

TEST(Describe, Options) {
  const Image image = images::blobs(121, 90, PixelType::u8, 3), flat = images::checkerboard(121, 90, 500);
  const std::vector<Keypoint> keypoints = contentious_keypoints(121, 90, 150);
  const std::pair<const char*, SiftOptions> variants[] = {
      {"not doubled", {.first_octave = 0}},
      {"two octaves", {.max_octaves = 2}},
      {"one layer, sigma 4", {.layers = 1, .sigma = 4}},
      {"eight layers, sigma 0.8", {.layers = 8, .sigma = 0.8, .assumed_blur = 0.3}},
      {"upright", {.upright = true}},
      {"one orientation", {.max_orientations = 1}},
      {"RootSIFT", {.descriptor = DescriptorKind::rootsift}},
      {"pooled ellipses", {.affine = true, .pool = 3}},
      {"a budget of 3", {.max_features = 3, .grid = 2}},
  };
  const Image small = images::blobs(61, 40);
  const std::vector<Keypoint> few = contentious_keypoints(61, 40, 100);
  expect_same_everywhere(small.view(), few, {.smoothing = Smoothing::trilateral}, "trilateral", {7});
  for (const auto& [name, options] : variants) expect_same_everywhere(image.view(), keypoints, options, name, {7});
  expect_same_everywhere(flat.view(), keypoints, {.descriptor = DescriptorKind::rootsift}, "flat", {7});
}

// A keypoint with an ellipse of the area σ²·π, `ratio` times as long as wide, whose long axis has this direction.
Keypoint elongated(float x, float y, double sigma, double ratio, double direction) {
  const double along = sigma * std::sqrt(ratio), across = sigma / std::sqrt(ratio);
  const double c = std::cos(direction), s = std::sin(direction);
  return {.x = x,
          .y = y,
          .scale = static_cast<float>(sigma),
          .a11 = static_cast<float>(along * c),
          .a12 = static_cast<float>(-across * s),
          .a21 = static_cast<float>(along * s),
          .a22 = static_cast<float>(across * c)};
}

// With σ0 = 4 and one layer the windows are the largest that there are; those of the longest ellipses are higher than
// the image.
TEST(Describe, EllipsesOfTheCaller) {
  const SiftOptions options{.first_octave = 0, .max_octaves = 1, .layers = 1, .sigma = 4, .affine = true};
  const Image image = images::blobs(211, 520);
  const double largest = 4 * std::exp2(1.5);
  std::vector<Keypoint> keypoints;
  for (const double ratio : {1.0, 1.5, 3.0, 3.999, 4.0}) {
    for (int turn = 0; turn < 24; ++turn) {
      keypoints.push_back(elongated(100.25f, 260, largest, ratio, 2 * std::numbers::pi * turn / 24));
    }
  }
  expect_same_everywhere(image.view(), keypoints, options, "ellipses");
  const Description found = Extractor(options).describe(image.view(), keypoints);
  EXPECT_EQ(found.features.size(), keypoints.size());
}

TEST(Describe, EllipsesThatNoExtractionFinds) {
  const SiftOptions options{.affine = true};
  const Image image = images::blobs(211, 180);
  std::vector<Keypoint> keypoints;
  for (const double ratio : {4.01, 10.0, 1e6, 1e30}) keypoints.push_back(elongated(100, 90, 4, ratio, 1));
  std::vector<LeftOut> expected;
  for (std::size_t i = 0; i < keypoints.size(); ++i) expected.push_back({i, NotDescribed::shape_too_long});
  EXPECT_EQ(Extractor(options).describe(image.view(), keypoints).left_out, expected);

  const Keypoint circle{.x = 100, .y = 90, .scale = 4};
  const Features round = Extractor(options).describe(image.view(), {&circle, 1}).features;
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0.0f}) {
    Keypoint k = elongated(100, 90, 4, 2, 0);
    k.a11 = bad;
    EXPECT_EQ(Extractor(options).describe(image.view(), {&k, 1}).features.descriptors, round.descriptors) << bad;
  }
}

TEST(Describe, TenRunsOfContentionAreOne) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  const Image image = images::noise(97, 80);
  const std::vector<Keypoint> keypoints = contentious_keypoints(97, 80, 500);
  for (const Contender& c : contenders({7})) {
    Extractor extractor({}, c.device);
    const Description first = extractor.describe(image.view(), keypoints, OrientationFrom::image);
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(extractor.describe(image.view(), keypoints, OrientationFrom::image) == first) << c.name;
    }
  }
}

// One portion of keypoints is 65536.
TEST(Describe, MoreKeypointsThanOnePortion) {
  const Image image = images::blobs(80, 70);
  const std::vector<Keypoint> few = contentious_keypoints(80, 70, 700);
  std::vector<Keypoint> many;
  while (many.size() < 140'000) many.insert(many.end(), few.begin(), few.end());
  for (const std::string& device : devices()) {
    Extractor extractor({}, {.name = device});
    const Description once = extractor.describe(image.view(), few, OrientationFrom::image);
    const Description all = extractor.describe(image.view(), many, OrientationFrom::image);
    const std::size_t times = many.size() / few.size();
    ASSERT_EQ(all.features.size(), once.features.size() * times);
    ASSERT_EQ(all.left_out.size(), once.left_out.size() * times);
    for (std::size_t i = 0; i < all.features.size(); ++i) {
      const std::size_t same = i % once.features.size();
      ASSERT_EQ(all.inputs[i], once.inputs[same] + i / once.features.size() * few.size()) << device;
      ASSERT_EQ(all.features.keypoints[i], once.features.keypoints[same]) << device;
      ASSERT_TRUE(std::ranges::equal(all.features.descriptor(i), once.features.descriptor(same))) << device;
    }
  }
}

TEST(Describe, OrientationsOfTheImageAreThoseOfTheExtraction) {
  const Image image = images::blobs(161, 140);
  Extractor extractor({.max_orientations = 4});
  const Features features = extractor.extract(image.view());
  std::vector<Keypoint> points;  // each once
  for (const Keypoint& k : features.keypoints) {
    if (!points.empty() && points.back().x == k.x && points.back().y == k.y && points.back().scale == k.scale) continue;
    points.push_back(k);
    points.back().orientation = std::numeric_limits<float>::quiet_NaN();
  }
  ASSERT_LT(points.size(), features.size());
  const Description described = extractor.describe(image.view(), points, OrientationFrom::image);
  EXPECT_EQ(described.features, features);
  for (std::size_t i = 0; i < described.inputs.size(); ++i) {
    EXPECT_EQ(points[described.inputs[i]].x, described.features.keypoints[i].x);
  }
}

TEST(Describe, OrderStaysAndWhatIsLeftOutIsNamed) {
  const Image image = images::blobs(64, 64);
  const Keypoint good{.x = 30, .y = 20, .scale = 2, .orientation = 1, .response = 0.5f};
  std::vector<Keypoint> keypoints(5, good);
  keypoints[1].x = 64;
  keypoints[2].scale = 0.1f;
  keypoints[3].y = std::numeric_limits<float>::quiet_NaN();
  keypoints[4].y = 10;
  Extractor extractor({.layers = 3, .sigma = 1.6});
  const Description found = extractor.describe(image.view(), keypoints);
  EXPECT_EQ(found.inputs, (std::vector<std::size_t>{0, 4}));
  EXPECT_EQ(found.left_out,
            (std::vector<LeftOut>{
                {1, NotDescribed::outside}, {2, NotDescribed::scale_too_small}, {3, NotDescribed::not_finite}}));
  EXPECT_EQ(found.features.keypoints[1].y, 10);
  EXPECT_EQ(found.features.keypoints[0].response, 0.5f);
  EXPECT_EQ(found.features.keypoints[0].octave, 0);
  EXPECT_EQ(found.features.keypoints[0].layer, 1);
  EXPECT_EQ(extractor.describe(image.view(), {}), Description{});
  // A flat image has no orientation, and descriptors of zeros.
  const Image flat = images::checkerboard(64, 64, 500);
  EXPECT_EQ(extractor.describe(flat.view(), {&good, 1}, OrientationFrom::image).left_out,
            (std::vector<LeftOut>{{0, NotDescribed::no_orientation}}));
  EXPECT_EQ(extractor.describe(flat.view(), {&good, 1}).features.descriptors, std::vector<std::uint8_t>(128, 0));
}

TEST(Describe, ImagesInFlightAreNotDisturbed) {
  const Image first = images::blobs(90, 80), second = images::blobs(70, 100);
  const std::vector<Keypoint> keypoints = contentious_keypoints(70, 100, 100);
  Extractor cpu({}, {.name = "cpu"});
  const Features expected = cpu.extract(first.view());
  const Description described = cpu.describe(second.view(), keypoints);
  for (const std::string& name : gpu_names()) {
    Extractor extractor({}, {.name = name});
    for (int i = 0; i < 10; ++i) {
      const Ticket ticket = extractor.submit(first.view());
      ASSERT_TRUE(extractor.describe(second.view(), keypoints) == described) << name;
      ASSERT_TRUE(extractor.collect(ticket) == expected) << name;
    }
  }
}

TEST(Describe, RefusesImagesThatItCannotUseAndStaysUsable) {
  Extractor extractor;
  const Image image = images::blobs(64, 64);
  const Keypoint k{.x = 30, .y = 20, .scale = 2};
  ImageView view = image.view();
  view.channels = 5;
  EXPECT_THROW(extractor.describe(view, {&k, 1}), Error);
  EXPECT_THROW(static_cast<void>(extractor.estimate_description(view, 1)), Error);
  EXPECT_EQ(extractor.describe(image.view(), {&k, 1}).features.size(), 1u);
}

TEST(Describe, MemoryThatCannotBeHadIsAnErrorAndTheExtractorStaysUsable) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image large = images::noise(2000, 1000), small = images::blobs(90, 80);
  const Keypoint k{.x = 30, .y = 20, .scale = 2};
  const Description expected = Extractor({}, {.name = "cpu"}).describe(small.view(), {&k, 1});
  for (const std::string& name : gpus) {
    Extractor extractor({}, {.name = name, .gpu_memory = std::size_t{150} << 20});
    EXPECT_FALSE(extractor.estimate_description(large.view(), 1).fits());
    try {
      extractor.describe(large.view(), {&k, 1});
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
      EXPECT_NE(std::string(e.what()).find("an image of 2000×1000 pixels takes at least"), std::string::npos)
          << e.what();
    }
    EXPECT_TRUE(extractor.describe(small.view(), {&k, 1}) == expected) << name;
  }
}

// The buffers of an extraction give way to those of a description.
TEST(Describe, TakesTheMemoryOfEarlierExtractions) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image image = images::blobs(400, 300);
  const Keypoint k{.x = 30, .y = 20, .scale = 2};
  const Description expected = Extractor({}, {.name = "cpu"}).describe(image.view(), {&k, 1});
  for (const std::string& name : gpus) {
    Extractor extractor({}, {.name = name, .gpu_memory = std::size_t{25} << 20});
    const Features features = extractor.extract(image.view());
    EXPECT_TRUE(extractor.describe(image.view(), {&k, 1}) == expected) << name;
    EXPECT_TRUE(extractor.extract(image.view()) == features) << name;
  }
}

}  // namespace
}  // namespace octavo
