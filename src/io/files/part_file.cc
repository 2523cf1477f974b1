#include "io/files/part_file.h"

#include <fmt/core.h>

#include <span>
#include <string>

#include "io/files/content_hash.h"

namespace octavo::io {

std::filesystem::path beside(const std::filesystem::path& file, std::string_view ending) {
  // File systems take 255 bytes, and SQLite adds up to 8.
  constexpr std::size_t longest = 200, kept = 100;
  std::string name = file.filename().string();
  if (name.size() > longest) {
    ContentHash hash;
    hash.add(std::as_bytes(std::span(name)));
    name = fmt::format("{}.{}", name.substr(0, kept), hash.text());
  }
  return file.parent_path() / fmt::format(".{}.{}", name, ending);
}

}  // namespace octavo::io
