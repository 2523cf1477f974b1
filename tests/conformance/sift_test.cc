// SIFT on the CPU and on GPUs equals the reference, byte by byte. The input of each stage is the reference's result of
// the stage before, so that a failure names its stage. Whole extractions follow, with every option, instruction set and
// number of threads.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <initializer_list>
#include <set>
#include <tuple>

#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/extract/selection.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/selftest/images.h"
#include "engine/sift/engine.h"
#include "engine/sift/extrema.h"
#include "engine/sift/extrema_cpu.h"
#include "engine/sift/keypoint.h"
#include "engine/sift/stages_reference.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/sift_options.h"
#include "tests/conformance/contenders.h"
#include "tests/conformance/contentious_images.h"
#include "tests/conformance/isas.h"
#include "tests/conformance/same_levels.h"

namespace octavo {
namespace {

/// The extrema of an octave in tiles. The rows come in two parts. With `top` the last image is not given, but blurred
/// around candidates.
std::vector<Extremum> extrema_in_tiles(const std::vector<Plane>& levels, const ExtremumLimits& limits, const Taps* top,
                                       const Isa& isa, int tile_width) {
  const Size size{levels[0].width(), levels[0].height()};
  std::vector<LevelRows> rows;
  for (const Plane& p : levels) rows.push_back({p.row(0), p.stride(), p.height()});
  if (top) rows.pop_back();
  std::vector<Extremum> found;
  ExtremaCpu cpu(isa);
  for (int x = 0; x < size.width; x += tile_width) {
    cpu.begin(limits, size, {x, std::min(x + tile_width, size.width), 0, size.height}, top, &found);
    cpu.rows_ready(rows, 0, size.height / 3);
    cpu.rows_ready(rows, size.height / 3, size.height);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// The number of an image, and whether every extremum is kept.
class ExtremaOf : public testing::TestWithParam<std::tuple<std::size_t, bool>> {};

TEST_P(ExtremaOf, TheReferencesLevels) {
  const auto [number, every] = GetParam();
  const std::vector<TestImage> all = contentious_images();
  const Image& image = all[number].image;
  const SiftOptions options =
      every ? SiftOptions{.layers = 2, .contrast_threshold = 0, .edge_threshold = 0} : SiftOptions{};
  const ScaleSpacePlan plan = plan_scale_space(image.width(), image.height(), scale_space_of(options));
  const ExtremumLimits limits = parts_of(options).limits;
  for (const std::vector<Plane>& levels : reference::scale_space(image.view(), options.luma, plan)) {
    const std::vector<Extremum> expected = reference::extrema(levels, limits);
    for (const Isa& isa : isas_to_compare()) {
      for (const int tile_width : {48, 4096}) {
        const std::string what = isa.name + ", tiles of " + std::to_string(tile_width);
        ASSERT_EQ(extrema_in_tiles(levels, limits, nullptr, isa, tile_width), expected) << what;
        ASSERT_EQ(extrema_in_tiles(levels, limits, &plan.step.back(), isa, tile_width), expected)
            << what << ", blurred";
      }
    }
  }
}

std::string words_of(const testing::TestParamInfo<ExtremaOf::ParamType>& one) {
  const auto [number, every] = one.param;
  return contentious_images()[number].name + (every ? "_every_extremum" : "_usual");
}

INSTANTIATE_TEST_SUITE_P(Each, ExtremaOf, testing::Combine(testing::Values(0, 1, 2), testing::Bool()), words_of);

// The input of each stage on a GPU is the reference's result of the stage before. The pyramid is the GPU's own, which
// equals the reference's by the comparison of levels.
TEST(SiftConformance, StagesOfGpus) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  for (const std::string& name : gpus) {
    for (const SiftOptions& options :
         {SiftOptions{}, SiftOptions{.first_octave = 0, .descriptor = DescriptorKind::rootsift},
          SiftOptions{.layers = 1, .sigma = 4, .contrast_threshold = 0.001, .max_features = 5},
          SiftOptions{.orientation = OrientationMethod::lowe, .max_orientations = 4, .pool = 0},
          SiftOptions{.pool = 4, .pool_from = 0.25, .pool_to = 3}, SiftOptions{.affine = true}}) {
      const auto gpu = make_engine(options, {.name = name}), reference = make_engine(options, {.name = "reference"});
      for (const auto& [title, image] : contentious_images()) {
        const std::string what = title + ", " + name;
        const auto expected = reference->detect(image.view()), found = gpu->detect(image.view());
        ASSERT_NO_FATAL_FAILURE(expect_same_levels(*gpu, *reference, expected.size(), options.layers + 3, what));
        std::vector<Oriented> points;
        for (std::size_t o = 0; o < expected.size(); ++o) {
          for (const Extremum& e : expected[o])
            points.push_back({static_cast<int>(o), e, scale_of(e, scale_space_of(options)), 0});
        }
        ASSERT_EQ(found, expected) << what;
        if (options.affine) {
          std::vector<Oriented> fitted = points;
          gpu->fit_shapes(fitted);
          reference->fit_shapes(points);
          for (std::size_t i = 0; i < points.size(); ++i) {
            const Shape &a = fitted[i].shape, &b = points[i].shape;
            ASSERT_EQ(std::tie(a.xx, a.xy, a.yy), std::tie(b.xx, b.xy, b.yy)) << what << ", extremum " << i;
          }
        }
        const auto turns = reference->orient(points), gpu_turns = gpu->orient(points);
        std::vector<Oriented> oriented;
        for (std::size_t i = 0; i < points.size(); ++i) {
          ASSERT_EQ(gpu_turns[i].count, turns[i].count) << what << ", extremum " << i;
          ASSERT_EQ(gpu_turns[i].turns, turns[i].turns) << what << ", extremum " << i;
          oriented.push_back(points[i]);
          oriented.back().turns = turns[i].turns[0];
        }
        std::vector<std::uint8_t> bytes(oriented.size() * descriptor_length), gpu_bytes(bytes.size());
        reference->describe(oriented, bytes.data());
        gpu->describe(oriented, gpu_bytes.data());
        ASSERT_EQ(gpu_bytes, bytes) << what;
      }
    }
  }
}

TEST(SiftConformance, FullListsGrow) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  SiftOptions options{.contrast_threshold = 0, .edge_threshold = 0};
  const Image image = images::checkerboard(300, 200, 4);
  // There are more keypoints than the lists can hold at first.
  ASSERT_GT(Extractor(options, {.name = "cpu"}).extract(image.view()).size(), 800u);
  for (const int budget : {0, 700, 1000}) {
    for (const int grid : {1, 3}) {
      options.max_features = budget;
      options.grid = grid;
      const Features expected = Extractor(options, {.name = "cpu"}).extract(image.view());
      for (const std::string& name : gpus) {
        EXPECT_TRUE(Extractor(options, {.name = name}).extract(image.view()) == expected) << name << ", " << budget;
      }
    }
  }
}

// A target gives exactly that many keypoints where the threshold of the options finds fewer, the strongest of all.
TEST(SiftConformance, ATargetGivesItsNumberOfKeypoints) {
  const Image image = images::blobs(160, 120);
  const std::size_t usual = Extractor({.contrast_threshold = 0.04}, {.name = "cpu"}).extract(image.view()).size();
  ASSERT_GT(usual, 5u);
  const int target = static_cast<int>(usual) + 10;
  const Features expected =
      Extractor({.contrast_threshold = 0, .max_features = target, .rank = Rank::response}, {.name = "reference"})
          .extract(image.view());
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(target));
  for (const Contender& c : contenders({1, 2})) {
    const SiftOptions options{.contrast_threshold = 0.2, .target_features = target, .max_features = 3};
    EXPECT_TRUE(Extractor(options, c.device).extract(image.view()) == expected) << c.name;
  }
}

// The best points, which an upright extraction has one by one, each with all the keypoints that it has without a
// budget.
TEST(SiftConformance, ABudgetOfPointsKeepsAllTheirOrientations) {
  const Image image = images::noise(240, 200), mask = images::blobs(240, 200);
  for (SiftOptions options :
       {SiftOptions{.max_orientations = 4}, SiftOptions{.max_orientations = 4, .rank = Rank::scale, .grid = 3},
        SiftOptions{.max_orientations = 4, .affine = true}}) {
    const auto found = [&](const SiftOptions& with) {
      return Extractor(with, {.name = "reference"}).extract(image.view(), &mask.view());
    };
    SiftOptions all = options, upright = options;
    all.max_features = 0;
    upright.max_features = 40;
    upright.upright = true;
    options.max_points = 40;
    options.max_features = 3;
    std::set<std::tuple<int, int, float, float>> best;
    for (const Keypoint& k : found(upright).keypoints) best.emplace(k.octave, k.layer, k.x, k.y);
    std::vector<Keypoint> expected = found(all).keypoints;
    std::erase_if(expected, [&](const Keypoint& k) { return !best.contains({k.octave, k.layer, k.x, k.y}); });
    ASSERT_GT(expected.size(), 45u);
    const Features reference = found(options);
    EXPECT_EQ(reference.keypoints, expected);
    for (const Contender& c : contenders({1, 2})) {
      Extractor extractor(options, c.device);
      EXPECT_TRUE(extractor.extract(image.view(), &mask.view()) == reference) << c.name;
      EXPECT_TRUE(extractor.extract_on_device(image.view(), &mask.view()).download() == reference) << c.name;
    }
  }
}

// Without a budget large octaves are made in parts of their rows. A budget for all of the image needs all of them.
TEST(SiftConformance, PartsGiveWhatTheWholeGives) {
  const Image image = images::noise(6000, 800);  // many points beside the border of the parts
  SiftOptions all = preset("signature");         // windows of other octaves would not go in parts
  all.layers = 2;
  all.contrast_threshold = all.edge_threshold = all.max_features = 0;
  SiftOptions budget = all;
  budget.max_features = 100'000'000;
  for (const int threads : {1, 2}) {
    Extractor in_parts(all, {.name = "cpu", .threads = threads}), whole(budget, {.name = "cpu", .threads = threads});
    const Features found = in_parts.extract(image.view());
    EXPECT_GT(found.size(), 10000u);
    EXPECT_EQ(found, whole.extract(image.view())) << threads << " threads";
  }
}

TEST(SiftConformance, FewerAndMoreFeaturesThanTheImageBefore) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image none = images::checkerboard(160, 120, 500), few = images::blobs(160, 120), many = images::noise(160, 120);
  SiftOptions options = preset("opencv");
  for (const int budget : {0, 300}) {
    options.max_features = budget;
    Extractor cpu(options, {.name = "cpu"});
    EXPECT_EQ(cpu.extract(none.view()).size(), 0u);
    EXPECT_GT(cpu.extract(many.view()).size(), 2 * cpu.extract(few.view()).size());
    for (const std::string& name : gpus) {
      Extractor gpu(options, {.name = name});
      for (const Image* image : {&none, &none, &none, &none, &many, &few, &few, &few, &few, &many, &many, &none}) {
        EXPECT_TRUE(gpu.extract(image->view()) == cpu.extract(image->view())) << name;
      }
    }
  }
}

