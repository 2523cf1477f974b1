#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/results/part_note.h"
#include "octavo/video/archive_search.h"
#include "octavo/video/video_archive.h"

// Pairs of clips in a file (write_part), which a shard of ArchiveSearch::duplicates, or a merge of all shards, has
// found. An item is a clip: the name is its content, and the content has its pairs with other clips in their order, as
// JSON: [{"b", "segments"}…], with the content of the other clip, and of each segment the numbers [query_in, query_out,
// other_in, other_out, speed, mirrored, a, b, tx, ty, frames, inliers, score]. They are read as they were written, to
// the last bit.

namespace OCTAVO_INTERNAL_API octavo {

/// The items of duplicates: the contents of all clips of these archives.
PartInputs inputs_of(std::span<const VideoArchive> archives);

/// Writes the pairs in their order. Throws Error(file_error).
void write_clip_pairs(const std::filesystem::path& file, const PartNote& note, std::span<const ClipPair> pairs);

/// Reads the pairs of a file that has those of all shards, with what the archives know of the clips, coverages, scores
/// and verdicts. Throws Error(file_error), which names the file, if it is damaged, has a part of the pairs, or if its
/// clips are not those of the archives.
std::vector<ClipPair> read_clip_pairs(const std::filesystem::path& file, std::span<const VideoArchive> archives);

}  // namespace octavo
