// Notes of parts as JSON, and the check that parts make a whole. Notes may come from anywhere, so nothing in them is
// trusted.

#include "io/results/part_note.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <system_error>

#include "io/files/content_hash.h"
#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "io/json/json.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
constexpr int version = 3;
constexpr std::array<std::string_view, 8> kind_names{"features",          "archive",        "colmap features",
                                                     "colmap matches",    "found clips",    "pairs of clips",
                                                     "features for hloc", "VLADs of images"};

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::file_error, sentence); }

// "'a' (shard 3/8)"
std::string name_of(const Part& part) { return fmt::format("'{}' (shard {})", part.place, text_of(part.note.shard)); }

// The first setting in which two notes differ, as "match/ratio is 0.8 in 'a' (shard 1/2), and 0.7 in 'b' (shard 2/2)".
std::string difference(const Part& a, const Part& b) {
  const Json of_a = parse_json(a.note.settings), of_b = parse_json(b.note.settings);
  const Json *in_a = &of_a, *in_b = &of_b;
  std::string path;
  const auto text = [](const Json* value) { return value == nullptr ? "not given" : json_text(*value); };
  while (in_a != nullptr && in_b != nullptr && in_a->is_object() && in_b->is_object()) {
    Json all = *in_a;
    all.update(*in_b);
    const auto differs = [&](const std::string& name) { return text(in_a->find(name)) != text(in_b->find(name)); };
    const auto other = std::ranges::find_if(all.items(), differs, &JsonMember::name);
    if (other == all.items().end())
      return fmt::format("those of {} and {} differ in their order", name_of(a), name_of(b));
    path += (path.empty() ? "" : "/") + other->name;
    in_a = in_a->find(other->name);
    in_b = in_b->find(other->name);
  }
  return fmt::format("{} is {} in {}, and {} in {}", path, text(in_a), name_of(a), text(in_b), name_of(b));
}

void require_alike(const Part& first, const Part& part) {
  const PartNote &a = first.note, &b = part.note;
  if (b.kind != a.kind) {
    refuse(fmt::format("cannot merge {} and {}: one holds {}, the other {}", name_of(first), name_of(part),
                       name_of(a.kind), name_of(b.kind)));
  }
  if (b.shard.count != a.shard.count) {
    refuse(
        fmt::format("cannot merge {} and {}: they are of different numbers of shards", name_of(first), name_of(part)));
  }
  if (b.settings != a.settings) {
    refuse(fmt::format("cannot merge parts that were made with other options: {}", difference(first, part)));
  }
  if (b.inputs != a.inputs) {
    refuse(
        fmt::format("cannot merge {} and {}: they were given different inputs ({} and {}); do the shards again with "
                    "the same ones",
                    name_of(first), name_of(part), a.inputs.count, b.inputs.count));
  }
}

void require_no_gap(const std::map<std::uint32_t, const PartNote*>& shards, std::uint32_t count) {
  if (shards.size() == count) return;
  std::vector<std::string> missing;
  constexpr std::size_t most_named = 20;
  for (std::uint32_t number = 1; number <= count && missing.size() < most_named; ++number) {
    if (!shards.contains(number)) missing.push_back(text_of(Shard{number, count}));
  }
  const std::size_t all = count - shards.size(), more = all - missing.size();
  refuse(fmt::format("cannot merge: {} {}{} {} missing", all == 1 ? "shard" : "shards", fmt::join(missing, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "", all == 1 ? "is" : "are"));
}

}  // namespace

void refuse_part(const fs::path& place) {
  refuse(fmt::format("cannot use '{}': it is no part that a shard has finished", place.string()));
}

void refuse_other_content(const fs::path& one, const fs::path& other, std::string_view item) {
  refuse(fmt::format("cannot merge '{}' and '{}': both have '{}', with different content", one.string(), other.string(),
                     item));
}

void rethrow_named(const fs::path& place) {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Error& error) {
    if (std::string_view(error.what()).find(place.string()) != std::string_view::npos) throw;
    refuse(fmt::format("cannot use '{}': {}", place.string(), error.what()));
  } catch (const std::exception&) {
    refuse_part(place);
  }
}