TEST(SiftConformance, MemoryThatCannotBeHadIsAnErrorAndTheExtractorStaysUsable) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  for (const std::string& name : gpus) {
    Extractor extractor({}, {.name = name, .gpu_memory = std::size_t{64} << 20});
    const Image large = images::noise(2000, 2000), small = images::blobs(90, 80);
    try {
      extractor.extract(large.view());
      ADD_FAILURE() << name;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
      EXPECT_NE(std::string(e.what()).find("free"), std::string::npos) << e.what();
    }
    EXPECT_TRUE(extractor.extract(small.view()) == Extractor({}, {.name = "cpu"}).extract(small.view())) << name;
  }
}

// Holds for every buffer that may be the one that does not fit.
TEST(SiftConformance, AnImageThatNearlyFitsOnAGpuDoesNotStandInTheWayOfTheNext) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image large = images::noise(400, 300), small = images::blobs(90, 80);
  for (const SiftOptions& options : {SiftOptions{}, SiftOptions{.max_features = 10, .grid = 4}}) {
    const Features expected = Extractor(options, {.name = "cpu"}).extract(small.view());
    for (const std::string& name : gpus) {
      int refused = 0;
      for (std::size_t kib = 14 << 10; kib < 20 << 10; kib += 256) {
        Extractor extractor(options, {.name = name, .gpu_memory = kib << 10});
        try {
          extractor.extract(large.view());
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
          ++refused;
        }
        ASSERT_TRUE(extractor.extract(small.view()) == expected) << name << ", " << kib << " KiB";
      }
      EXPECT_GT(refused, 3) << name;
    }
  }
}

