#include "match/nearest_block.h"

#include <algorithm>
#include <array>
#include <bit>

#include "match/nearest.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "match/nearest_block.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "match/dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::int32_t>;
using Keys = hn::ScalableTag<std::uint32_t>;
using Key = hn::Vec<Keys>;

// The registers of the inner loop: rows × vectors sums, the vectors of b, one a.
constexpr std::ptrdiff_t kRows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;
constexpr std::ptrdiff_t kVectors = 2;
constexpr std::ptrdiff_t kLanes = hn::MaxLanes(Words());
constexpr std::ptrdiff_t kColumns = kVectors * kLanes;
constexpr std::ptrdiff_t kPanels = key_numbers / kVectors;
static_assert(block_rows % kRows == 0);

constexpr std::uint32_t kPadding = (max_descriptor_distance2 + 1) * key_numbers;

// Element i of a descriptor as it is multiplied: 127 − aᵢ of a row, bᵢ of a column.
template <class Element>
void Interleave(const std::uint8_t* descriptors, int count, int lanes, bool row, std::int32_t* words) {
  constexpr int kElements = sizeof(std::int32_t) / sizeof(Element);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint8_t* descriptor = descriptors + lane * descriptor_length;
    for (int w = 0; w < kWords; ++w) {
      std::array<Element, kElements> elements;
      for (int e = 0; e < kElements; ++e) {
        const int x = lane < count ? descriptor[w * kElements + e] : 0;
        elements[e] = static_cast<Element>(row ? 127 - x : x);
      }
      words[w * lanes + lane] = std::bit_cast<std::int32_t>(elements);
    }
  }
}

void PackRows(const std::uint8_t* descriptors, int count, std::int32_t* words, std::uint32_t* terms) {
  Interleave<RowElement>(descriptors, count, kRows, true, words);
  for (int r = 0; r < kRows; ++r) {
    std::uint32_t squares = 0;
    for (std::size_t k = 0; k < descriptor_length && r < count; ++k) {
      const std::uint32_t x = descriptors[r * descriptor_length + k];
      squares += x * x;
    }
    terms[r] = r < count ? squares * key_numbers : kPadding;
  }
}

void PackColumns(const std::uint8_t* descriptors, int count, std::int32_t* words, std::uint32_t* terms) {
  Interleave<ColumnElement>(descriptors, count, kColumns, false, words);
  for (int c = 0; c < kColumns; ++c) {
    std::uint32_t term = 0;
    for (std::size_t k = 0; k < descriptor_length && c < count; ++k) {
      const std::uint32_t x = descriptors[c * descriptor_length + k];
      term += x * x - 254 * x;  // modulo 2^32, as all sums of keys
    }
    terms[c] = c < count ? term * key_numbers : kPadding;
  }
}

// The two smallest keys of a row, lane by lane.
struct RowState {
  HWY_ALIGN std::uint32_t first[kLanes];
  HWY_ALIGN std::uint32_t second[kLanes];
};

// One group of rows against one panel. `number` is that of the panel's first vector in its tile.
template <bool kBoth>
HWY_INLINE void ScanGroup(const std::int32_t* HWY_RESTRICT a, const std::uint32_t* HWY_RESTRICT a_terms,
                          const std::int32_t* HWY_RESTRICT b, const std::uint32_t* HWY_RESTRICT b_terms,
                          std::uint32_t number, std::uint32_t first_row, RowState* HWY_RESTRICT state,
                          std::uint32_t* HWY_RESTRICT column_keys) {
  const Words words;
  const Keys keys;
  hn::Vec<Words> sum[kRows][kVectors];
  for (auto& row : sum) {
    for (auto& vector : row) vector = hn::Zero(words);
  }
  for (int w = 0; w < kWords; ++w) {
    hn::Vec<Words> column[kVectors];
    HWY_UNROLL(kVectors)
    for (int v = 0; v < kVectors; ++v) column[v] = hn::Load(words, b + w * kColumns + v * kLanes);
    HWY_UNROLL(kRows)
    for (int r = 0; r < kRows; ++r) {
      const auto row = hn::Set(words, a[w * kRows + r]);
      HWY_UNROLL(kVectors)
      for (int v = 0; v < kVectors; ++v) sum[r][v] = AddDot(sum[r][v], row, column[v]);
    }
  }

  Key term[kVectors], column_key[kVectors];
  HWY_UNROLL(kVectors)
  for (int v = 0; v < kVectors; ++v) {
    term[v] = hn::Add(hn::Load(keys, b_terms + v * kLanes), hn::Set(keys, number + v));
    column_key[v] = hn::Set(keys, ~0u);
  }
  HWY_UNROLL(kRows)
  for (int r = 0; r < kRows; ++r) {
    const Key row_term = hn::Set(keys, a_terms[r]);
    Key first = hn::Load(keys, state[r].first);
    Key second = hn::Load(keys, state[r].second);
    HWY_UNROLL(kVectors)
    for (int v = 0; v < kVectors; ++v) {
      const Key twice = hn::ShiftLeft<9>(hn::BitCast(keys, sum[r][v]));
      const Key key = hn::Add(hn::Add(twice, term[v]), row_term);
      second = hn::Min(second, hn::Max(first, key));
      first = hn::Min(first, key);
      if constexpr (kBoth) column_key[v] = hn::Min(column_key[v], hn::Add(key, hn::Set(keys, std::uint32_t(r))));
    }
    hn::Store(first, keys, state[r].first);
    hn::Store(second, keys, state[r].second);
  }
  if constexpr (kBoth) {
    HWY_UNROLL(kVectors)
    for (int v = 0; v < kVectors; ++v) {
      const Key key = hn::Add(column_key[v], hn::Set(keys, first_row - number - v));
      std::uint32_t* so_far = column_keys + v * kLanes;
      hn::Store(hn::Min(hn::Load(keys, so_far), key), keys, so_far);
    }
  }
}

