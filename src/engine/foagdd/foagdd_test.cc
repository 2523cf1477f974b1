// The filters against their definition, the measure against double precision, and images with known corners.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "engine/foagdd/foagdd.h"
#include "engine/foagdd/foagdd_reference.h"
#include "engine/maths/scalar.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

using namespace maths;
#include "engine/foagdd/foagdd_maths.h"
#include "engine/foagdd/response_maths.h"

// φ_θ as the paper defines it.
double phi(double theta, double sigma, double rho, int x, int y) {
  const double u = x * std::cos(theta) + y * std::sin(theta), v = -x * std::sin(theta) + y * std::cos(theta);
  return -rho * u / (2 * std::numbers::pi * sigma * sigma) * std::exp(-(rho * u * u + v * v / rho) / (2 * sigma));
}

// K, the number of a scale, and ρ.
class FoagddFilterOf : public testing::TestWithParam<std::tuple<int, int, double>> {};

TEST_P(FoagddFilterOf, TapsAreThoseOfTheDefinitionAndWhatIsLeftOutIsNegligible) {
  const auto [k, scale, rho] = GetParam();
  const double sigma = 1.5 * scale;
  const FoagddFilter filter = foagdd_filter(k, sigma, rho);
  const std::size_t odd = static_cast<std::size_t>(filter.odd_parts());
  ASSERT_EQ(filter.weights.size(), filter.taps.size() * static_cast<std::size_t>(k));
  for (int d = 0; d < k; ++d) {
    const double theta = d * std::numbers::pi / k;
    const bool second = d > k / 2;
    const std::size_t pair = static_cast<std::size_t>(second ? k - d : d);
    double all = 0, kept = 0, most = 0;
    for (int x = -farthest_tap; x <= farthest_tap; ++x) {
      for (int y = -farthest_tap; y <= farthest_tap; ++y) all += std::abs(phi(theta, sigma, rho, x, y));
    }
    for (std::size_t t = 0; t < filter.taps.size(); ++t) {
      const auto [i, j] = filter.taps[t];
      ASSERT_LE(std::max(i, j), filter.radius);
      const float* w = filter.weights.data() + t * static_cast<std::size_t>(k);
      const double p = pair < odd ? w[pair] : 0, q = pair > 0 ? w[odd + pair - 1] : 0;
      for (const int y : {j, -j}) {
        const double tap = (second ? -p : p) + (y < 0 ? -q : q), exact = phi(theta, sigma, rho, i, y);
        most = std::max(most, std::abs(exact));
        EXPECT_NEAR(tap, exact, 2e-8) << "direction " << d << " at " << i << ", " << y;
        kept += (i == 0 || j == 0 ? 1 : 2) * std::abs(exact);
      }
    }
    EXPECT_LT((all - kept) / all, 1e-5) << "direction " << d;
    EXPECT_GT(most, 0);
  }
}

std::string words_of(const testing::TestParamInfo<FoagddFilterOf::ParamType>& one) {
  const auto [k, scale, rho] = one.param;
  return "K" + std::to_string(k) + "_scale" + std::to_string(scale) + "_rho" +
         std::to_string(static_cast<int>(10 * rho)) + "tenths";
}

INSTANTIATE_TEST_SUITE_P(Each, FoagddFilterOf,
                         testing::Combine(testing::Values(2, 3, 5, 8, 16), testing::Range(1, 6),
                                          testing::Values(1.0, 1.5, 4.0)),
                         words_of);

TEST(FoagddFilter, OperationsOfTheDefaultOptionsAreThoseTold) {
  const FoagddFilter first = foagdd_filter(8, 1.5, 1.5);
  EXPECT_EQ(first.radius, 7);
  EXPECT_EQ(first.below + first.aside, 14);
  EXPECT_EQ(first.taps.size(), 14u + 41u);
  EXPECT_EQ(foagdd_filter(8, 3, 1.5).radius, 11);
  EXPECT_EQ(foagdd_filter(8, 4.5, 1.5).radius, 13);
}