// collect() throws the errors that occur after submit(). They do not affect other images.
TEST(SiftConformance, AListThatCannotGrowFailsItsOwnImageAlone) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const SiftOptions options{.contrast_threshold = 0, .edge_threshold = 0};
  const Image dense = images::checkerboard(300, 200, 4), sparse = images::blobs(90, 80);
  const Features expected_dense = Extractor(options, {.name = "cpu"}).extract(dense.view());
  const Features expected_sparse = Extractor(options, {.name = "cpu"}).extract(sparse.view());
  for (const std::string& name : gpus) {
    int refused = 0, found = 0;
    for (std::size_t kib = 8 << 10; kib < 16 << 10; kib += 1 << 10) {
      Extractor extractor(options, {.name = name + "," + name, .gpu_memory = kib << 10});
      try {
        const Ticket before = extractor.submit(sparse.view()), ticket = extractor.submit(dense.view());
        const Ticket after = extractor.submit(sparse.view());
        try {
          EXPECT_TRUE(extractor.collect(ticket) == expected_dense) << name << ", " << kib;
          ++found;
        } catch (const Error& e) {
          EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
          ++refused;
        }
        EXPECT_TRUE(extractor.collect(before) == expected_sparse) << name << ", " << kib;
        EXPECT_TRUE(extractor.collect(after) == expected_sparse) << name << ", " << kib;
      } catch (const Error& e) {  // submit() failed already
        EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
      }
      ASSERT_TRUE(extractor.extract(sparse.view()) == expected_sparse) << name << ", " << kib;
    }
    EXPECT_GT(refused, 0) << name;
    EXPECT_GT(found, 0) << name;
  }
}

