#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/images/decode_error.h"

namespace octavo::io {

/// An item of a HEIF file: a coded image, or one that is made from others.
struct HeifItem {
  std::string type{};                      ///< four letters, such as "hvc1", "av01" or "grid"
  std::vector<Bytes> data{};               ///< in the order of the file; they may overlap
  Bytes hevc{}, av1{};                     ///< the contents of its first boxes "hvcC" and "av1C"
  std::vector<std::uint64_t> made_from{};  ///< the items that a derived image shows, as often as it does
  std::vector<std::uint64_t> auxiliary{};  ///< the items that are its alpha channel and others of that kind
};

struct HeifItems {
  std::uint64_t primary = 0;
  std::map<std::uint64_t, HeifItem> items{};
};

/// A file has at most so many items: a grid has 256 × 256 tiles at most.
inline constexpr std::size_t most_heif_items = (1 << 16) + (1 << 10);

/// The items of a file. A missing table is left out, as libheif reports it. Throws DecodeError for a table that asks
/// for more entries than it has bytes for, and for what libheif could take otherwise.
HeifItems heif_items(Bytes file);

/// The big-endian number in the first `size` bytes, 8 at most, which are taken from the front. Missing bytes count as
/// 0.
std::uint64_t take_number(Bytes& bytes, std::size_t size);

}  // namespace octavo::io