TEST(FoagddMeasure, DiscOfSevenIsThePapers) {
  EXPECT_EQ(disc_half_width(0, 7), 3);
  EXPECT_EQ(disc_half_width(1, 7), 3);
  EXPECT_EQ(disc_half_width(2, 7), 2);
  EXPECT_EQ(disc_half_width(3, 7), 1);
  for (int window = 3; window <= 11; window += 2) {
    EXPECT_EQ(disc_half_width(0, window), window / 2);
    EXPECT_GE(disc_half_width(window / 2, window), 1);
  }
}

// M = s·I + a matrix of ones has the determinant s^(K−1)·(s + K) and the trace K·(s + 1).
TEST(FoagddMeasure, KeyIsTheMeasureAtAnySize) {
  for (const int k : {2, 3, 8, 16}) {
    for (const double s : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
      std::vector<float> m;
      for (int a = 0; a < k; ++a) {
        for (int b = a; b < k; ++b) m.push_back(static_cast<float>(a == b ? s + 1 : 1));
      }
      const double expected = (k - 1) * std::log10(s) + std::log10(s + k) - std::log10(k * (s + 1));
      EXPECT_NEAR(log10_of_measure(measure_key(m.data(), k)), expected, s < 1e-3 ? 0.5 : 1e-3) << k << ", " << s;
    }
    std::vector<float> singular(static_cast<std::size_t>(k * (k + 1) / 2), 1.0f);
    EXPECT_EQ(measure_key(singular.data(), k), 0);
    std::vector<float> zero(static_cast<std::size_t>(k * (k + 1) / 2), 0.0f);
    EXPECT_EQ(measure_key(zero.data(), k), 0);
  }
}

TEST(FoagddMeasure, KeysOrderAsMeasuresDoAndThresholdsAreKeys) {
  std::int32_t key_before = 0;
  for (float diagonal = 1e-3f; diagonal < 1e6f; diagonal *= 1.01f) {
    float m[] = {diagonal, 0, diagonal};  // its measure is diagonal/2
    const std::int32_t key = measure_key(m, 2);
    EXPECT_GE(key, key_before);
    EXPECT_NEAR(log10_of_measure(key), std::log10(diagonal / 2), 2e-6);
    const FoagddOptions options{
        .directions = 2, .verify_scales = 1, .corner_threshold = std::log10(double{diagonal} / 2)};
    const int threshold = plan_foagdd(options).threshold_key;
    EXPECT_NEAR(threshold, key, 1);
    key_before = key;
  }
}

Image drawn(int width, int height, const std::function<float(int, int)>& value) {
  Image image(width, height, 1, PixelType::f32);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float v = value(x, y);
      std::memcpy(image.row(y) + std::ptrdiff_t{x} * 4, &v, 4);
    }
  }
  return image;
}

std::vector<FoagddPoint> corners(const Image& image, const FoagddOptions& options = {}) {
  return make_foagdd_reference(options)->detect(image.view());
}

TEST(Foagdd, ASquareHasFourCorners) {
  const Image image =
      drawn(60, 50, [](int x, int y) { return x >= 20 && x < 40 && y >= 15 && y < 35 ? 0.75f : 0.25f; });
  const std::vector<FoagddPoint> found = corners(image);
  ASSERT_EQ(found.size(), 4u);
  const int expected[4][2] = {{15, 20}, {15, 39}, {34, 20}, {34, 39}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(found[i].row, expected[i][0], 1);
    EXPECT_NEAR(found[i].column, expected[i][1], 1);
    EXPECT_GT(log10_of_measure(found[i].key), 8.4f);
  }
}