// Compares extraction on every device with the reference; the CPU runs with each number of threads in `threads`.
void expect_same_everywhere(const ImageView& image, const SiftOptions& options, const std::string& what,
                            const ImageView* mask = nullptr, std::initializer_list<int> threads = {1, 2, 7}) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  const Features expected = Extractor(options, {.name = "reference"}).extract(image, mask);
  for (const auto& [name, device] : contenders(threads)) {
    Extractor extractor(options, device);
    ASSERT_EQ(extractor.device(), device.name);
    if (device.name == "cpu") {
      ASSERT_EQ(extractor.isa(), device.isa);
      ASSERT_EQ(extractor.threads(), device.threads);
    }
    ASSERT_TRUE(extractor.extract(image, mask) == expected) << what << ", " << name;
    if (device.name == "cpu") continue;
    ASSERT_TRUE(extractor.extract(image, mask) == expected) << what << ", " << name << ", replayed";
  }
}

TEST(SiftConformance, Sizes) {
  for (int size : {1, 2, 3, 5, 6, 7, 11, 12, 15, 16, 17, 31, 33, 63, 65, 127, 257}) {
    expect_same_everywhere(images::blobs(size, 61).view(), {}, std::to_string(size) + "×61");
    expect_same_everywhere(images::noise(40, size).view(), {.first_octave = 0}, "40×" + std::to_string(size));
    expect_same_everywhere(images::blobs(61, size).view(), {.pool = 3, .pool_from = 0.2, .pool_to = 4},
                           "61×" + std::to_string(size) + ", pooled");
    expect_same_everywhere(images::noise(size, 50).view(), {.edge_threshold = 0, .affine = true},
                           std::to_string(size) + "×50, ellipses");
  }
}

TEST(SiftConformance, ManyExtremaOnWideImages) {
  expect_same_everywhere(images::noise(1400, 60).view(), {.contrast_threshold = 0.001}, "wide noise");
  expect_same_everywhere(images::noise(700, 90).view(), {.first_octave = 0, .contrast_threshold = 0}, "700×90");
}

