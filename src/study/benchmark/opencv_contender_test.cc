// OpenCV as a contender does the work that its options ask for, and refuses options that it does not have.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "octavo/error.h"
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

TEST(OpenCvContender, TimesItsWork) {
  const auto contender = opencv_contender(preset("opencv"), 1);
  const ContenderFacts facts = contender->facts();
  EXPECT_TRUE(facts.name.starts_with("OpenCV 4") && facts.name.ends_with(", 1 thread")) << facts.name;
  EXPECT_EQ(facts.kind, ContenderKind::opencv);
  EXPECT_EQ(facts.threads, 1);
  const Image image = blobs(PixelType::u8, 1);
  const std::size_t all = contender->prepare(image.view(), 0);
  EXPECT_GT(all, 20u);
  EXPECT_GT(contender->run(), 0);
  EXPECT_LT(contender->prepare(image.view(), 10), all);
  EXPECT_TRUE(contender->stages().empty());
}

TEST(OpenCvContender, TakesEveryKindOfImage) {
  const auto contender = opencv_contender(preset("opencv"));
  const std::size_t grey = contender->prepare(blobs(PixelType::u8, 1).view(), 0);
  EXPECT_EQ(contender->prepare(blobs(PixelType::u8, 3).view(), 0), grey);
  EXPECT_EQ(contender->prepare(blobs(PixelType::u8, 4).view(), 0), grey);
  EXPECT_GT(contender->prepare(blobs(PixelType::f32, 1).view(), 0), 20u);
}

TEST(OpenCvContender, PassesItsOptionsOn) {
  const Image image = blobs(PixelType::u8, 1);
  SiftOptions options = preset("opencv");
  options.contrast_threshold = 0.2;
  options.luma = Luma::bt709;
  const auto usual = opencv_contender(preset("opencv")), strict = opencv_contender(options);
  EXPECT_LT(strict->prepare(image.view(), 0), usual->prepare(image.view(), 0));
  const std::string description = strict->facts().description;
  EXPECT_NE(description.find("contrastThreshold=0.2"), std::string::npos) << description;
}

TEST(OpenCvContender, RefusesOptionsThatOpenCvLacks) {
  SiftOptions options = preset("opencv");
  options.upright = true;
  try {
    opencv_contender(options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_option);
    EXPECT_EQ(error.option(), "upright");
    EXPECT_EQ(error.reason(), "OpenCV's SIFT has no such option");
  }
}

}  // namespace
}  // namespace octavo
