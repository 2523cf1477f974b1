#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/io/shard.h"

// The parts of a job in shards become one result. docs/scale.md describes the parts.

namespace OCTAVO_API octavo {

/// What a merge has made.
struct MergeSummary {
  PartKind kind = PartKind::features;
  std::uint32_t shards = 0;
  std::uint64_t items = 0;              ///< of all shards
  std::vector<std::string> problems{};  ///< what the shards and the merge could not do: a sentence each
};

/// Merges the parts of all shards into `to`: a folder of features, an archive, a database of COLMAP, or a file of what
/// was found. Among the parts of matches stands the database with the features that they were made from. The result is
/// that of one process: the same bytes, whatever the number of shards, the order of the parts, and how often shards and
/// merges were killed; an archive has the same digest. A part may be given twice. Throws Error(file_error), which names
/// the parts, if they are no parts, do not belong together, or a shard is missing; and Error(invalid_option) for the
/// option `output` if `to` is one of the parts.
MergeSummary merge_parts(const std::filesystem::path& to, std::span<const std::filesystem::path> parts);

}  // namespace octavo