TEST(SiftConformance, Options) {
  const Image image = images::blobs(161, 140, PixelType::u8, 3);
  const std::pair<const char*, SiftOptions> variants[] = {
      {"not doubled", {.first_octave = 0}},
      {"two octaves", {.max_octaves = 2}},
      {"one layer", {.layers = 1}},
      {"eight layers", {.layers = 8}},
      {"sigma 4", {.sigma = 4}},
      {"sigma 0.8", {.sigma = 0.8, .assumed_blur = 0.3}},
      {"no thresholds", {.contrast_threshold = 0, .edge_threshold = 0}},
      {"one orientation", {.max_orientations = 1}},
      {"four orientations", {.max_orientations = 4}},
      {"Lowe's orientations, one window", {.orientation = OrientationMethod::lowe, .max_orientations = 4, .pool = 0}},
      {"Lowe's orientations of ellipses", {.orientation = OrientationMethod::lowe, .affine = true}},
      {"sigma 1.6, windows of every pixel and of every second", {.sigma = 1.6, .pool = 5, .pool_from = 0.125}},
      {"repeated edges", {.border = Border::repeated}},
      {"repeated edges, ellipses", {.layers = 2, .sigma = 1.2, .border = Border::repeated, .affine = true}},
      {"upright", {.upright = true}},
      {"BT.601", {.luma = Luma::bt601}},
      {"RootSIFT", {.descriptor = DescriptorKind::rootsift}},
      {"pooled", {.pool = 5}},
      {"pooled RootSIFT, two octaves", {.max_octaves = 2, .descriptor = DescriptorKind::rootsift, .pool = 2}},
      {"pooled over all sizes", {.layers = 1, .sigma = 4, .pool = 32, .pool_from = 0.125, .pool_to = 8}},
      {"pooled, eight layers", {.first_octave = 0, .layers = 8, .pool = 3, .pool_from = 0.3, .max_features = 40}},
      {"ellipses", {.affine = true}},
      {"upright ellipses", {.affine = true, .upright = true}},
      {"pooled ellipses", {.affine = true, .descriptor = DescriptorKind::rootsift, .pool = 3, .max_features = 60}},
      {"ellipses, one layer", {.layers = 1, .sigma = 4, .contrast_threshold = 0, .edge_threshold = 0, .affine = true}},
      {"50 strongest", {.max_features = 50, .rank = Rank::response}},
      {"50 largest", {.max_features = 50, .rank = Rank::scale}},
      {"50 of the greatest scaled response", {.max_features = 50, .rank = Rank::scaled_response}},
      {"50 in a grid", {.max_features = 50, .grid = 4}},
  };
  for (const auto& [name, options] : variants) expect_same_everywhere(image.view(), options, name, nullptr, {7});
  // The largest windows that there are, in an image that is higher than they are.
  expect_same_everywhere(images::blobs(130, 260).view(),
                         {.layers = 1, .sigma = 4, .contrast_threshold = 0, .edge_threshold = 0, .affine = true},
                         "ellipses, one layer, high", nullptr, {7});
  for (const std::string& name : preset_names()) {
    if (finds_keypoints(preset(name))) expect_same_everywhere(image.view(), preset(name), name, nullptr, {7});
  }
}

TEST(SiftConformance, PixelTypesAndUnalignedRows) {
  for (PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (int channels : {1, 2, 3, 4}) {
      const Image image = images::blobs(93, 71, type, channels);
      Image storage;
      const ImageView view = images::unaligned(image, storage);
      expect_same_everywhere(view, {}, "type " + std::to_string(int(type)) + ", channels " + std::to_string(channels));
      EXPECT_TRUE(Extractor().extract(view) == Extractor().extract(image.view()));
    }
  }
}

