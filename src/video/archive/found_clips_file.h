#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/results/part_note.h"

// What the shards of a search have found: a file each. Its first line is the note of the part. Each further line has
// the place of a query in the list of all queries, a tab, and what it has found as JSON.

namespace OCTAVO_INTERNAL_API octavo {

/// What a query has found.
struct FoundText {
  std::size_t place = 0;  ///< of the query in the list of all
  std::string json{};     ///< on one line
};

/// Writes the part of a shard. Throws Error(file_error).
void write_found_clips(const std::filesystem::path& file, const PartNote& note, std::span<const FoundText> found);

/// Writes what one process prints as JSON: an array of all queries in their order, or the one of a list of one. Throws
/// Error(file_error), also for parts of one shard that have found different things.
void merge_found_clips(const std::filesystem::path& to, std::span<const Part> parts);

}  // namespace octavo
