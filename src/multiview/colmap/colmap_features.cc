// A finished database, for readers.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "io/files/content_digest.h"
#include "io/files/content_hash.h"
#include "multiview/colmap/colmap_database.h"
#include "multiview/colmap/stored_features.h"
#include "multiview/colmap/working_database.h"

namespace octavo {

namespace fs = std::filesystem;

class ColmapFeatures::Impl {
 public:
  explicit Impl(const fs::path& file) : file_(file), database_(sqlite::Database::to_read(file, colmap::file_kind)) {
    colmap::require_known_version(database_, file_, "read");
  }

  std::string settings() {
    if (database_.number("SELECT count(*) FROM sqlite_schema WHERE name = 'octavo'") == 0) return "";
    auto row = database_.query("SELECT value FROM octavo WHERE name = 'settings'");
    return row.step() ? row.text(0) : "";
  }

  std::string digest() {
    io::ContentHash hash;
    const auto add = [&](const std::string& text) {
      hash.add(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
    };
    add(settings());
    auto row = database_.query(
        "SELECT image_id, name, cols, data FROM images JOIN keypoints USING (image_id) ORDER BY image_id");
    while (row.step()) {
      add(fmt::format("{} {} {}", row.integer(0), row.integer(2), row.text(1)));
      hash.add(row.blob(3));
    }
    return hash.text();
  }

  std::optional<std::int64_t> image_of(std::string_view name) { return colmap::image_of(database_, name); }
  Features features(std::int64_t image) { return colmap::features_of(database_, image, file_); }
  std::uint64_t feature_bytes(std::int64_t image) { return colmap::feature_bytes_of(database_, image); }

 private:
  fs::path file_;
  sqlite::Database database_;
};

ColmapFeatures::ColmapFeatures(const fs::path& file) : impl_(std::make_unique<Impl>(file)) {}
ColmapFeatures::~ColmapFeatures() = default;
ColmapFeatures::ColmapFeatures(ColmapFeatures&&) noexcept = default;
ColmapFeatures& ColmapFeatures::operator=(ColmapFeatures&&) noexcept = default;

std::string ColmapFeatures::settings() { return impl_->settings(); }
std::string ColmapFeatures::digest() { return impl_->digest(); }
std::optional<std::int64_t> ColmapFeatures::image_of(std::string_view name) { return impl_->image_of(name); }
Features ColmapFeatures::features(std::int64_t image) { return impl_->features(image); }
std::uint64_t ColmapFeatures::feature_bytes(std::int64_t image) { return impl_->feature_bytes(image); }

std::vector<std::vector<std::string>> copies_in(const fs::path& database) {
  sqlite::Database stored(database, false, colmap::file_kind);  // a reader would leave the files of a log there
  std::map<std::string, std::vector<std::string>> groups;
  auto row = stored.query("SELECT name, data FROM images JOIN keypoints USING (image_id) WHERE rows > 0 ORDER BY name");
  while (row.step()) groups[content_digest(row.blob(1))].push_back(row.text(0));
  std::vector<std::vector<std::string>> copies;
  for (auto& [digest, names] : groups) {
    if (names.size() > 1) copies.push_back(std::move(names));
  }
  std::ranges::sort(copies);
  return copies;
}

}  // namespace octavo