// Fassold and Rosner (2015) make grey on the host, so that a third of the bytes is uploaded. The features are those of
// the image in grey, rounded to samples, on every device and by every way in.
TEST(SiftConformance, GreyOnTheHostGivesTheFeaturesOfTheImageInGrey) {
  const SiftOptions on_host{.luma = Luma::bt601, .grey = GreyOn::host, .max_features = 60}, usual{.max_features = 60};
  for (const auto& [type, top] :
       {std::pair(PixelType::u8, 255.0), std::pair(PixelType::u16, 65535.0), std::pair(PixelType::f32, 1.0)}) {
    const Image image = images::blobs(161, 140, type, 3);
    Plane grey;
    reference::grey(image.view(), Luma::bt601, grey, top);
    Image rounded(161, 140, 1, type);
    for (int y = 0; y < 140; ++y) {
      for (int x = 0; x < 161; ++x) {
        const float value = grey.row(y)[x];
        const int sample = static_cast<int>(std::floor(value + 0.5f));
        const auto small = static_cast<std::uint8_t>(sample);
        const auto large = static_cast<std::uint16_t>(sample);
        std::byte* const at = rounded.row(y) + static_cast<std::size_t>(x) * bytes_of(type);
        if (type == PixelType::u8) std::memcpy(at, &small, sizeof small);
        if (type == PixelType::u16) std::memcpy(at, &large, sizeof large);
        if (type == PixelType::f32) std::memcpy(at, &value, sizeof value);
      }
    }
    const Features expected = Extractor(usual, {.name = "reference"}).extract(rounded.view());
    ASSERT_EQ(expected.size(), 60u);
    expect_same_everywhere(image.view(), on_host, "grey on the host");
    for (const Contender& c : contenders({7})) {
      Extractor extractor(on_host, c.device);
      EXPECT_TRUE(extractor.extract(image.view()) == expected) << c.name;
      const Ticket one = extractor.submit(image.view()), two = extractor.submit(rounded.view());
      EXPECT_TRUE(extractor.collect(one) == expected) << c.name;
      EXPECT_TRUE(extractor.collect(two) == expected) << c.name << ": grey is left as it is";
      const Description described = extractor.describe(image.view(), expected.keypoints, OrientationFrom::keypoint);
      EXPECT_EQ(described.features.descriptors, expected.descriptors) << c.name;
    }
  }
  const Image image = images::blobs(161, 140, PixelType::u8, 3);
  SiftOptions with_views = on_host;
  with_views.views = Views::few;
  expect_same_everywhere(image.view(), with_views, "grey on the host, with views", nullptr, {7});
  for (const std::string& name : gpu_names()) {
    const auto bytes = [&](const SiftOptions& options) {
      return Extractor(options, {.name = name}).estimate(image.view()).front().need.least.device;
    };
    EXPECT_LE(bytes(on_host) + 2 * 161 * 140, bytes(usual)) << name << ": the image on the device is a third";
    std::vector<StageTime> times;
    Extractor(on_host, {.name = name}).extract(image.view(), nullptr, &times);
    ASSERT_GT(times.size(), 2u);
    EXPECT_EQ(times[0].stage, "grey on the host");
    EXPECT_EQ(times[1].stage, "upload");
  }
}

// Each device gives what the reference gives for the image with red and blue exchanged.
TEST(SiftConformance, OrderOfColours) {
  for (PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (int channels : {3, 4}) {
      const Image image = images::blobs(93, 71, type, channels);
      Image exchanged(93, 71, channels, type, ChannelOrder::bgr);
      const std::size_t sample = bytes_of(type), pixel = sample * static_cast<std::size_t>(channels);
      for (int y = 0; y < image.height(); ++y) {
        for (std::size_t at = 0; at < 93 * pixel; at += pixel) {
          std::memcpy(exchanged.row(y) + at, image.row(y) + at, pixel);
          std::memcpy(exchanged.row(y) + at, image.row(y) + at + 2 * sample, sample);
          std::memcpy(exchanged.row(y) + at + 2 * sample, image.row(y) + at, sample);
        }
      }
      const std::string label = "type " + std::to_string(int(type)) + ", channels " + std::to_string(channels);
      expect_same_everywhere(exchanged.view(), {}, label);
      const Features expected = Extractor({}, {.name = "reference"}).extract(image.view());
      EXPECT_GT(expected.size(), 0u) << label;
      EXPECT_TRUE(Extractor({}, {.name = "reference"}).extract(exchanged.view()) == expected) << label;
      // An extractor that had an image in the other order before.
      Extractor extractor;
      EXPECT_TRUE(extractor.extract(image.view()) == expected) << label;
      EXPECT_TRUE(extractor.extract(exchanged.view()) == expected) << label;
    }
  }
}

TEST(SiftConformance, Masks) {
  const Image image = images::blobs(150, 120);
  Image mask(150, 120, 1, PixelType::u8);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 150; ++x) mask.row(y)[x] = std::byte(x + y < 130 ? 1 : 0);
  }
  const ImageView view = mask.view();
  expect_same_everywhere(image.view(), {}, "mask", &view);
  const Features all = Extractor().extract(image.view()), masked = Extractor().extract(image.view(), &view);
  std::vector<Keypoint> expected;
  for (const Keypoint& k : all.keypoints) {
    if (std::floor(k.x + 0.5f) + std::floor(k.y + 0.5f) < 130) expected.push_back(k);
  }
  EXPECT_EQ(masked.keypoints, expected);
  EXPECT_LT(masked.size(), all.size());
}

