#include "io/pages/shared_text.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "io/json/json.h"

namespace octavo {
namespace {

// A path begins where a text, a word, a quotation or an element of HTML begins. Base64, which has slashes too, follows
// a comma or is no path.
bool begins_path(const std::string& text, std::size_t at) {
  constexpr std::string_view before = " \t\n\"'`(=>;";
  return at == 0 || before.find(text[at - 1]) != std::string_view::npos;
}

void replace_paths(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    if (begins_path(text, at)) {
      text.replace(at, from.size(), to);
      at += to.size();
    } else {
      at += from.size();
    }
  }
}

std::string json_escaped(const std::string& path) {
  const std::string quoted = json_text(Json(path));
  return quoted.substr(1, quoted.size() - 2);
}

// The deepest folder above all of these files with absolute paths.
std::filesystem::path folder_above(std::vector<std::filesystem::path>& files) {
  std::erase_if(files, [](const std::filesystem::path& file) { return !file.is_absolute(); });
  std::filesystem::path folder = files.empty() ? "" : files.front().parent_path();
  for (const std::filesystem::path& file : files) {
    const std::filesystem::path other = file.parent_path();
    const auto end = std::mismatch(folder.begin(), folder.end(), other.begin(), other.end()).first;
    std::filesystem::path shared;
    for (auto part = folder.begin(); part != end; ++part) shared /= *part;
    folder = shared;
  }
  return folder;
}

}  // namespace

std::string without_folders(std::string text, std::span<const std::string> places, const Escape& escape) {
  for (const std::string& given : places) {
    std::filesystem::path place = given;
    if (!place.is_absolute() || !place.has_relative_path()) continue;
    if (!place.has_filename()) place = place.parent_path();  // "/a/b/"
    const bool is_at_root = place.parent_path() == place.root_path();
    const std::string folder = is_at_root ? place.string() : place.parent_path().string() + "/";
    replace_paths(text, escape(folder), is_at_root ? escape(place.filename().string()) : "");
  }
  return text;
}

std::string json_without_folders(std::string json, std::span<const std::string> places) {
  return without_folders(std::move(json), places, json_escaped);
}

bool lie_in_a_folder(std::vector<std::filesystem::path> files) { return folder_above(files).has_relative_path(); }

std::vector<std::string> places_below_all(std::vector<std::filesystem::path> files) {
  const std::filesystem::path above = folder_above(files);
  if (above.has_relative_path()) return {(above / "all").string()};  // a place loses what is above it
  std::vector<std::string> places;
  for (const std::filesystem::path& file : files) places.push_back(file.string());
  return places;
}

}  // namespace octavo
