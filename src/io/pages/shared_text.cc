#include "io/pages/shared_text.h"

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

}  // namespace octavo
