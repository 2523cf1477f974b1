// Pyramids on the CPU and on GPUs equal the reference's, byte by byte: every instruction set and number of threads,
// sizes around those of vectors and tiles, every smoothing, every kind of image, grey on the device and on the host.

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "engine/scale_space/scale_space_reference.h"
#include "engine/selftest/images.h"
#include "engine/sift/sift_parts.h"
#include "octavo/error.h"
#include "octavo/pyramid.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

void expect_equal(const std::vector<Image>& got, const std::vector<Image>& expected, const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].width(), expected[i].width()) << what;
    ASSERT_EQ(got[i].height(), expected[i].height()) << what;
    for (int y = 0; y < got[i].height(); ++y) {
      ASSERT_EQ(std::memcmp(got[i].row(y), expected[i].row(y), sizeof(float) * got[i].width()), 0)
          << what << ", image " << i << ", row " << y;
    }
  }
}

void expect_equal(const std::vector<PyramidOctave>& got, const std::vector<PyramidOctave>& expected,
                  const std::string& what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  for (std::size_t o = 0; o < got.size(); ++o) {
    const std::string name = what + ", octave " + std::to_string(o);
    EXPECT_EQ(got[o].octave, expected[o].octave) << name;
    EXPECT_EQ(got[o].width, expected[o].width) << name;
    EXPECT_EQ(got[o].height, expected[o].height) << name;
    expect_equal(got[o].gaussians, expected[o].gaussians, name + ", Gaussian images");
    expect_equal(got[o].differences, expected[o].differences, name + ", differences");
  }
}

// Compares pyramids on every device with the reference.
class Comparison {
 public:
  explicit Comparison(const SiftOptions& scale_space, const PyramidOptions& options = {},
                      std::initializer_list<int> threads = {1})
      : reference_(scale_space, {.name = "reference"}, options) {
    for (const Contender& c : contenders(threads))
      pyramids_.push_back({c.name, c.device.name == "cpu", Pyramid(scale_space, c.device, options)});
  }

  void expect_the_same(const ImageView& image, const std::string& what) {
    const std::vector<PyramidOctave> expected = reference_.make(image);
    for (auto& [name, is_cpu, pyramid] : pyramids_) {
      // A GPU replays what it recorded the first time.
      for (int run = 0; run < (is_cpu ? 1 : 2); ++run) expect_equal(pyramid.make(image), expected, what + ", " + name);
    }
  }

 private:
  struct Named {
    std::string name;
    bool is_cpu;
    Pyramid pyramid;
  };
  Pyramid reference_;
  std::deque<Named> pyramids_;
};

class PyramidConformance : public ::testing::Test {
  tbb::global_control seven_{tbb::global_control::max_allowed_parallelism, 7};
};

TEST_F(PyramidConformance, Sizes) {
  Comparison lowe({}), repeated(preset("tsp2023"));
  for (const int size : {4, 5, 6, 7, 11, 12, 15, 16, 17, 31, 33, 63, 65, 127, 257}) {
    const Image image = images::blobs(size, 70 - size % 13, PixelType::u8, 3);
    lowe.expect_the_same(image.view(), std::to_string(size) + " wide");
    repeated.expect_the_same(image.view(), std::to_string(size) + " wide, tsp2023");
  }
  repeated.expect_the_same(images::blobs(12, 3000).view(), "tall");
  repeated.expect_the_same(images::blobs(3000, 12).view(), "wide");
}

TEST_F(PyramidConformance, RepeatedEdges) {
  SiftOptions tsp = preset("tsp2023"), trilateral = preset("mizuno2015");
  tsp.border = trilateral.border = Border::repeated;
  trilateral.max_octaves = 1;
  Comparison lowe({.border = Border::repeated}, {}, {1, 7}), repeated(tsp), first_blur(trilateral);
  Comparison not_doubled({.first_octave = 0, .layers = 2, .border = Border::repeated});
  for (const int size : {4, 5, 11, 12, 17, 31, 33, 65, 127, 257}) {
    const Image image = images::blobs(size, 70 - size % 13, PixelType::u8, size % 2 == 0 ? 1 : 3);
    for (Comparison* comparison : {&lowe, &repeated, &not_doubled}) {
      comparison->expect_the_same(image.view(), std::to_string(size) + " wide");
    }
  }
  repeated.expect_the_same(images::blobs(3000, 12).view(), "wide");
  first_blur.expect_the_same(images::blobs(31, 26).view(), "trilateral");
}

TEST_F(PyramidConformance, PresetsAndOptions) {
  const Image image = images::blobs(120, 83, PixelType::u8, 3);
  for (const std::string& name : preset_names()) {
    const SiftOptions options = preset(name);
    const bool slow = options.smoothing == Smoothing::trilateral;
    Comparison(options, {}, {1, 7}).expect_the_same(slow ? images::blobs(31, 26).view() : image.view(), name);
  }
  for (const int layers : {1, 2, 8}) Comparison({.layers = layers}).expect_the_same(image.view(), "layers");
  for (const double sigma : {0.8, 4.0}) {
    Comparison({.sigma = sigma}).expect_the_same(image.view(), "sigma");
    Comparison({.first_octave = 0, .sigma = sigma}).expect_the_same(image.view(), "sigma, not doubled");
    Comparison({.sigma = sigma, .smoothing = Smoothing::repeated}).expect_the_same(image.view(), "repeated");
    Comparison({.first_octave = 0, .layers = 3, .sigma = sigma, .smoothing = Smoothing::repeated})
        .expect_the_same(image.view(), "repeated, not doubled");
  }
}

