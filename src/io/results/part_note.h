#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/internal_api.h"
#include "octavo/io/shard.h"

// Notes of parts: what a shard of a job was told and has done. A merge reads them and knows whether parts make a whole.

namespace OCTAVO_INTERNAL_API octavo {

/// The items that a job was given, those of all shards.
struct PartInputs {
  std::uint64_t count = 0;
  std::string digest{};  ///< of their names in their order (inputs_of)
  friend bool operator==(const PartInputs&, const PartInputs&) = default;
};

/// The inputs of these names: the content_digest of the names, each followed by a zero byte.
PartInputs inputs_of(std::span<const std::string> names);

struct PartNote {
  PartKind kind = PartKind::features;
  Shard shard{};
  std::string settings{};  ///< a JSON object: all but the items that determines the content
  PartInputs inputs{};
  std::uint64_t items = 0;              ///< those of this shard
  std::vector<std::string> problems{};  ///< a sentence for each item that failed, and for each place without items
};

/// A note as JSON on one line: {"octavo_part": 3, "kind": "features", "shard": 3, "shard_count": 8, "settings":
/// {…}, "input_count", "input_digest", "item_count", "problems": […]}.
std::string json_of(const PartNote& note);

/// Reads such a text. Throws Error(file_error), which names `place`, if it is none.
PartNote part_note(std::string_view json, const std::string& place);

/// A part and where it is.
struct Part {
  std::string place;  ///< for messages
  PartNote note;
};

/// The note of the whole that parts make, as that of shard 1/1: the items and problems of all in the order of their
/// shards, each shard once. Throws Error(file_error), which names the shards or places, unless the parts are of one
/// kind, of one number of shards, made with the same settings of the same items, and none is missing.
PartNote note_of_whole(std::span<const Part> parts);

/// Throw Error(file_error): the place is no part that a shard has finished; two parts have other contents for an item.
[[noreturn]] void refuse_part(const std::filesystem::path& place);
[[noreturn]] void refuse_other_content(const std::filesystem::path& one, const std::filesystem::path& other,
                                       std::string_view item);

/// In a handler: throws what is handled as an Error(file_error) that names the place, unless it does. A part
/// may come from another program, so its faults are told as those of a file.
[[noreturn]] void rethrow_named(const std::filesystem::path& place);

/// A note in a folder is the file `octavo-part-3-of-8.json`.
std::filesystem::path part_note_file(const std::filesystem::path& folder, const Shard& shard);

/// Removes the note of a shard, which begins again, and writes it when the shard has done all. Throws
/// Error(file_error).
void remove_part_note(const std::filesystem::path& folder, const Shard& shard);
void write_part_note(const std::filesystem::path& folder, const PartNote& note);

/// The same where a folder without a note would be taken for a whole result: until the shard has done all, the file
/// `octavo-part-3-of-8.begun` tells that it has not.
void begin_part(const std::filesystem::path& folder, const Shard& shard);
void end_part(const std::filesystem::path& folder, const PartNote& note);

/// Whether a shard has begun in the folder, or finished. Throws Error(file_error).
bool is_of_shards(const std::filesystem::path& folder);

/// The notes in a folder; none if it is no part. Throws Error(file_error).
std::vector<Part> part_notes_in(const std::filesystem::path& folder);

}  // namespace octavo
