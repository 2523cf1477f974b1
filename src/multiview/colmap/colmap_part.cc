#include "multiview/colmap/colmap_part.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "io/sqlite/sqlite.h"
#include "multiview/colmap/colmap_shards.h"

namespace octavo {

namespace fs = std::filesystem;

namespace colmap {

std::string place_note(std::string_view image) { return fmt::format("place of {}", image); }
std::string camera_note(std::string_view image) { return fmt::format("camera of {}", image); }

std::string part_settings(std::string_view what, const Shard& shard, const std::string& job_settings) {
  return fmt::format("part {} of {}: {}", text_of(shard), what, job_settings);
}

std::string job_settings_in(const std::string& part_settings) {
  return part_settings.substr(std::min(part_settings.find('{'), part_settings.size()));
}

}  // namespace colmap

bool is_colmap_database(const fs::path& file) {
  constexpr std::string_view begin = "SQLite format 3";
  std::string bytes(begin.size(), ' ');
  std::ifstream stream(file, std::ios::binary);
  return stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) && bytes == begin;
}

Part colmap_part(const fs::path& file) {
  sqlite::Database database = sqlite::Database::to_read(file, "database");
  std::string note;
  if (database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'octavo'") == 1) {
    auto row = database.query("SELECT value FROM octavo WHERE name = ?1",
                              std::string_view(fmt::format("{}{}", colmap::note_prefix, colmap::part_note_name)));
    if (row.step()) note = row.text(0);
  }
  return {file.string(), part_note(note, file.string())};
}

}  // namespace octavo
