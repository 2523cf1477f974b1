#include "engine/match/nearest_block.h"

#include <algorithm>
#include <array>
#include <bit>

#include "engine/match/nearest.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/match/nearest_block.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engine/match/dot-inl.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<std::int32_t>;
using Keys = hn::ScalableTag<std::uint32_t>;
using Key = hn::Vec<Keys>;

// The registers of the inner loop: rows × vectors sums, the vectors of b, and one a.
constexpr std::ptrdiff_t group_rows = HWY_TARGET <= HWY_AVX3 ? 12 : 6;
constexpr std::ptrdiff_t panel_vectors = 2;
constexpr std::ptrdiff_t lane_count = hn::MaxLanes(Words());
constexpr std::ptrdiff_t panel_columns = panel_vectors * lane_count;
constexpr std::ptrdiff_t tile_panels = key_numbers / panel_vectors;
static_assert(block_rows % group_rows == 0);

constexpr std::uint32_t padding_key = (max_descriptor_distance2 + 1) * key_numbers;

// Element i of a descriptor as a factor: 127 − aᵢ of a row, bᵢ of a column.
template <class Element>
void interleave(const std::uint8_t* descriptors, int count, int lanes, bool row, std::int32_t* words) {
  constexpr int elements_of_word = sizeof(std::int32_t) / sizeof(Element);
  for (int lane = 0; lane < lanes; ++lane) {
    const std::uint8_t* descriptor = descriptors + lane * descriptor_length;
    for (int w = 0; w < descriptor_words; ++w) {
      std::array<Element, elements_of_word> elements;
      for (int e = 0; e < elements_of_word; ++e) {
        const int x = lane < count ? descriptor[w * elements_of_word + e] : 0;
        elements[e] = static_cast<Element>(row ? 127 - x : x);
      }
      words[w * lanes + lane] = std::bit_cast<std::int32_t>(elements);
    }
  }
}

void pack_rows(const std::uint8_t* descriptors, int count, std::int32_t* words, std::uint32_t* terms) {
  interleave<RowElement>(descriptors, count, group_rows, true, words);
  for (int r = 0; r < group_rows; ++r) {
    std::uint32_t squares = 0;
    for (std::size_t k = 0; k < descriptor_length && r < count; ++k) {
      const std::uint32_t x = descriptors[r * descriptor_length + k];
      squares += x * x;
    }
    terms[r] = r < count ? squares * key_numbers : padding_key;
  }
}

void pack_columns(const std::uint8_t* descriptors, int count, std::int32_t* words, std::uint32_t* terms) {
  interleave<ColumnElement>(descriptors, count, panel_columns, false, words);
  for (int c = 0; c < panel_columns; ++c) {
    std::uint32_t term = 0;
    for (std::size_t k = 0; k < descriptor_length && c < count; ++k) {
      const std::uint32_t x = descriptors[c * descriptor_length + k];
      term += x * x - 254 * x;  // modulo 2^32, like all sums of keys
    }
    terms[c] = c < count ? term * key_numbers : padding_key;
  }
}

// The two smallest keys of a row in each lane.
struct RowState {
  HWY_ALIGN std::uint32_t first[lane_count];
  HWY_ALIGN std::uint32_t second[lane_count];
};

// Compares one group of rows with one panel. `number` is that of the panel's first vector in its tile.
template <bool both>
HWY_INLINE void scan_group(const std::int32_t* HWY_RESTRICT a, const std::uint32_t* HWY_RESTRICT a_terms,
                           const std::int32_t* HWY_RESTRICT b, const std::uint32_t* HWY_RESTRICT b_terms,
                           std::uint32_t number, std::uint32_t first_row, RowState* HWY_RESTRICT state,
                           std::uint32_t* HWY_RESTRICT column_keys) {
  const Words words;
  const Keys keys;
  hn::Vec<Words> sum[group_rows][panel_vectors];
  for (auto& row : sum) {
    for (auto& vector : row) vector = hn::Zero(words);
  }
  for (int w = 0; w < descriptor_words; ++w) {
    hn::Vec<Words> column[panel_vectors];
    HWY_UNROLL(panel_vectors)
    for (int v = 0; v < panel_vectors; ++v) column[v] = hn::Load(words, b + w * panel_columns + v * lane_count);
    HWY_UNROLL(group_rows)
    for (int r = 0; r < group_rows; ++r) {
      const auto row = hn::Set(words, a[w * group_rows + r]);
      HWY_UNROLL(panel_vectors)
      for (int v = 0; v < panel_vectors; ++v) sum[r][v] = add_dot(sum[r][v], row, column[v]);
    }
  }

  Key term[panel_vectors], column_key[panel_vectors];
  HWY_UNROLL(panel_vectors)
  for (int v = 0; v < panel_vectors; ++v) {
    term[v] = hn::Add(hn::Load(keys, b_terms + v * lane_count), hn::Set(keys, number + v));
    column_key[v] = hn::Set(keys, ~0u);
  }
  HWY_UNROLL(group_rows)
  for (int r = 0; r < group_rows; ++r) {
    const Key row_term = hn::Set(keys, a_terms[r]);
    Key first = hn::Load(keys, state[r].first);
    Key second = hn::Load(keys, state[r].second);
    HWY_UNROLL(panel_vectors)
    for (int v = 0; v < panel_vectors; ++v) {
      const Key twice = hn::ShiftLeft<9>(hn::BitCast(keys, sum[r][v]));
      const Key key = hn::Add(hn::Add(twice, term[v]), row_term);
      second = hn::Min(second, hn::Max(first, key));
      first = hn::Min(first, key);
      if constexpr (both) column_key[v] = hn::Min(column_key[v], hn::Add(key, hn::Set(keys, std::uint32_t(r))));
    }
    hn::Store(first, keys, state[r].first);
    hn::Store(second, keys, state[r].second);
  }
  if constexpr (both) {
    HWY_UNROLL(panel_vectors)
    for (int v = 0; v < panel_vectors; ++v) {
      const Key key = hn::Add(column_key[v], hn::Set(keys, first_row - number - v));
      std::uint32_t* so_far = column_keys + v * lane_count;
      hn::Store(hn::Min(hn::Load(keys, so_far), key), keys, so_far);
    }
  }
}

