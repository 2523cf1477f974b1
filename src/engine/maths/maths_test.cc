// The polynomials keep their bounds against double precision, and every instruction set computes the same bits as plain
// C++.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/maths/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/maths/maths_test.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two above must come first.
#include "engine/device/cpu_isa.h"
#include "engine/maths/per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

// out[k][i] = function k of (a[i], b[i]), vector by vector; n is a multiple of the vector length.
void evaluate(const float* a, const float* b, float* const out[5], std::size_t n) {
  using namespace vector;
  for (std::size_t i = 0; i < n; i += hn::Lanes(FloatTag())) {
    const float_v x = hn::LoadU(FloatTag(), a + i), y = hn::LoadU(FloatTag(), b + i);
    hn::StoreU(angle_in_turns(y, x), FloatTag(), out[0] + i);
    hn::StoreU(exp2_float(x * splat(20.0f)), FloatTag(), out[1] + i);
    hn::StoreU(sine_of_turns(x), FloatTag(), out[2] + i);
    hn::StoreU(cosine_of_turns(x), FloatTag(), out[3] + i);
    hn::StoreU(difference_of_products(x, y, y + splat(0.1f), x), FloatTag(), out[4] + i);
  }
}

// out[i] = a[i]·b[i] + c[i]
void multiply_and_add(const float* a, const float* b, const float* c, float* out, std::size_t n) {
  using namespace vector;
  const FloatTag d;
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(fma(hn::LoadU(d, a + i), hn::LoadU(d, b + i), hn::LoadU(d, c + i)), d, out + i);
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {
namespace {

HWY_EXPORT(evaluate);
HWY_EXPORT(multiply_and_add);

struct Inputs {
  std::vector<float> a, b;
};

Inputs inputs() {
  Inputs in;
  std::uint32_t seed = 1;
  const auto next = [&] {
    seed = seed * 1664525u + 1013904223u;
    return (static_cast<float>(seed >> 8) / 8388608.0f - 1.0f) * 2.0f;
  };
  for (int i = 0; i < 1 << 18; ++i) {
    in.a.push_back(next());
    in.b.push_back(next());
  }
  const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e-20f, -1e-20f, 0.25f};
  for (int i = 0; i < 64; ++i) {
    in.a[static_cast<std::size_t>(i)] = special[i % 8];
    in.b[static_cast<std::size_t>(i)] = special[i / 8];
  }
  return in;
}

struct Factors {
  std::vector<float> a, b, c;

  void add(float x, float y, float z) {
    a.push_back(x);
    b.push_back(y);
    c.push_back(z);
  }
};

// Sums that cancel, that lie midway between two numbers or a little beside it, that are subnormal, huge, infinite or
// zero.
Factors hard_cases() {
  Factors f;
  const float infinity = std::numeric_limits<float>::infinity();
  const float special[] = {0.0f,      1.0f,     0x1p-149f, 0x1p-126f,       0x1.fffffep-127f, 0x1p-60f,
                           0x1p-75f,  0x1p24f,  0x1p-24f,  0x1.fffffep127f, 1 + 0x1p-23f,     1 - 0x1p-24f,
                           0x1.8p-1f, 3 * 0.5f, infinity,  std::nanf("")};
  for (const float x : special) {
    for (const float y : special) {
      for (const float z : special) {
        for (int signs = 0; signs < 8; ++signs) f.add(signs & 1 ? -x : x, signs & 2 ? -y : y, signs & 4 ? -z : z);
      }
    }
  }
  std::uint64_t state = 1;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state >> 32);
  };
  const auto scaled = [&](float x, int range) {
    return std::ldexp(x, static_cast<int>(next() % static_cast<std::uint32_t>(2 * range)) - range);
  };
  for (int i = 0; i < 1 << 21; ++i) {
    const std::uint32_t coarse = 0xffffffffu << (next() % 24);
    const float a = std::bit_cast<float>(next() & coarse), b = std::bit_cast<float>(next() & coarse);
    float c = std::bit_cast<float>(next() & coarse);
    if (i % 4 == 1) c = std::bit_cast<float>(std::bit_cast<std::uint32_t>(-a * b) + next() % 16 - 8);
    if (i % 4 == 2) c = std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled(a * b, 30)) & coarse);
    f.add(a, b, c);
    // Half a unit of the last place of c, and less or more than that by too little for a double.
    if (i % 4 == 3) {
      const float odd = 1 + static_cast<float>(next() % (1 << 23)) * 0x1p-23f, half = 0x1p-24f;
      const float scale = scaled(1, 120), beside = 1 + static_cast<float>(static_cast<int>(next() % 3) - 1) * 0x1p-12f;
      f.add(half * beside, scale * (2 - beside), next() % 2 == 0 ? odd * scale : -odd * scale);
    }
  }
  while (f.a.size() % 64 != 0) f.add(0, 0, 0);
  return f;
}

