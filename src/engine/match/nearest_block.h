// The vector arithmetic of the CPU's nearest neighbours: blocks of a's (rows) against tiles of b's (columns), compiled
// once per instruction set.
//
// With |a|², |b|² and Σb known, d² = |a|² + (|b|² − 254·Σb) + 2·Σ(127 − aᵢ)·bᵢ. The last sum is one of signed by
// unsigned bytes, as the dot product instructions require. A column is a lane: each 32-bit lane holds consecutive
// elements of one b and is multiplied by the same elements of an a, broadcast to all lanes, so the sum needs no
// horizontal step.
//
// A pair's key is d²·256 + the vector's number within the tile. It orders the pairs of a lane by (d², index), so
// minimum and maximum alone keep the two smallest of a lane: there is no branch, and the time does not depend on the
// data. The other direction keeps one minimum per column, with the row's number in place of the vector's. d² has 23
// bits. The 24th bit is for the padding of the last group and the last panel, whose distance exceeds that of any
// descriptor.

#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/device/cpu_isa.h"
#include "octavo/matcher.h"

namespace octavo {

/// The number of values of a key's low byte: a bound for the vectors per tile and the rows per chunk.
inline constexpr int key_numbers = 256;

/// The greatest number of rows of one `scan`: they and their state stay in the L1 cache.
inline constexpr int block_rows = 120;

/// Packed rows: groups of `rows_per_group` a's, interleaved word by word, and |a|²·256 of each.
struct PackedRows {
  const std::int32_t* words;
  const std::uint32_t* terms;
};

/// Packed columns: panels of `columns_per_panel` b's, interleaved word by word, and (|b|² − 254·Σb)·256 of each.
struct PackedColumns {
  const std::int32_t* words;
  const std::uint32_t* terms;
};

/// The functions of one instruction set, and the layout that they share. Packed arrays begin at cache lines.
struct NearestBlock {
  int rows_per_group;     ///< divides block_rows
  int columns_per_panel;  ///< a multiple of 16 bytes of lanes
  int panels_per_tile;
  int words_per_descriptor;  ///< 32-bit words of a packed descriptor

  /// One group of `count` ≤ rows_per_group descriptors; the rest is padding.
  void (*pack_rows)(const std::uint8_t* descriptors, int count, std::int32_t* words, std::uint32_t* terms);

  /// One panel of `count` ≤ columns_per_panel descriptors; the rest is padding.
  void (*pack_columns)(const std::uint8_t* descriptors, int count, std::int32_t* words, std::uint32_t* terms);

  /// Compares `rows` ≤ block_rows rows with the panels of one tile, whose first column has the number `first_column`.
  /// nearest[r] is offered the tile's nearest columns to row r. column_keys, if not null, holds for each column the
  /// smallest d²·256 + first_row + r so far; first_row + rows ≤ key_numbers.
  void (*scan)(const PackedRows& a, int rows, int first_row, const PackedColumns& b, int panels,
               std::int32_t first_column, NearestTwo* nearest, std::uint32_t* column_keys);
};

NearestBlock nearest_block(const Isa& isa);

}  // namespace octavo