// A pattern that repeats: many keypoints that differ only in their places.
Image pattern(int width, int height) {
  const Image tile = images::blobs(48, 48);
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) image.row(y)[x] = tile.row(y % 48)[x % 48];
  }
  return image;
}

// All keypoints in a corner.
Image corner(int width, int height) {
  Image image = images::noise(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (x > width / 2 || y > height / 2) image.row(y)[x] = std::byte{128};
    }
  }
  return image;
}

// The features that the host would select.
Features within_budget(const Features& all, const ImageView& image, const SiftOptions& options) {
  Features kept;
  for (const std::size_t i : select(all.keypoints, image.width, image.height, budget_of(options))) {
    kept.keypoints.push_back(all.keypoints[i]);
    kept.descriptors.insert(kept.descriptors.end(), all.descriptor(i).begin(), all.descriptor(i).end());
  }
  return kept;
}

// Whether a budget has to decide between keypoints of the same rank.
bool decides_between_equals(const Features& all, const SiftOptions& options) {
  std::vector<float> ranks;
  for (const Keypoint& k : all.keypoints) ranks.push_back(rank_score(k, options.rank));
  std::sort(ranks.rbegin(), ranks.rend());
  const std::size_t n = static_cast<std::size_t>(options.max_features);
  return n < ranks.size() && ranks[n - 1] == ranks[n];
}

TEST(SiftConformance, Budgets) {
  std::vector<std::string> devices = gpu_names();
  devices.emplace_back("cpu");
  std::vector<TestImage> all = contentious_images();
  all.push_back({"pattern", pattern(192, 150)});
  all.push_back({"corner", corner(190, 160)});
  int ties = 0;
  for (const auto& [title, image] : all) {
    const double contrast = 0.04;
    const Features found =
        Extractor({.contrast_threshold = contrast, .max_features = 0}, {.name = "reference"}).extract(image.view());
    const int n = static_cast<int>(found.size());
    const Rank ranks[] = {Rank::response, Rank::scale, Rank::scaled_response};
    const int grids[] = {1, 2, 8, 64}, budgets[] = {1, 7, 100, n - 1, n, n + 1};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) {
        // A third of all combinations, in which every value of an option meets every value of each other.
        for (int k = (i + j) % 3; k < 6; k += 3) {
          const Rank rank = ranks[i];
          const int grid = grids[j], budget = budgets[k];
          const SiftOptions options{.contrast_threshold = contrast, .max_features = budget, .rank = rank, .grid = grid};
          const Features expected = within_budget(found, image.view(), options);
          if (grid == 1 && decides_between_equals(found, options)) ++ties;
          for (const std::string& name : devices) {
            ASSERT_TRUE(Extractor(options, {.name = name}).extract(image.view()) == expected)
                << budget << " of " << n << " by rank " << static_cast<int>(rank) << ", grid " << grid << ", " << title
                << ", " << name;
          }
        }
      }
    }
  }
  EXPECT_GT(ties, 5);
}

// There are several keypoints for each thread of the largest GPU's groups.
TEST(SiftConformance, BudgetsOfManyKeypointsOnGpus) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const Image image = images::checkerboard(1000, 900, 5);
  for (const SiftOptions& options : {SiftOptions{.max_features = 3000}, SiftOptions{.max_features = 5000, .grid = 2},
                                     SiftOptions{.max_features = 100, .rank = Rank::scale, .grid = 64}}) {
    const Features expected = Extractor(options, {.name = "cpu"}).extract(image.view());
    ASSERT_EQ(expected.size(), static_cast<std::size_t>(options.max_features));
    for (const std::string& name : gpus) {
      EXPECT_TRUE(Extractor(options, {.name = name}).extract(image.view()) == expected) << name;
    }
  }
}

