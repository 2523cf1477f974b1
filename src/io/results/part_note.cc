// Notes of parts as JSON, and the check that parts make a whole. Notes may come from anywhere, so nothing in them is
// trusted.

#include "io/results/part_note.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <system_error>

#include "io/files/content_hash.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/result_folder.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
constexpr std::array<std::string_view, 8> kind_names{"features",          "archive",        "colmap features",
                                                     "colmap matches",    "found clips",    "pairs of clips",
                                                     "features for hloc", "VLADs of images"};

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::file_error, sentence); }

// "'a' (shard 3/8)"
std::string name_of(const Part& part) { return fmt::format("'{}' (shard {})", part.place, text_of(part.note.shard)); }

// The first setting in which two notes differ, as "max_features is 500 in 'a' (shard 1/2), and 1000 in 'b' (shard
// 2/2)".
// Adds what is not in other lists to `flat`, by its path: "detector/contrast".
void flatten(const Json& json, const std::string& path, Json& flat) {
  const auto below = [&](const std::string& name) { return path.empty() ? name : path + "/" + name; };
  if (json.is_array() && !json.empty()) {
    for (std::size_t i = 0; i < json.size(); ++i) flatten(json[i], below(std::to_string(i)), flat);
  } else if (json.is_object() && !json.empty()) {
    for (const auto& [name, value] : json.items()) flatten(value, below(name), flat);
  } else {
    flat[path] = json;
  }
}

std::string difference(const Part& a, const Part& b) {
  Json of_a = Json::object(), of_b = Json::object();
  flatten(parse_json(a.note.settings), "", of_a);
  flatten(parse_json(b.note.settings), "", of_b);
  const auto text = [](const Json& settings, const std::string& key) {
    return settings.contains(key) ? json_text(settings[key]) : "not given";
  };
  Json all = of_a;
  all.update(of_b);
  for (const auto& [key, value] : all.items()) {
    if (text(of_a, key) == text(of_b, key)) continue;
    return fmt::format("{} is {} in {}, and {} in {}", key, text(of_a, key), name_of(a), text(of_b, key), name_of(b));
  }
  return fmt::format("those of {} and {} differ in their order", name_of(a), name_of(b));
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

void require_no_gap(std::span<const Part> parts) {
  const std::uint32_t count = parts.front().note.shard.count;
  std::vector<bool> is_there(count);
  for (const Part& part : parts) is_there[part.note.shard.number - 1] = true;
  std::vector<std::string> missing;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_there[i]) missing.push_back(text_of(Shard{i + 1, count}));
  }
  if (missing.empty()) return;
  constexpr std::size_t most_named = 20;
  const std::size_t more = missing.size() - std::min(missing.size(), most_named);
  missing.resize(missing.size() - more);
  refuse(fmt::format("cannot merge: {} {}{} {} missing", missing.size() + more == 1 ? "shard" : "shards",
                     fmt::join(missing, ", "), more > 0 ? fmt::format(" and {} more", more) : "",
                     missing.size() + more == 1 ? "is" : "are"));
}

// The note of each shard, once.
std::map<std::uint32_t, const PartNote*> by_number(std::span<const Part> parts) {
  std::map<std::uint32_t, const PartNote*> notes;
  for (const Part& part : parts) notes.emplace(part.note.shard.number, &part.note);
  return notes;
}

}  // namespace

std::string_view name_of(PartKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

PartInputs inputs_of(std::span<const std::string> names) {
  io::ContentHash hash;
  for (const std::string& name : names) hash.add(std::as_bytes(std::span(name.c_str(), name.size() + 1)));
  return {names.size(), hash.text()};
}

std::string json_of(const PartNote& note) {
  Json problems = Json::array();
  for (const std::string& problem : note.problems) problems.push_back(problem);
  const Json json{{"octavo_part", 2},
                  {"kind", name_of(note.kind)},
                  {"shard", note.shard.number},
                  {"shard_count", note.shard.count},
                  {"settings", parse_json(note.settings)},
                  {"input_count", note.inputs.count},
                  {"input_digest", note.inputs.digest},
                  {"item_count", note.items},
                  {"problems", std::move(problems)}};
  return json_text(json);
}

PartNote part_note(std::string_view json, const std::string& place) try {
  const auto note = shallow_json(json);
  const auto kind = std::ranges::find(kind_names, note.at("kind").get<std::string>());
  if (note.at("octavo_part") != 2 || kind == kind_names.end()) {
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
  refuse(fmt::format("cannot use '{}': it is no part that a shard has finished", place));
} catch (const Error& error) {
  if (error.code() == ErrorCode::file_error) throw;
  refuse(fmt::format("cannot use '{}': {}", place, error.what()));
}

Part part_in_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!std::getline(in, line) || in.eof()) {
    refuse(fmt::format("cannot use '{}': it is no part that a shard has finished", file.string()));
  }
  return {file.string(), part_note(line, file.string())};
}

void require_whole(std::span<const Part> parts) {
  if (parts.empty()) refuse("cannot merge: there are no parts");
  for (const Part& part : parts) require_alike(parts.front(), part);
  require_no_gap(parts);
}

std::uint64_t items_of(std::span<const Part> parts) {
  std::uint64_t items = 0;
  for (const auto& [number, note] : by_number(parts)) items += note->items;
  return items;
}

std::vector<std::string> problems_of(std::span<const Part> parts) {
  std::vector<std::string> problems;
  for (const auto& [number, note] : by_number(parts)) {
    for (const std::string& problem : note->problems) {
      // Each shard tells of places without items.
      if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(problem);
    }
  }
  return problems;
}

fs::path part_note_file(const fs::path& folder, const Shard& shard) {
  return folder / fmt::format("octavo-part-{}-of-{}.json", shard.number, shard.count);
}

void remove_part_note(const fs::path& folder, const Shard& shard) {
  const fs::path file = part_note_file(folder, shard);
  std::error_code failure;
  fs::remove(file, failure);
  if (failure) refuse(fmt::format("cannot remove '{}': {}", file.string(), failure.message()));
}

void write_part_note(const fs::path& folder, const PartNote& note) {
  write_file(part_note_file(folder, note.shard), json_of(note) + "\n");
}

std::vector<Part> part_notes_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with("octavo-part-") && name.ends_with(".json")) files.push_back(entry->path());
  }
  if (failure) refuse(fmt::format("cannot read the folder '{}': {}", folder.string(), failure.message()));
  std::ranges::sort(files);
  std::vector<Part> parts;
  for (const fs::path& file : files) {
    const std::vector<std::byte> bytes = read_source(file).bytes;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    parts.push_back({folder.string(), part_note(text, file.string())});
  }
  return parts;
}

}  // namespace octavo
