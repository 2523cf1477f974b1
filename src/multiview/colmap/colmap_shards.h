#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "engine/core/internal_api.h"
#include "io/results/part_note.h"
#include "octavo/io/shard.h"
#include "octavo/multiview/colmap_job.h"

// A database of COLMAP by many processes: shards of the images give parts with features, which become a database of
// all images; shards of the pairs read that and give parts with matches. Merged they have the bytes of one
// fill_colmap_database. docs/scale.md describes it.

namespace OCTAVO_INTERNAL_API octavo {

/// Extracts the images of a shard, by their names, into the database `part`. The job has all images, and its pairs
/// are left aside. A part goes on where it was stopped, and takes further images. Throws as fill_colmap_database
/// does.
ColmapSummary extract_colmap_shard(const std::filesystem::path& part, const ColmapJob& job, const Shard& shard,
                                   const JobContext& context = {});

/// Matches the pairs of a shard, by the name of the image with the smaller image_id, into the database `part`. The
/// features are those of `features`, which is only read: a database of all images, made with the same options. The
/// job has all images and all pairs. Throws as fill_colmap_database does, and Error(file_error) for features of other
/// options.
ColmapSummary match_colmap_shard(const std::filesystem::path& part, const std::filesystem::path& features,
                                 const ColmapJob& job, const Shard& shard, const JobContext& context = {});

/// Whether the file is a database, and so may be a part of one.
bool is_colmap_database(const std::filesystem::path& file);

/// The note of a part. Throws Error(file_error), which names the file, if it is none.
Part colmap_part(const std::filesystem::path& file);

/// Writes the database of all images from the parts of all shards. `fail` gets a sentence for each image that
/// cannot be put into the database, such as one of another size than its camera. The file appears, or changes, as a
/// whole. Throws Error(file_error), also for two parts of one shard with different features.
void merge_colmap_features(const std::filesystem::path& to, std::span<const Part> parts,
                           const std::function<void(const std::string& sentence)>& fail = {});

/// Writes the database with matches from that of all images and the parts of all shards. Throws Error(file_error),
/// also for parts that were made with another database of features.
void merge_colmap_matches(const std::filesystem::path& to, const std::filesystem::path& features,
                          std::span<const Part> parts);

}  // namespace octavo
