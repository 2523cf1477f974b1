#include "octavo/image_view.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

constexpr int side = 100;

// A square image of `channels` channels; `value(i)` gives the i-th sample.
template <class Sample, class Value>
Image made(PixelType type, int channels, const Value& value) {
  Image image(side, side, channels, type);
  auto* sample = reinterpret_cast<Sample*>(image.row(0));
  for (int i = 0; i < side * side * channels; ++i) sample[i] = static_cast<Sample>(value(i));
  return image;
}

template <class Value>
Image u16(const Value& value, int channels = 1) {
  return made<std::uint16_t>(PixelType::u16, channels, value);
}

template <class Value>
Image f32(const Value& value, int channels = 1) {
  return made<float>(PixelType::f32, channels, value);
}

// Of each hundred samples one of each hundredth from `low` to `high`.
double ramp(int i, double low, double high) { return low + (high - low) * (i % side) / (side - 1); }

ValueRange scale(const Image& image) { return full_scale(image.type(), values_used(image.view()).value()); }

TEST(ValueRange, SamplesOfFewBitsFillTheRange) {
  for (const int bits : {8, 10, 12, 14, 16}) {
    const double greatest = (1 << bits) - 1;
    EXPECT_EQ(scale(u16([&](int i) { return ramp(i, 0, greatest); })), (ValueRange{0, greatest})) << bits;
    EXPECT_EQ(scale(u16([&](int i) { return ramp(i, 0.1 * greatest, 0.9 * greatest); })), (ValueRange{0, greatest}));
  }
}

TEST(ValueRange, ANarrowRangeIsTheScale) {
  EXPECT_EQ(scale(u16([](int i) { return ramp(i, 21000, 23000); })), (ValueRange{21000, 23000}));
  EXPECT_EQ(scale(f32([](int i) { return ramp(i, 273, 298.5); })), (ValueRange{273, 298.5}));
  EXPECT_EQ(scale(f32([](int i) { return ramp(i, 0.25, 0.375); })), (ValueRange{0.25, 0.375}));
  EXPECT_EQ(scale(f32([](int i) { return ramp(i, -30, 510); })), (ValueRange{-30, 510}));
}

TEST(ValueRange, WhatFillsTheRangeStays) {
  EXPECT_EQ(scale(u16([](int i) { return ramp(i, 9000, 60000); })), (ValueRange{0, 65535}));
  EXPECT_EQ(scale(f32([](int i) { return ramp(i, 0.1, 0.9); })), (ValueRange{0, 1}));
  EXPECT_EQ(full_scale(PixelType::u8, {100, 110}), (ValueRange{0, 255}));
}

TEST(ValueRange, OneValueHasNoContrast) {
  EXPECT_EQ(scale(u16([](int) { return 77; })), (ValueRange{0, 65535}));
  EXPECT_EQ(scale(f32([](int) { return 300; })), (ValueRange{0, 1}));
}

TEST(ValueRange, HotAndDeadPixelsDoNotCount) {
  EXPECT_EQ(scale(u16([](int i) { return i == 7 ? 65535 : ramp(i, 0, 1023); })), (ValueRange{0, 1023}));
  EXPECT_EQ(scale(f32([](int i) { return i == 7 ? 1e6 : i == 99 ? -1e6 : ramp(i, 0, 1); })), (ValueRange{0, 1}));
}

TEST(ValueRange, MissingDataDoNotCount) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const double missing : {-9999.0, -32768.0, -3.4028234663852886e38, 3.4028234663852886e38, nan, infinity}) {
    EXPECT_EQ(scale(f32([&](int i) { return i < 500 ? missing : ramp(i, 0, 1); })), (ValueRange{0, 1})) << missing;
  }
  EXPECT_EQ(scale(f32([](int i) { return i < 500 ? 0 : ramp(i, 273, 298.5); })), (ValueRange{273, 298.5}));
  EXPECT_EQ(scale(u16([](int i) { return i < 500 ? 65535 : ramp(i, 100, 900); })), (ValueRange{0, 1023}));
  const Image named = f32([](int i) { return i < 500 ? 20 : ramp(i, 0, 10); });
  EXPECT_EQ(values_used(named.view(), 20), (ValueRange{0, 10}));
}

TEST(ValueRange, MissingDataAreTold) {
  const auto missing = [](const Image& image, std::optional<double> no_data = {}) {
    std::vector<double> values;
    values_used(image.view(), no_data, nullptr, &values);
    return values;
  };
  const Image both = f32([](int i) { return i < 500 ? -9999 : i < 900 ? 1e6 : ramp(i, 270, 300); });
  EXPECT_EQ(missing(both), (std::vector<double>{1e6, -9999}));
  EXPECT_EQ(missing(both, -9999), std::vector<double>{1e6});
  EXPECT_EQ(missing(u16([](int i) { return i < 500 ? 65535 : ramp(i, 100, 900); })), std::vector<double>{65535});
  EXPECT_TRUE(missing(f32([](int i) { return i == 7 ? -9999 : ramp(i, 270, 300); })).empty());  // a dead pixel
  EXPECT_TRUE(missing(f32([](int i) { return i % 2; })).empty());
}