// The sign of a NaN is not told.
std::uint32_t bits_of(float x) { return std::isnan(x) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(x); }

// Whether fmaf of the C library rounds once. That of mingw-w64 rounds the sum before.
bool library_rounds_once() {
  volatile float a = 1 + 0x1p-12f, c = 0x1p-100f;  // the compiler would compute it itself, and right
  return std::fma(a, a, c) == 1 + 0x1p-11f + 0x1p-23f;
}

TEST(Maths, FusedMultiplyAddRoundsOnce) {
  const Factors f = hard_cases();
  const bool has_oracle = library_rounds_once();
  std::vector<std::vector<float>> found;
  for (const Isa& isa : supported_isas()) {
    found.emplace_back(f.a.size());
    pick(HWY_DISPATCH_TABLE(multiply_and_add), isa)(f.a.data(), f.b.data(), f.c.data(), found.back().data(),
                                                    f.a.size());
  }
  for (std::size_t i = 0; i < f.a.size(); ++i) {
    const auto told = [&] { return testing::Message() << std::hexfloat << f.a[i] << " " << f.b[i] << " " << f.c[i]; };
    // Without the library's, the first instruction set tells what is right: AVX2 and its successors have the operation.
    const std::uint32_t expected = bits_of(has_oracle ? std::fma(f.a[i], f.b[i], f.c[i]) : found.front()[i]);
    ASSERT_EQ(bits_of(maths::fma(f.a[i], f.b[i], f.c[i])), expected) << told();
    for (std::size_t k = 0; k < found.size(); ++k) {
      ASSERT_EQ(bits_of(found[k][i]), expected) << supported_isas()[k].name << " " << told();
    }
  }
}

TEST(Maths, AngleKeepsItsBound) {
  const Inputs in = inputs();
  double worst = 0;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const float turns = maths::angle_in_turns(in.b[i], in.a[i]);
    ASSERT_GE(turns, 0.0f);
    ASSERT_LE(turns, 1.0f);
    const double error = turns - std::atan2(in.b[i] + 0.0, in.a[i] + 0.0) / (2 * std::numbers::pi);
    worst = std::max(worst, std::abs(error - std::round(error)));
  }
  EXPECT_LT(worst, 1e-6);
  EXPECT_EQ(maths::angle_in_turns(0, 0), 0.0f);
}

TEST(Maths, PowerOfTwoKeepsItsBound) {
  double worst = 0;
  for (float x = -126; x <= 127; x += 0.00103f) {
    worst = std::max(worst, std::abs(maths::exp2_float(x) / std::exp2(double(x)) - 1));
  }
  EXPECT_LT(worst, 3e-7);
  EXPECT_EQ(maths::exp2_float(-1000), maths::exp2_float(-126));
}

TEST(Maths, SineAndCosineKeepTheirBounds) {
  double worst = 0;
  for (float t = -4; t <= 4; t += 0.000103f) {
    worst = std::max(worst, std::abs(maths::sine_of_turns(t) - std::sin(2 * std::numbers::pi * t)));
    worst = std::max(worst, std::abs(maths::cosine_of_turns(t) - std::cos(2 * std::numbers::pi * t)));
  }
  EXPECT_LT(worst, 4e-7);
}

TEST(Maths, EveryInstructionSetComputesTheSameBits) {
  const Inputs in = inputs();
  const std::size_t n = in.a.size();
  std::vector<std::vector<float>> expected(5, std::vector<float>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const float x = in.a[i], y = in.b[i];
    expected[0][i] = maths::angle_in_turns(y, x);
    expected[1][i] = maths::exp2_float(x * 20.0f);
    expected[2][i] = maths::sine_of_turns(x);
    expected[3][i] = maths::cosine_of_turns(x);
    expected[4][i] = maths::difference_of_products(x, y, y + 0.1f, x);
  }
  for (const Isa& isa : supported_isas()) {
    std::vector<std::vector<float>> got(5, std::vector<float>(n));
    float* const out[5] = {got[0].data(), got[1].data(), got[2].data(), got[3].data(), got[4].data()};
    pick(HWY_DISPATCH_TABLE(evaluate), isa)(in.a.data(), in.b.data(), out, n);
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(std::memcmp(got[k].data(), expected[k].data(), n * sizeof(float)), 0) << isa.name << ", function " << k;
    }
  }
}

}  // namespace
}  // namespace octavo
#endif
