#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engine/core/internal_api.h"
#include "io/results/part_note.h"

// Parts in files: a list of items with a note. Its first line is the note, the second the number of items. For each
// item follows a line with the lengths of its name and of its content [byte], then both.

namespace OCTAVO_INTERNAL_API octavo {

/// The contents of items by their names. Both are any bytes.
using PartItems = std::map<std::string, std::string>;

/// The name of an item whose place among those of all shards gives its place in the result: "0000000003 b.png".
std::string placed_name(std::size_t place, std::string_view name);

/// Writes the part of a shard. Items that failed are left out. Throws Error(file_error).
void write_part(const std::filesystem::path& file, const PartNote& note, const PartItems& items);

/// The part in such a file, of which only the note is read. Throws Error(file_error).
Part part_in_file(const std::filesystem::path& file);

/// The items of parts in files; one that two parts have alike is one. Throws Error(file_error) for a damaged file, and,
/// naming both parts and the item, for other contents.
PartItems items_in(std::span<const Part> parts);

}  // namespace octavo