std::string_view name_of(PartKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

PartInputs inputs_of(std::span<const std::string> names) {
  io::ContentHash hash;
  for (const std::string& name : names) hash.add(std::as_bytes(std::span(name.c_str(), name.size() + 1)));
  return {names.size(), hash.text()};
}

std::string json_of(const PartNote& note) {
  const Json json{{"octavo_part", version},
                  {"kind", name_of(note.kind)},
                  {"shard", note.shard.number},
                  {"shard_count", note.shard.count},
                  {"settings", parse_json(note.settings)},
                  {"input_count", note.inputs.count},
                  {"input_digest", note.inputs.digest},
                  {"item_count", note.items},
                  {"problems", note.problems}};
  return json_text(json);
}

PartNote part_note(std::string_view json, const std::string& place) try {
  const auto note = shallow_json(json);
  const auto kind = std::ranges::find(kind_names, note.at("kind").get<std::string>());
  if (note.at("octavo_part") != version || kind == kind_names.end()) {
    refuse(fmt::format("cannot use '{}': another version of Octavo made this part", place));
  }
  PartNote result{.kind = static_cast<PartKind>(kind - kind_names.begin()),
                  .shard = {note.at("shard").get<std::uint32_t>(), note.at("shard_count").get<std::uint32_t>()},
                  .settings = json_text(note.at("settings")),
                  .inputs = {note.at("input_count").get<std::uint64_t>(), note.at("input_digest").get<std::string>()},
                  .items = note.at("item_count").get<std::uint64_t>(),
                  .problems = note.at("problems").get<std::vector<std::string>>()};
  result.shard = shard_of_text(text_of(result.shard));  // or it throws
  return result;
} catch (const Json::exception&) {
  refuse_part(place);
} catch (const Error& error) {
  if (error.code() == ErrorCode::file_error) throw;
  refuse(fmt::format("cannot use '{}': {}", place, error.what()));
}

PartNote note_of_whole(std::span<const Part> parts) {
  if (parts.empty()) refuse("cannot merge: there are no parts");
  std::map<std::uint32_t, const PartNote*> shards;  // each once
  for (const Part& part : parts) {
    require_alike(parts.front(), part);
    shards.emplace(part.note.shard.number, &part.note);
  }
  PartNote whole = parts.front().note;
  require_no_gap(shards, whole.shard.count);
  whole.shard = {};
  whole.items = 0;
  whole.problems.clear();
  for (const auto& [number, note] : shards) {
    whole.items += note->items;
    for (const std::string& problem : note->problems) {
      // Each shard tells of places without items.
      if (std::ranges::find(whole.problems, problem) == whole.problems.end()) whole.problems.push_back(problem);
    }
  }
  return whole;
}

namespace {

// The files of shards in a folder, sorted.
std::vector<fs::path> files_of_shards(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    if (entry->path().filename().string().starts_with("octavo-part-")) files.push_back(entry->path());
  }
  if (failure) refuse(fmt::format("cannot read the folder '{}': {}", folder.string(), failure.message()));
  std::ranges::sort(files);
  return files;
}

fs::path begun_file(const fs::path& folder, const Shard& shard) {
  return part_note_file(folder, shard).replace_extension(".begun");
}

void remove_file(const fs::path& file) {
  std::error_code failure;
  fs::remove(file, failure);
  if (failure) refuse(fmt::format("cannot remove '{}': {}", file.string(), failure.message()));
}

}  // namespace

fs::path part_note_file(const fs::path& folder, const Shard& shard) {
  return folder / fmt::format("octavo-part-{}-of-{}.json", shard.number, shard.count);
}

void remove_part_note(const fs::path& folder, const Shard& shard) { remove_file(part_note_file(folder, shard)); }

void write_part_note(const fs::path& folder, const PartNote& note) {
  write_file(part_note_file(folder, note.shard), json_of(note) + "\n");
}

void begin_part(const fs::path& folder, const Shard& shard) {
  write_file(begun_file(folder, shard), "");
  remove_part_note(folder, shard);
}

void end_part(const fs::path& folder, const PartNote& note) {
  write_part_note(folder, note);
  remove_file(begun_file(folder, note.shard));
}

bool is_of_shards(const fs::path& folder) { return !files_of_shards(folder).empty(); }

std::vector<Part> part_notes_in(const fs::path& folder) {
  std::vector<Part> parts;
  for (const fs::path& file : files_of_shards(folder)) {
    if (file.extension() == ".json") parts.push_back({folder.string(), part_note(io::read_text(file), file.string())});
  }
  return parts;
}

}  // namespace octavo