// The lane that holds the smallest key, the first of several.
HWY_INLINE std::int32_t SmallestLane(Key key) {
  const Keys keys;
  return static_cast<std::int32_t>(hn::FindKnownFirstTrue(keys, hn::Eq(key, hn::MinOfLanes(keys, key))));
}

// The two smallest keys of all lanes go to `nearest`.
HWY_INLINE void OfferSmallest(const RowState& state, std::int32_t first_column, NearestTwo& nearest) {
  const Keys keys;
  const Key first = hn::Load(keys, state.first);
  const std::int32_t lane = SmallestLane(first);
  // The lane that won goes on with its second key.
  const auto won = hn::Eq(hn::Iota(keys, 0), hn::Set(keys, static_cast<std::uint32_t>(lane)));
  const std::int32_t next_lane = SmallestLane(hn::IfThenElse(won, hn::Load(keys, state.second), first));
  const std::uint32_t next_key = next_lane == lane ? state.second[lane] : state.first[next_lane];
  for (const auto& [key, l] : {std::pair(state.first[lane], lane), std::pair(next_key, next_lane)}) {
    const std::uint32_t d2 = key / key_numbers;
    if (d2 > max_descriptor_distance2) return;  // padding, or nothing
    offer(nearest, d2, static_cast<std::int32_t>(first_column + key % key_numbers * kLanes + l));
  }
}

template <bool kBoth>
void ScanBlock(const PackedRows& a, int rows, int first_row, const PackedColumns& b, int panels,
               std::int32_t first_column, NearestTwo* nearest, std::uint32_t* column_keys) {
  RowState state[block_rows];
  const Keys keys;
  const std::ptrdiff_t groups = (rows + kRows - 1) / kRows;
  for (int r = 0; r < groups * kRows; ++r) {
    hn::Store(hn::Set(keys, ~0u), keys, state[r].first);
    hn::Store(hn::Set(keys, ~0u), keys, state[r].second);
  }
  for (int p = 0; p < panels; ++p) {
    for (int g = 0; g < groups; ++g) {
      ScanGroup<kBoth>(a.words + g * kRows * kWords, a.terms + g * kRows, b.words + p * kColumns * kWords,
                       b.terms + p * kColumns, static_cast<std::uint32_t>(p * kVectors),
                       static_cast<std::uint32_t>(first_row + g * kRows), state + g * kRows,
                       kBoth ? column_keys + p * kColumns : nullptr);
    }
  }
  for (int r = 0; r < rows; ++r) OfferSmallest(state[r], first_column, nearest[r]);
}

void Scan(const PackedRows& a, int rows, int first_row, const PackedColumns& b, int panels, std::int32_t first_column,
          NearestTwo* nearest, std::uint32_t* column_keys) {
  const auto scan = column_keys != nullptr ? ScanBlock<true> : ScanBlock<false>;
  scan(a, rows, first_row, b, panels, first_column, nearest, column_keys);
}

NearestBlock Block() { return {kRows, kColumns, kPanels, kWords, PackRows, PackColumns, Scan}; }

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(Block);

NearestBlock nearest_block(const Isa& isa) { return pick(HWY_DISPATCH_TABLE(Block), isa)(); }

}  // namespace octavo
#endif
