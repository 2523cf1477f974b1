#include "video/archive/found_clips_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "octavo/error.h"
#include "video/archive/part_lines.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

FoundText found_in(std::string_view line, const std::string& file) {
  const std::size_t tab = std::min(line.find('\t'), line.size());
  FoundText found;
  const auto [end, error] = std::from_chars(line.data(), line.data() + tab, found.place);
  if (error != std::errc() || end != line.data() + tab || tab + 1 >= line.size()) archive::refuse_part(file);
  found.json = line.substr(tab + 1);
  return found;
}

}  // namespace

void write_found_clips(const fs::path& file, const PartNote& note, std::span<const FoundText> found) {
  std::string text = json_of(note) + "\n";
  for (const FoundText& one : found) text += fmt::format("{}\t{}\n", one.place, one.json);
  write_file(file, text);
}

void merge_found_clips(const fs::path& to, std::span<const Part> parts) {
  require_whole(parts);
  std::map<std::size_t, std::pair<std::string, const Part*>> found;
  for (const Part& part : parts) {
    const std::string text = io::read_text(part.place);
    const std::vector<std::string_view> lines = archive::lines_of(text);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      FoundText one = found_in(lines[i], part.place);
      const auto [known, is_new] = found.try_emplace(one.place, one.json, &part);
      if (is_new || known->second.first == one.json) continue;
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot merge '{}' and '{}' (shard {}): they have found different "
                              "things for one query",
                              known->second.second->place, part.place, text_of(part.note.shard)));
    }
  }
  std::string all;
  for (const auto& [place, one] : found) all += (all.empty() ? "" : ",") + one.first;
  const bool is_one = parts.front().note.inputs.count == 1 && found.size() == 1;
  write_file(to, is_one ? all + "\n" : "[" + all + "]\n");
}

}  // namespace octavo
