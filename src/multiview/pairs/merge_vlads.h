#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "engine/core/internal_api.h"
#include "io/results/part_note.h"

// VLADs of the images of a shard, from which a merge of all shards chooses the pairs of a collection. An item has the
// placed_name of the image, whose place decides between equal similarities, and the bytes of its VLAD, as the machine
// has them. The settings of the note have the number of `neighbours`.

namespace OCTAVO_INTERNAL_API octavo {

/// The content of an item.
std::string bytes_of_vlad(std::span<const std::int16_t> vlad);

/// Writes the list of pairs (pair_list) of all images with their similar ones: that of `octavo pairs` in one process.
/// All VLADs are in memory, and are compared on all processors. Throws as items_in does, Error(invalid_option) for the
/// option `output` if `to` does not end in .txt, and Error(out_of_memory).
void merge_vlads(const std::filesystem::path& to, std::span<const Part> parts);

}  // namespace octavo
