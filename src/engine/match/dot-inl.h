// The dot product of the matcher in one instruction set: per 32-bit lane, several elements of a row (signed) times the
// same elements of a column (unsigned), added to a sum. Four bytes if there is an instruction for it (AVX-512 VNNI),
// otherwise two 16-bit numbers, since 8-bit products added in 16 bits would saturate.

#if defined(OCTAVO_MATCH_DOT) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_MATCH_DOT
#undef OCTAVO_MATCH_DOT
#else
#define OCTAVO_MATCH_DOT
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "octavo/keypoint.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3_DL
using RowElement = std::int8_t;
using ColumnElement = std::uint8_t;
#else
using RowElement = std::int16_t;
using ColumnElement = std::int16_t;
#endif

// 32-bit words of a descriptor.
constexpr std::ptrdiff_t descriptor_words = descriptor_length * sizeof(RowElement) / sizeof(std::int32_t);

template <class V>
HWY_INLINE V add_dot(V sum, V row, V column) {
#if HWY_TARGET == HWY_AVX3_DL
  // The instruction is written directly, since Highway 1.0.3 does not offer it for this target.
  asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(column.raw), "v"(row.raw));
  return sum;
#elif HWY_TARGET == HWY_AVX3
  return V{_mm512_add_epi32(sum.raw, _mm512_madd_epi16(row.raw, column.raw))};
#elif HWY_TARGET == HWY_AVX2
  return V{_mm256_add_epi32(sum.raw, _mm256_madd_epi16(row.raw, column.raw))};
#elif HWY_TARGET == HWY_SSE4
  return V{_mm_add_epi32(sum.raw, _mm_madd_epi16(row.raw, column.raw))};
#else
  namespace hn = hwy::HWY_NAMESPACE;
  const auto low = [](V v) HWY_ATTR { return hn::ShiftRight<16>(hn::ShiftLeft<16>(v)); };
  const auto high = [](V v) HWY_ATTR { return hn::ShiftRight<16>(v); };
  return hn::Add(sum, hn::Add(hn::Mul(low(row), low(column)), hn::Mul(high(row), high(column))));
#endif
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