// The lane that holds the smallest key; of several the first.
HWY_INLINE std::int32_t smallest_lane(Key key) {
  const Keys keys;
  return static_cast<std::int32_t>(hn::FindKnownFirstTrue(keys, hn::Eq(key, hn::MinOfLanes(keys, key))));
}

// Offers the two smallest keys of all lanes to `nearest`.
HWY_INLINE void offer_smallest(const RowState& state, std::int32_t first_column, NearestTwo& nearest) {
  const Keys keys;
  const Key first = hn::Load(keys, state.first);
  const std::int32_t lane = smallest_lane(first);
  // The lane of the smallest key continues with its second key.
  const auto won = hn::Eq(hn::Iota(keys, 0), hn::Set(keys, static_cast<std::uint32_t>(lane)));
  const std::int32_t next_lane = smallest_lane(hn::IfThenElse(won, hn::Load(keys, state.second), first));
  const std::uint32_t next_key = next_lane == lane ? state.second[lane] : state.first[next_lane];
  for (const auto& [key, l] : {std::pair(state.first[lane], lane), std::pair(next_key, next_lane)}) {
    const std::uint32_t d2 = key / key_numbers;
    if (d2 > max_descriptor_distance2) return;  // padding, or no candidate
    offer(nearest, d2, static_cast<std::int32_t>(first_column + key % key_numbers * lane_count + l));
  }
}

template <bool both>
void scan_block(const PackedRows& a, int rows, int first_row, const PackedColumns& b, int panels,
                std::int32_t first_column, NearestTwo* nearest, std::uint32_t* column_keys) {
  RowState state[block_rows];
  const Keys keys;
  const std::ptrdiff_t groups = (rows + group_rows - 1) / group_rows;
  for (int r = 0; r < groups * group_rows; ++r) {
    hn::Store(hn::Set(keys, ~0u), keys, state[r].first);
    hn::Store(hn::Set(keys, ~0u), keys, state[r].second);
  }
  for (int p = 0; p < panels; ++p) {
    for (int g = 0; g < groups; ++g) {
      scan_group<both>(a.words + g * group_rows * descriptor_words, a.terms + g * group_rows,
                       b.words + p * panel_columns * descriptor_words, b.terms + p * panel_columns,
                       static_cast<std::uint32_t>(p * panel_vectors),
                       static_cast<std::uint32_t>(first_row + g * group_rows), state + g * group_rows,
                       both ? column_keys + p * panel_columns : nullptr);
    }
  }
  for (int r = 0; r < rows; ++r) offer_smallest(state[r], first_column, nearest[r]);
}

void scan_tile(const PackedRows& a, int rows, int first_row, const PackedColumns& b, int panels,
               std::int32_t first_column, NearestTwo* nearest, std::uint32_t* column_keys) {
  const auto scan = column_keys != nullptr ? scan_block<true> : scan_block<false>;
  scan(a, rows, first_row, b, panels, first_column, nearest, column_keys);
}

NearestBlock block_of_isa() {
  return {group_rows, panel_columns, tile_panels, descriptor_words, pack_rows, pack_columns, scan_tile};
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(block_of_isa);

NearestBlock nearest_block(const Isa& isa) { return pick(HWY_DISPATCH_TABLE(block_of_isa), isa)(); }

}  // namespace octavo
#endif