// An ideal board has many ties between the pixels beside a corner. All 49 inner corners are found within a pixel.
TEST(Foagdd, ABoardHasAllItsCorners) {
  const Image image = drawn(256, 256, [](int x, int y) { return (x / 32 + y / 32) % 2 == 0 ? 0.125f : 0.875f; });
  const std::vector<FoagddPoint> found = corners(image);
  for (int row = 1; row < 8; ++row) {
    for (int column = 1; column < 8; ++column) {
      EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                              [&](const FoagddPoint& p) {
                                return std::abs(p.row - (32 * row - 0.5)) <= 1.5 &&
                                       std::abs(p.column - (32 * column - 0.5)) <= 1.5;
                              }))
          << row << ", " << column;
    }
  }
  for (const FoagddPoint& p : found) {
    EXPECT_LE(std::abs((p.row + 16) % 32 - 15.5), 1.5);
    EXPECT_LE(std::abs((p.column + 16) % 32 - 15.5), 1.5);
  }
}

TEST(Foagdd, NothingIsFoundWhereThereIsNothing) {
  const FoagddOptions least{.verify_scales = 1, .corner_threshold = -3};
  EXPECT_TRUE(corners(drawn(64, 48, [](int, int) { return 0.0f; }), {.corner_threshold = -100}).empty());
  EXPECT_TRUE(corners(drawn(64, 48, [](int, int) { return 1.0f; }), least).empty());
  EXPECT_TRUE(corners(drawn(64, 48, [](int x, int) { return static_cast<float>(x) / 64; })).empty());
  EXPECT_TRUE(corners(drawn(64, 48, [](int x, int y) { return static_cast<float>(x + y) / 112; })).empty());
}

// Black and white at full contrast, with the largest matrix and the largest disc: nothing overflows.
TEST(Foagdd, SaturatedImages) {
  const Image image = drawn(120, 100, [](int x, int y) { return (x / 11 + y / 9) % 2 == 0 ? 0.0f : 1.0f; });
  for (const int window : {3, 7, 11}) {
    for (const int directions : {2, 8, window == 3 ? 9 : 16}) {
      const FoagddOptions options{
          .directions = directions, .verify_scales = 1, .rho = 4, .window = window, .corner_threshold = -100};
      const std::vector<FoagddPoint> found = corners(image, options);
      EXPECT_GT(found.size(), 50u) << window << " " << directions;
      for (const FoagddPoint& p : found) {
        EXPECT_GT(log10_of_measure(p.key), -100);
        EXPECT_LT(log10_of_measure(p.key), 130);
      }
    }
  }
}

TEST(Foagdd, TinyImagesHaveNoCornersAndNoErrors) {
  for (int width = 1; width < 20; ++width) {
    for (int height : {1, 2, 7, 11, 12, 13, 19}) {
      const Image image =
          drawn(width, height, [](int x, int y) { return static_cast<float>((x * 7 + y * 5) % 3) / 2; });
      const std::vector<FoagddPoint> found = corners(image);
      EXPECT_TRUE(found.empty() || (width >= 12 && height >= 12));
      for (const FoagddPoint& p : found) {
        EXPECT_TRUE(p.row >= 6 && p.row <= height - 6 && p.column >= 6 && p.column <= width - 6);
      }
    }
  }
}

// 2^k times the contrast gives exactly 2^(k(2K − 2)) times the measure.
TEST(Foagdd, ContrastByPowersOfTwoChangesNothingButTheMeasure) {
  for (const int k : {4, 8}) {
    const auto scaled = [](float by) {
      return drawn(90, 70, [by](int x, int y) {
        return by * static_cast<float>((x * x / 9 + y * 7 + x * y / 5) % 64 + ((x / 11 + y / 13) % 2) * 190) / 256;
      });
    };
    const double threshold = k == 8 ? 8 : 3;
    const std::vector<FoagddPoint> bright = corners(scaled(1), {.directions = k, .corner_threshold = threshold});
    ASSERT_GT(bright.size(), 10u);
    for (int halvings : {1, 4, 8, 16}) {
      const int powers = halvings * (2 * k - 2);
      const FoagddOptions options{.directions = k, .corner_threshold = threshold - powers * std::log10(2.0)};
      const std::vector<FoagddPoint> dark = corners(scaled(std::ldexp(1.0f, -halvings)), options);
      ASSERT_EQ(dark.size(), bright.size()) << halvings;
      for (std::size_t i = 0; i < dark.size(); ++i) {
        EXPECT_EQ(dark[i].row, bright[i].row);
        EXPECT_EQ(dark[i].column, bright[i].column);
        EXPECT_EQ(bright[i].key - dark[i].key, powers << key_mantissa_bits);
      }
    }
  }
}