TEST(ValueRange, BlackAndWhiteAreNotMissing) {
  EXPECT_EQ(scale(u16([](int i) { return i % 2 * 65535; })), (ValueRange{0, 65535}));
  EXPECT_EQ(scale(f32([](int i) { return i % 2; })), (ValueRange{0, 1}));
  EXPECT_EQ(scale(u16([](int i) { return i % 10 == 0 ? 0 : ramp(i, 60000, 65535); })), (ValueRange{0, 65535}));
}

TEST(ValueRange, WhatAlphaHidesDoesNotCount) {
  const Image image =
      u16([](int i) { return i % 4 == 3 ? (i < 2000 ? 0 : 65535)
                             : i < 2000 ? 50000
                                        : ramp(i, 0, 1023); }, 4);
  EXPECT_EQ(scale(image), (ValueRange{0, 1023}));
}

TEST(ValueRange, WhatTheMaskLeavesOutDoesNotCount) {
  const Image image = u16([](int i) { return i < 2000 ? 50000 + i : ramp(i, 0, 1023); });
  const Image mask = made<std::uint8_t>(PixelType::u8, 1, [](int i) { return i < 2000 ? 0 : 255; });
  EXPECT_EQ(values_used(image.view(), {}, &mask.view()), (ValueRange{0, 1023}));
  const Image none = made<std::uint8_t>(PixelType::u8, 1, [](int) { return 0; });
  EXPECT_EQ(values_used(image.view(), {}, &none.view()), std::nullopt);
}

TEST(ValueRange, MapsAndMapsBack) {
  Image image = u16([](int i) { return ramp(i, 0, 1200); });
  const Image before = image.clone();
  map_to_full_scale(image, {0, 1023});
  const auto* now = reinterpret_cast<const std::uint16_t*>(image.row(0));
  const auto* then = reinterpret_cast<const std::uint16_t*>(before.row(0));
  for (int i = 0; i < side; ++i)
    EXPECT_EQ(now[i], std::min<int>(65535, static_cast<int>(then[i] * (65535 / 1023.0) + 0.5))) << i;
  map_from_full_scale(image, {0, 1023});
  for (int i = 0; i < side; ++i) EXPECT_EQ(now[i], std::min<int>(1023, then[i])) << i;

  Image kelvin = f32([](int i) { return i == 0 ? std::nan("") : ramp(i, 273, 300); });
  map_to_full_scale(kelvin, {273, 298});
  const auto* value = reinterpret_cast<const float*>(kelvin.row(0));
  EXPECT_EQ(value[0], 0);
  EXPECT_EQ(value[side - 1], 1);
  map_from_full_scale(kelvin, {273, 298});
  for (int i = 1; i < side; ++i) EXPECT_NEAR(value[i], std::min(298.0, ramp(i, 273, 300)), 1e-4) << i;
}

TEST(ValueRange, AlphaStays) {
  Image image = u16([](int i) { return i % 2 == 1 ? 700 : 512; }, 2);
  map_to_full_scale(image, {0, 1023});
  EXPECT_EQ(reinterpret_cast<const std::uint16_t*>(image.row(0))[1], 700);
}

TEST(ValueRange, AnEmptyRangeIsRefused) {
  Image image = u16([](int i) { return i; });
  EXPECT_THROW(map_to_full_scale(image, {5, 5}), Error);
  EXPECT_THROW(map_to_full_scale(image, {5, std::nan("")}), Error);
}

TEST(ValueRange, SaysWhyThereAreNoKeypoints) {
  const auto why = [](const Image& image) { return why_no_keypoints(image.view()); };
  EXPECT_EQ(why(u16([](int) { return 128; })), "all its samples are 128");
  EXPECT_EQ(why(u16([](int i) { return ramp(i, 0, 1023); })),
            "it has little contrast, its samples lie between 0 and 1023 of 65535");
  EXPECT_EQ(why(f32([](int i) { return ramp(i, 0, 1); })), "nothing in it passes the detector's thresholds");
  EXPECT_EQ(why(u16([](int i) { return i % 2 == 0 ? i : 0; }, 2)), "all of it is transparent");
  const Image image = f32([](int i) { return ramp(i, 0, 1); });
  const Image none = made<std::uint8_t>(PixelType::u8, 1, [](int) { return 0; });
  EXPECT_EQ(why_no_keypoints(image.view(), &none.view()), "the mask leaves nothing of it");
  EXPECT_EQ(why(f32([](int) { return std::nanf(""); })), "no sample of it is a number");
  ImageView corner = image.view();
  corner.width = corner.height = 8;
  EXPECT_EQ(why_no_keypoints(corner), "it is 8 × 8 pixels");
}

TEST(ValueRange, OfASet) { EXPECT_EQ(joined({2, 5}, {1, 4}), (ValueRange{1, 5})); }

}  // namespace
}  // namespace octavo
