#include "io/images/colour_profile.h"

#include <gtest/gtest.h>

#include <lcms2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "octavo/image.h"

namespace octavo::io {
namespace {

std::vector<std::byte> bytes_of_profile(cmsHPROFILE profile) {
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::vector<std::byte> bytes(size);
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  return bytes;
}

// Display P3: its primaries, and the curve of sRGB.
std::vector<std::byte> display_p3() {
  const cmsCIExyY white{0.3127, 0.3290, 1};
  const cmsCIExyYTRIPLE primaries{{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
  const cmsFloat64Number numbers[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve* const curve = cmsBuildParametricToneCurve(nullptr, 4, numbers);
  cmsToneCurve* const curves[] = {curve, curve, curve};
  const auto bytes = bytes_of_profile(cmsCreateRGBProfile(&white, &primaries, curves));
  cmsFreeToneCurve(curve);
  return bytes;
}

std::vector<std::byte> grey_of_gamma(double gamma) {
  cmsToneCurve* const curve = cmsBuildGamma(nullptr, gamma);
  const auto bytes = bytes_of_profile(cmsCreateGrayProfile(cmsD50_xyY(), curve));
  cmsFreeToneCurve(curve);
  return bytes;
}

Image pixel(std::initializer_list<int> samples) {
  Image image(1, 1, static_cast<int>(samples.size()), PixelType::u8);
  std::ranges::transform(samples, image.row(0), [](int sample) { return std::byte(sample); });
  return image;
}

std::vector<int> samples_of(const Image& image) {
  std::vector<int> samples;
  for (int c = 0; c < image.channels(); ++c) samples.push_back(std::to_integer<int>(image.row(0)[c]));
  return samples;
}

using Samples = std::vector<int>;

TEST(ColourProfile, RedOfSrgbIsPalerInAWiderGamut) {
  // The red of sRGB in Display P3, as CSS Color 4 has it: 0.9175, 0.2003, 0.1386.
  const Samples red = samples_of(with_profile(pixel({255, 0, 0}), {}, display_p3()));
  EXPECT_NEAR(red[0], 234, 1);
  EXPECT_NEAR(red[1], 51, 1);
  EXPECT_NEAR(red[2], 35, 1);
  const Samples back = samples_of(with_profile(pixel({234, 51, 35, 77}), display_p3(), {}));
  EXPECT_NEAR(back[0], 255, 2);
  EXPECT_LE(back[1], 6);
  EXPECT_LE(back[2], 6);
  EXPECT_EQ(back[3], 77);  // alpha
}

TEST(ColourProfile, GreyBecomesColour) {
  EXPECT_EQ(samples_of(with_profile(pixel({100}), {}, display_p3())), (Samples{100, 100, 100}));
  EXPECT_EQ(samples_of(with_profile(pixel({100, 9}), {}, display_p3())), (Samples{100, 100, 100, 9}));
  // 0.5 by a linear profile is 188 of sRGB.
  const Samples linear = samples_of(with_profile(pixel({128, 9}), grey_of_gamma(1), {}));
  ASSERT_EQ(linear.size(), 4U);
  EXPECT_NEAR(linear[0], 188, 1);
  EXPECT_EQ(linear[3], 9);
  // A profile of grey says nothing of colours.
  EXPECT_EQ(samples_of(with_profile(pixel({1, 100, 200}), grey_of_gamma(1), {})), (Samples{1, 100, 200}));
}

TEST(ColourProfile, DeepSamplesStayDeep) {
  Image deep(1, 1, 3, PixelType::u16), real(1, 1, 3, PixelType::f32);
  auto* const samples = reinterpret_cast<std::uint16_t*>(deep.row(0));
  auto* const floats = reinterpret_cast<float*>(real.row(0));
  samples[0] = 65535, samples[1] = samples[2] = 0;
  floats[0] = 1, floats[1] = floats[2] = 0;
  const Image deep_red = with_profile(std::move(deep), {}, display_p3());
  const Image real_red = with_profile(std::move(real), {}, display_p3());
  const auto* const wide = reinterpret_cast<const std::uint16_t*>(deep_red.row(0));
  const auto* const exact = reinterpret_cast<const float*>(real_red.row(0));
  for (const auto& [channel, value] : {std::pair(0, 0.9175), {1, 0.2003}, {2, 0.1386}}) {
    EXPECT_NEAR(wide[channel] / 65535.0, value, 0.002);
    EXPECT_NEAR(exact[channel], value, 0.002);
  }
}

TEST(ColourProfile, DamagedProfilesChangeNothing) {
  std::vector<std::byte> damaged = display_p3();
  std::fill(damaged.begin() + 128, damaged.end(), std::byte{});
  EXPECT_EQ(samples_of(with_profile(pixel({255, 0, 0}), damaged, {})), (Samples{255, 0, 0}));
  EXPECT_EQ(samples_of(with_profile(pixel({255, 0, 0}), {}, damaged)), (Samples{255, 0, 0}));
}

}  // namespace
}  // namespace octavo::io