TEST(Foagdd, OptionsOutOfRangeAreNamed) {
  const auto sentence = [](const FoagddOptions& options) -> std::string {
    try {
      validate(options);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(sentence({}), "");
  EXPECT_EQ(sentence({.directions = 1}), "directions is 1, but must be between 2 and 16");
  EXPECT_EQ(sentence({.verify_scales = 6}), "verify_scales is 6, but must be between 1 and 5");
  EXPECT_EQ(sentence({.rho = 0.5}), "rho is 0.5, but must be between 1 and 4");
  EXPECT_EQ(sentence({.window = 13}), "window is 13, but must be between 3 and 11");
  EXPECT_EQ(sentence({.directions = 10, .window = 3}), "directions is 10, but must be at most 9 with a window of 3");
  EXPECT_EQ(sentence({.window = 8}), "window is 8, but must be odd");
  EXPECT_EQ(sentence({.corner_threshold = 101}), "corner_threshold is 101, but must be between -100 and 100");
  EXPECT_EQ(sentence({.descriptor_scale = 9}), "descriptor_scale is 9, but must be between 1.6 and 8");
  EXPECT_EQ(sentence({.max_features = -1}), "max_features is -1, but must be between 0 and 100000000");
  EXPECT_EQ(sentence({.grid = 0}), "grid is 0, but must be between 1 and 64");
}

// A sample of all keys at equal steps, the keys around 1, and the neighbours of each.
std::vector<std::int32_t> many_keys() {
  std::vector<std::int32_t> keys;
  constexpr std::int32_t one = key_bias << key_mantissa_bits;
  for (std::int32_t key = 1; key < INT32_MAX - 100'000; key += 104'729) keys.insert(keys.end(), {key, key + 1});
  for (std::int32_t key = one - 2000; key < one + 2000; ++key) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(FoagddMeasure, ResponsesAreRoundedOnce) {
  for (const std::int32_t key : many_keys()) {
    const int exponent = (key >> key_mantissa_bits) - key_bias;
    const long double mantissa = 1 + std::ldexp(static_cast<long double>(key & ((1 << key_mantissa_bits) - 1)), -20);
    const long double exact =
        (exponent + std::log2(mantissa)) * std::numbers::ln2_v<long double> / std::numbers::ln10_v<long double>;
    ASSERT_EQ(log10_of_measure(key), static_cast<float>(exact)) << key;
    ASSERT_EQ(response_of_key(key), static_cast<float>(exact)) << key;
  }
  EXPECT_EQ(log10_of_measure(key_bias << key_mantissa_bits), 0.0f);
}

TEST(FoagddMeasure, RanksAreOrderedAsResponsesAndLeadBackToThem) {
  float before = -INFINITY, rank_before = 0;
  for (const std::int32_t key : many_keys()) {
    const float response = log10_of_measure(key), rank = rank_of_response(response);
    ASSERT_TRUE(rank > 0 && std::isfinite(rank)) << key;
    ASSERT_GE(response, before) << key;
    ASSERT_EQ(rank > rank_before, response > before) << key;
    ASSERT_EQ(rank == rank_before, response == before) << key;
    ASSERT_EQ(response_of_rank(rank), response) << key;
    if (response > -120) {
      ASSERT_TRUE(std::isnormal(rank)) << key;
    }
    before = response;
    rank_before = rank;
  }
}

}  // namespace
}  // namespace octavo