TEST(SiftConformance, HundredRunsOnGpusAreOne) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  const std::vector<TestImage> all = contentious_images();
  std::vector<Features> expected;
  for (const TestImage& p : all) expected.push_back(Extractor({}, {.name = "reference"}).extract(p.image.view()));
  for (const std::string& name : gpus) {
    Extractor gpu({}, {.name = name});
    for (std::size_t i = 0; i < 100; ++i) {
      const std::size_t p = i / 10 % all.size();
      ASSERT_TRUE(gpu.extract(all[p].image.view()) == expected[p]) << all[p].name << ", " << name << ", run " << i;
    }
  }
}

TEST(SiftConformance, TenRunsOfContentionAreOne) {
  const tbb::global_control seven(tbb::global_control::max_allowed_parallelism, 7);
  for (const auto& [name, image] : contentious_images()) {
    Extractor cpu({}, {.name = "cpu", .threads = 7});
    const Features first = cpu.extract(image.view());
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(cpu.extract(image.view()) == first) << name << ", run " << i;
  }
}

TEST(SiftConformance, OneExtractorServesImagesOfChangingSize) {
  Extractor cpu({}, {.name = "cpu"}), reference({}, {.name = "reference"});
  for (int size : {90, 20, 130, 3, 64}) {
    const Image image = images::blobs(size, size + 10);
    EXPECT_TRUE(cpu.extract(image.view()) == reference.extract(image.view())) << size;
  }
}

TEST(SiftConformance, InsideTheCallersArena) {
  const Image image = images::blobs(120, 100);
  const Features expected = Extractor({}, {.name = "reference"}).extract(image.view());
  std::atomic<int> wrong = 0;
  CpuPool(0).parallel_for(8, [&](int, int) {
    if (!(Extractor({}, {.name = "cpu"}).extract(image.view()) == expected)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Extractor, RefusesWhatItCannotUseAndStaysUsable) {
  Extractor extractor;
  const Image good = images::blobs(64, 64);
  const auto refused = [&](const ImageView& view, const ImageView* mask, const char* why) {
    try {
      extractor.extract(view, mask);
      ADD_FAILURE() << why;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(e.what()).find(why), std::string::npos) << e.what();
    }
  };
  ImageView view = good.view();
  view.width = 0;
  refused(view, nullptr, "has no pixels");
  view = good.view();
  view.channels = 5;
  refused(view, nullptr, "5 channels");
  view = good.view();
  view.data = nullptr;
  refused(view, nullptr, "no data");
  view = good.view();
  view.stride = 10;
  refused(view, nullptr, "stride of 10");
  view = good.view();
  view.width = 1 << 23;
  refused(view, nullptr, "sides may be at most");
  const Image small(10, 64, 1, PixelType::u8);
  refused(good.view(), &small.view(), "the mask is 10×64 pixels, but the image is 64×64");
  ImageView mask = Image(64, 64, 1, PixelType::u8).view();
  mask.data = good.view().data;
  mask.stride = 0;
  refused(good.view(), &mask, "the mask has rows of 64 bytes, but a stride of 0");
  Image real = images::blobs(16, 16, PixelType::f32);
  reinterpret_cast<float*>(real.row(3))[5] = std::nanf("");
  refused(real.view(), nullptr, "nan at (5, 3)");
  reinterpret_cast<float*>(real.row(3))[5] = 1.5f;
  refused(real.view(), nullptr, "1.500000 at (5, 3)");
  EXPECT_GT(extractor.extract(good.view()).size(), 0u);
}

TEST(Extractor, TimesNameTheStages) {
  std::vector<StageTime> times;
  Extractor({}, {.name = "cpu"}).extract(images::blobs(64, 64).view(), nullptr, &times);
  const auto stages = [&] {
    std::vector<std::string> names;
    for (const StageTime& time : times) names.push_back(time.stage);
    return names;
  };
  EXPECT_EQ(stages(), (std::vector<std::string>{"scale space and extrema", "orientation", "descriptor", "selection"}));
  for (const std::string& name : gpu_names()) {
    Extractor({.max_features = 10}, {.name = name}).extract(images::blobs(64, 64).view(), nullptr, &times);
    EXPECT_EQ(stages(), (std::vector<std::string>{"upload", "scale space and extrema", "orientation", "order",
                                                  "selection", "descriptor", "download"}));
  }
}

}  // namespace
}  // namespace octavo
