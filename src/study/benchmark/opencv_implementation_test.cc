// OpenCV as an implementation does the work that its options ask for, and refuses options that it does not have.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "octavo/error.h"
#include "octavo/image.h"
#include "study/benchmark/benchmark.h"

namespace octavo {
namespace {

Image blobs(PixelType type, int channels) {
  Image image(160, 120, channels, type);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 160; ++x) {
      const double value = 0.5 + 0.4 * std::sin(x * 0.31) * std::cos(y * 0.23 + x * 0.05);
      for (int c = 0; c < channels; ++c) {
        const int at = x * channels + c;
        if (type == PixelType::u8) image.row(y)[at] = static_cast<std::byte>(255 * value);
        if (type == PixelType::f32) reinterpret_cast<float*>(image.row(y))[at] = static_cast<float>(value);
      }
    }
  }
  return image;
}

TEST(OpenCvImplementation, TimesItsWork) {
  const auto implementation = opencv_implementation(preset("opencv"), 1);
  const ImplementationFacts facts = implementation->facts();
  EXPECT_TRUE(facts.name.starts_with("OpenCV 4") && facts.name.ends_with(", 1 thread")) << facts.name;
  EXPECT_EQ(facts.kind, ImplementationKind::opencv);
  EXPECT_EQ(facts.threads, 1);
  const Image image = blobs(PixelType::u8, 1);
  const std::size_t all = implementation->prepare(image.view(), 0);
  EXPECT_GT(all, 20u);
  EXPECT_GT(implementation->run(), 0);
  EXPECT_LT(implementation->prepare(image.view(), 10), all);
  EXPECT_TRUE(implementation->stages().empty());
}

TEST(OpenCvImplementation, TakesEveryKindOfImage) {
  const auto implementation = opencv_implementation(preset("opencv"));
  const std::size_t grey = implementation->prepare(blobs(PixelType::u8, 1).view(), 0);
  EXPECT_EQ(implementation->prepare(blobs(PixelType::u8, 3).view(), 0), grey);
  EXPECT_EQ(implementation->prepare(blobs(PixelType::u8, 4).view(), 0), grey);
  EXPECT_GT(implementation->prepare(blobs(PixelType::f32, 1).view(), 0), 20u);
}

TEST(OpenCvImplementation, PassesItsOptionsOn) {
  const Image image = blobs(PixelType::u8, 1);
  SiftOptions options = preset("opencv");
  options.contrast_threshold = 0.2;
  options.luma = Luma::bt709;
  const auto usual = opencv_implementation(preset("opencv")), strict = opencv_implementation(options);
  EXPECT_LT(strict->prepare(image.view(), 0), usual->prepare(image.view(), 0));
  const std::string description = strict->facts().description;
  EXPECT_NE(description.find("contrastThreshold=0.2"), std::string::npos) << description;
}

TEST(OpenCvImplementation, RefusesOptionsThatOpenCvLacks) {
  SiftOptions options = preset("opencv");
  options.upright = true;
  try {
    opencv_implementation(options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    EXPECT_EQ(error.option(), "upright");
    EXPECT_EQ(error.reason(), "OpenCV's SIFT has no such option");
  }
}

}  // namespace
}  // namespace octavo
