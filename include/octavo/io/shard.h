#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "octavo/api.h"

// A job in shards: several processes, on one machine or many, each do a part of its items.

namespace OCTAVO_API octavo {

/// One of the parts of a job, such as 3 of 8.
struct Shard {
  std::uint32_t number = 1;  ///< 1…count
  std::uint32_t count = 1;   ///< 1…1 000 000; 1: the whole job
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Throws Error(invalid_option) for the option `shard` unless the text is "I/N" with 1 ≤ I ≤ N ≤ 1 000 000.
Shard shard_of_text(std::string_view text);

/// "3/8".
std::string text_of(const Shard& shard);

/// The number of the shard, of `count`, that an item belongs to. It depends on the item's name and `count` alone, so
/// items that are added move no other item: FNV-1a of 64 bits of the bytes of the name, mixed by the last step of
/// SplitMix64 (z ^= z >> 30, z *= 0xbf58476d1ce4e5b9, z ^= z >> 27, z *= 0x94d049bb133111eb, z ^= z >> 31), modulo
/// `count`, plus 1.
std::uint32_t shard_number(std::string_view name, std::uint32_t count);

/// Whether an item belongs to the shard.
inline bool has_item(const Shard& shard, std::string_view name) {
  return shard_number(name, shard.count) == shard.number;
}

/// What a shard of a job makes: a part. Each kind is merged in its own way.
enum class PartKind : std::uint8_t {
  features,         ///< a folder of files of features
  archive,          ///< an archive of clips
  colmap_features,  ///< a database of COLMAP without matches
  colmap_matches,   ///< matches for such a database
  found_clips,      ///< what some queries have found in archives
  clip_pairs,       ///< pairs of clips of archives
  hloc_features,    ///< a folder of files of features in HDF5, for one file of hloc's
  vlads,            ///< VLADs of images, for a list of pairs
};

/// "features", "archive", "colmap features", "colmap matches", "found clips", "pairs of clips",
/// "features for hloc" or "VLADs of images".
std::string_view name_of(PartKind kind);

}  // namespace octavo
