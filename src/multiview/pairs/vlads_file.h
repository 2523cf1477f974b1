#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/results/part_note.h"

// VLADs of the images of a shard, from which a merge of all shards chooses the pairs of a collection. A file: its
// first line is the note of the part, whose settings have the number of `neighbours`. The second has the number of
// images and the length of a VLAD, R and L. A line "PLACE NAME" for each image follows, then R·L numbers of 16
// bits, little-endian, those of the first image first.

namespace OCTAVO_INTERNAL_API octavo {

struct NamedVlad {
  std::size_t place = 0;  ///< of the image among those of all shards, whose order decides between equal similarities
  std::string name{};     ///< without a line feed
  std::vector<std::int16_t> vlad{};  ///< of VladEncoder::encode, of the same length for all
};

/// Writes the part of a shard. Images that failed are left out. Throws Error(file_error).
void write_vlads(const std::filesystem::path& file, const PartNote& note, std::span<const NamedVlad> vlads);

/// Reads what write_vlads wrote. Throws Error(file_error) for any other file.
std::vector<NamedVlad> read_vlads(const std::filesystem::path& file);

/// Writes the list of pairs (pair_list) of all images with their similar ones: that of `octavo pairs` in one process.
/// All VLADs are in memory, and are compared on all processors. Throws Error(file_error), also for parts of one shard
/// that differ, Error(invalid_option) for the option `output` if `to` does not end in .txt, and Error(out_of_memory).
void merge_vlads(const std::filesystem::path& to, std::span<const Part> parts);

}  // namespace octavo