TEST_F(PyramidConformance, EveryKindOfImage) {
  Image storage;
  for (const GreyOn grey : {GreyOn::device, GreyOn::host}) {
    Comparison comparison(preset("tsp2023"), {.grey = grey}, {7});
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
      for (const int channels : {1, 2, 3, 4}) {
        const Image image = images::blobs(75, 52, type, channels);
        comparison.expect_the_same(images::unaligned(image, storage), "channels " + std::to_string(channels));
      }
    }
  }
}

TEST_F(PyramidConformance, GaussianImagesOrDifferencesAlone) {
  const Image image = images::blobs(31, 26, PixelType::u8, 3);
  for (const SiftOptions& options : {SiftOptions(), preset("tsp2023"), preset("mizuno2015")}) {
    const std::vector<PyramidOctave> both = Pyramid(options, {.name = "reference"}).make(image.view());
    std::vector<Contender> all = contenders({1});
    all.push_back({"reference", {.name = "reference"}});
    for (const Contender& c : all) {
      const auto blurs = Pyramid(options, c.device, {.differences = false}).make(image.view());
      const auto differences = Pyramid(options, c.device, {.gaussians = false}).make(image.view());
      ASSERT_EQ(blurs.size(), both.size());
      ASSERT_EQ(differences.size(), both.size());
      for (std::size_t o = 0; o < both.size(); ++o) {
        expect_equal(blurs[o].gaussians, both[o].gaussians, c.name);
        EXPECT_TRUE(blurs[o].differences.empty());
        expect_equal(differences[o].differences, both[o].differences, c.name);
        EXPECT_TRUE(differences[o].gaussians.empty());
      }
    }
  }
}

float value(const Image& image, int x, int y) { return reinterpret_cast<const float*>(image.row(y))[x]; }

// The definition: the octaves of the reference, and image i + 1 less image i.
TEST_F(PyramidConformance, ThePyramidIsTheScaleSpace) {
  const Image image = images::blobs(97, 61, PixelType::u16, 3);
  const SiftOptions options{.layers = 2};
  Pyramid pyramid(options, {.name = "reference"});
  const std::vector<PyramidOctave> octaves = pyramid.make(image.view());
  const ScaleSpacePlan plan = plan_scale_space(97, 61, scale_space_of(options));
  const auto expected = reference::scale_space(image.view(), options.luma, plan);
  ASSERT_EQ(octaves.size(), expected.size());
  for (std::size_t o = 0; o < octaves.size(); ++o) {
    EXPECT_EQ(octaves[o].octave, static_cast<int>(o) - 1);
    ASSERT_EQ(octaves[o].gaussians.size(), 5u);
    ASSERT_EQ(octaves[o].differences.size(), 4u);
    for (int y = 0; y < octaves[o].height; ++y) {
      for (int x = 0; x < octaves[o].width; ++x) {
        for (std::size_t i = 0; i < 5; ++i) ASSERT_EQ(value(octaves[o].gaussians[i], x, y), expected[o][i].row(y)[x]);
        for (std::size_t i = 0; i < 4; ++i) {
          ASSERT_EQ(value(octaves[o].differences[i], x, y), expected[o][i + 1].row(y)[x] - expected[o][i].row(y)[x]);
        }
      }
    }
  }
  EXPECT_DOUBLE_EQ(pyramid.sigma(2), 4);
}

// Grey on the host is the grey of the scale space, rounded to the nearest sample.
TEST_F(PyramidConformance, GreyOnTheHostIsRounded) {
  for (const auto& [type, top] : {std::pair(PixelType::u8, 255.0), std::pair(PixelType::u16, 65535.0)}) {
    const Image image = images::blobs(60, 41, type, 3);
    Plane grey;
    reference::grey(image.view(), Luma::bt709, grey, top);
    Pyramid pyramid(preset("tsp2023"), {.name = "cpu"}, {.grey = GreyOn::host});
    const Image first = std::move(pyramid.make(image.view())[0].gaussians[0]);
    for (int y = 0; y < 41; ++y) {
      for (int x = 0; x < 60; ++x) {
        ASSERT_FLOAT_EQ(value(first, x, y), static_cast<float>(std::floor(grey.row(y)[x] + 0.5) / top));
      }
    }
  }
}

TEST_F(PyramidConformance, TimesAndUseAfterAnError) {
  const Image image = images::blobs(90, 61, PixelType::u8, 3);
  std::vector<Contender> all = contenders({1});
  all.push_back({"reference", {.name = "reference"}});
  for (const Contender& c : all) {
    Pyramid pyramid(preset("tsp2023"), c.device, {.grey = GreyOn::host});
    EXPECT_THROW((void)pyramid.fetch(), Error) << c.name;
    EXPECT_THROW(pyramid.compute({nullptr, 0, 0}), Error) << c.name;
    std::vector<StageTime> times;
    pyramid.compute(image.view(), &times);
    std::vector<std::string> stages;
    for (const StageTime& time : times) stages.push_back(time.stage);
    const bool gpu = c.device.name != "cpu" && c.device.name != "reference";
    EXPECT_EQ(stages, gpu ? std::vector<std::string>({"grey on the host", "upload", "grey", "blurs", "differences"})
                          : std::vector<std::string>({"grey on the host", "grey, blurs and differences"}))
        << c.name;
    EXPECT_EQ(pyramid.fetch().size(), 4u) << c.name;
    EXPECT_EQ(pyramid.estimate(image.view()).octaves, 4) << c.name;
    EXPECT_TRUE(pyramid.make(images::blobs(3, 60).view()).empty()) << c.name;
  }
}

}  // namespace
}  // namespace octavo
