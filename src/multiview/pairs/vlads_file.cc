#include "multiview/pairs/vlads_file.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/files/output_file.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "octavo/multiview/choose_pairs.h"
#include "octavo/vlad.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "the file has the machine's numbers");

[[noreturn]] void refuse(const std::string& file) {
  throw Error(ErrorCode::file_error, "cannot use '" + file + "': it is no part that a shard has finished");
}

// The neighbours that the settings of the parts ask for.
std::size_t neighbours_in(const Part& part) try {
  return parse_json(part.note.settings).at("neighbours").get<std::size_t>();
} catch (const Json::exception&) {
  refuse(part.place);
}

// A VLAD and the part that has it.
struct Row {
  NamedVlad image;
  const Part* part;
};

// The VLADs of all parts, by their places.
std::map<std::size_t, Row> rows_of(std::span<const Part> parts) {
  std::map<std::size_t, Row> rows;
  for (const Part& part : parts) {
    for (NamedVlad& one : read_vlads(part.place)) {
      if (one.place >= part.note.inputs.count) refuse(part.place);
      const auto known = rows.find(one.place);
      if (known == rows.end()) {
        rows.emplace(one.place, Row{std::move(one), &part});
        continue;
      }
      if (known->second.image.name == one.name && known->second.image.vlad == one.vlad) continue;
      throw Error(
          ErrorCode::file_error,
          fmt::format("cannot merge '{}' and '{}' (shard {}): they have different VLADs of '{}'",
                      known->second.part->place, part.place, text_of(part.note.shard), known->second.image.name));
    }
  }
  return rows;
}

}  // namespace

void write_vlads(const fs::path& file, const PartNote& note, std::span<const NamedVlad> vlads) {
  OutputFile out(file);
  const std::size_t length = vlads.empty() ? 0 : vlads.front().vlad.size();
  out.write(fmt::format("{}\n{} {}\n", json_of(note), vlads.size(), length));
  for (const NamedVlad& one : vlads) out.write(fmt::format("{} {}\n", one.place, one.name));
  for (const NamedVlad& one : vlads) out.write(std::as_bytes(std::span(one.vlad)));
  out.finish();
}

std::vector<NamedVlad> read_vlads(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  std::size_t rows = 0, length = 0;
  if (!std::getline(in, line) || !(in >> rows >> length) || in.get() != '\n') refuse(file.string());
  std::vector<NamedVlad> vlads;
  for (std::size_t i = 0; i < rows; ++i) {
    NamedVlad one;
    if (!(in >> one.place) || in.get() != ' ' || !std::getline(in, one.name)) refuse(file.string());
    vlads.push_back(std::move(one));
  }
  // A damaged length must not ask for any amount of memory.
  std::error_code unknown;
  const std::uintmax_t bytes = fs::file_size(file, unknown);
  const auto position = static_cast<std::uintmax_t>(in.tellg());
  const bool is_long = length > bytes / sizeof(std::int16_t);
  if (unknown || is_long || position > bytes) refuse(file.string());
  const std::uintmax_t row = length * sizeof(std::int16_t);
  if (rows * row != bytes - position || (row > 0 && rows > bytes / row)) refuse(file.string());
  for (NamedVlad& one : vlads) {
    one.vlad.resize(length);
    in.read(reinterpret_cast<char*>(one.vlad.data()), static_cast<std::streamsize>(length * sizeof(std::int16_t)));
  }
  if (!in) refuse(file.string());
  return vlads;
}

void merge_vlads(const fs::path& to, std::span<const Part> parts) {
  require_whole(parts);
  require_ending(std::span(&to, 1), std::array<std::string_view, 1>{".txt"});
  const std::size_t neighbours = neighbours_in(parts.front());
  std::map<std::size_t, Row> rows = rows_of(parts);
  std::vector<std::string> names;
  std::vector<std::vector<std::int16_t>> vlads;
  for (auto& [place, row] : rows) {
    names.push_back(std::move(row.image.name));
    vlads.push_back(std::move(row.image.vlad));
  }
  write_file(to, pair_list(names, pairs_of_similar(most_similar_images(vlads, neighbours))));
}

}  // namespace octavo
