// COLMAP's database (colmap.github.io/database.html). Its origin is the corner of the image, half a pixel left of and
// above Octavo's. A pair of images a < b has the number 2147483647·a + b. Matrices are stored row by row.

#include "multiview/colmap/colmap_database.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "io/sqlite/sqlite.h"
#include "multiview/colmap/colmap_part.h"
#include "multiview/colmap/stored_features.h"
#include "multiview/colmap/working_database.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
using colmap::Blob;
using colmap::refuse;
using colmap::Value;

constexpr std::int64_t most_images = 2147483647;
constexpr std::size_t most_blob = 1'000'000'000;  // SQLITE_MAX_LENGTH
using colmap::half_pixel;

template <class Number>
Blob bytes_of_numbers(const std::vector<Number>& numbers) {
  return std::as_bytes(std::span(numbers));
}

std::int64_t pair_id(std::int64_t a, std::int64_t b) { return most_images * std::min(a, b) + std::max(a, b); }

bool is_short_of(const Features& features) {
  return features.descriptors.size() != features.size() * descriptor_length;
}

// Ellipses need 6 columns, and points of a detector without scales have 2.
std::size_t columns_of(const Features& features) {
  const auto any = [&](const auto& is_so) { return std::ranges::any_of(features.keypoints, is_so); };
  if (any(has_ellipse)) return 6;
  return features.keypoints.empty() || any([](const Keypoint& k) { return k.scale != 0; }) ? 4 : 2;
}

// The keypoints row by row.
std::vector<float> rows_of(const Features& features, std::size_t columns) {
  std::vector<float> rows;
  rows.reserve(features.size() * columns);
  for (const Keypoint& k : features.keypoints) {
    rows.insert(rows.end(), {k.x + half_pixel, k.y + half_pixel});
    if (columns == 4) {
      rows.insert(rows.end(), {k.scale, k.orientation});
    } else if (columns == 6) {
      for (const double entry : affine_matrix(k)) rows.push_back(static_cast<float>(entry));
    }
  }
  return rows;
}

std::vector<std::uint32_t> rows_of(std::span<const Match> matches, bool swapped,
                                   std::span<const std::uint8_t> inliers) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    if (!inliers.empty() && inliers[i] == 0) continue;
    const auto a = static_cast<std::uint32_t>(matches[i].a), b = static_cast<std::uint32_t>(matches[i].b);
    rows.insert(rows.end(), {swapped ? b : a, swapped ? a : b});
  }
  return rows;
}

// F of COLMAP's coordinates, from the smaller number to the larger: bᵀ·F·a = 0. With T the shift by half a pixel it is
// T⁻ᵀ·F·T⁻¹: only the last row and column change.
std::vector<double> shifted(const std::array<double, 9>& f, bool swapped) {
  std::array<double, 9> g = f;
  if (swapped) g = {f[0], f[3], f[6], f[1], f[4], f[7], f[2], f[5], f[8]};
  constexpr double half = half_pixel;
  for (std::size_t row = 0; row < 3; ++row) g[3 * row + 2] -= half * (g[3 * row] + g[3 * row + 1]);
  for (std::size_t column = 0; column < 3; ++column) g[6 + column] -= half * (g[column] + g[3 + column]);
  return {g.begin(), g.end()};
}

}  // namespace

class ColmapDatabase::Impl {
 public:
  Impl(const fs::path& file, const std::string& settings) : work_(file, settings) {}

  std::optional<std::int64_t> image_of(std::string_view name) {
    const std::optional<std::int64_t> image = colmap::image_of(work_.database(), name);
    if (!image) require_no_pairs(name);
    return image;
  }
  Features features(std::int64_t image) { return colmap::features_of(work_.database(), image, work_.file()); }
  std::uint64_t feature_bytes(std::int64_t image) { return colmap::feature_bytes_of(work_.database(), image); }

  std::int64_t add(const ColmapImage& image, const Features& features) {
    if (is_short_of(features)) refuse(image.name, "it has features without descriptors");
    if (features.descriptors.size() > most_blob) {
      refuse(image.name, fmt::format("the descriptors of its {} keypoints take more than 10^9 bytes, the most that "
                                     "SQLite keeps in a field; `max_features` keeps fewer",
                                     features.size()));
    }
    require_no_pairs(image.name);
    sqlite::Transaction transaction(work_.database());
    const std::int64_t id = work_.add_image(image);
    const std::size_t columns = columns_of(features);
    const std::vector<float> keypoints = rows_of(features, columns);
    const auto rows = static_cast<std::int64_t>(features.size());
    work_.database().run("DELETE FROM keypoints WHERE image_id = ?1", id);
    work_.database().run("DELETE FROM descriptors WHERE image_id = ?1", id);
    work_.insert("keypoints", {{"image_id", id},
                               {"rows", rows},
                               {"cols", static_cast<std::int64_t>(columns)},
                               {"data", bytes_of_numbers(keypoints)}});
    work_.insert("descriptors", {{"image_id", id},
                                 {"type", std::int64_t{0}},  // SIFT, in COLMAP 4
                                 {"rows", rows},
                                 {"cols", static_cast<std::int64_t>(descriptor_length)},
                                 {"data", bytes_of_numbers(features.descriptors)}});
    transaction.commit();
    work_.set_changed();
    return id;
  }

  bool has(std::string_view table, std::int64_t a, std::int64_t b) {
    return work_.database().query(fmt::format("SELECT 1 FROM {} WHERE pair_id = ?1", table), pair_id(a, b)).step();
  }

  void add_matches(std::int64_t a, std::int64_t b, std::span<const Match> matches, const RobustModel* fundamental,
                   std::span<const Match> verified) {
    if (a == b) refuse(fmt::format("image {}", a), "it cannot be matched with itself");
    if (fundamental != nullptr && fundamental->inliers.size() != verified.size()) {
      refuse(fmt::format("pair {} {}", a, b), "it has another number of inliers than of matches");
    }
    const std::int64_t pair = pair_id(a, b);
    sqlite::Transaction transaction(work_.database());
    work_.database().run("DELETE FROM matches WHERE pair_id = ?1", pair);
    add_rows("matches", pair, rows_of(matches, a > b, {}), {});
    work_.database().run("DELETE FROM two_view_geometries WHERE pair_id = ?1", pair);
    if (fundamental != nullptr) add_geometry(pair, *fundamental, verified, a > b);
    transaction.commit();
    work_.set_changed();
  }

  void note(std::string_view name, std::string_view value) {
    if (note_of(name) == value) return;
    if (value.empty()) {
      work_.database().run("DELETE FROM octavo WHERE name = ?1", std::string_view(note_name(name)));
    } else {
      work_.set(note_name(name), value);
    }
    work_.set_changed();
  }
  std::string note_of(std::string_view name) { return work_.value_of(note_name(name)); }
  std::vector<std::string> note_names(std::string_view prefix) {
    const std::string begin = note_name(prefix);
    auto row = work_.database().query("SELECT name FROM octavo WHERE substr(name, 1, length(?1)) = ?1",
                                      std::string_view(begin));
    std::vector<std::string> names;
    while (row.step()) names.push_back(row.text(0).substr(colmap::note_prefix.size()));
    return names;
  }

  void finish() { work_.finish(); }

 private:
  // The matches of an image number its keypoints, so it cannot get others.
  void require_no_pairs(std::string_view name) {
    auto image = work_.database().query("SELECT image_id FROM images WHERE name = ?1", name);
    if (!image.step()) return;
    for (const char* const table : {"matches", "two_view_geometries"}) {
      const std::string any =
          fmt::format("SELECT 1 FROM {0} WHERE pair_id / {1} = ?1 OR pair_id % {1} = ?1 LIMIT 1", table, most_images);
      if (!work_.database().query(any, image.integer(0)).step()) continue;
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot add to the database '{}': it has matches of the image '{}', but not its "
                              "keypoints with descriptors, which new ones would not fit; use another database",
                              work_.file().string(), name));
    }
  }

  static std::string note_name(std::string_view name) { return fmt::format("{}{}", colmap::note_prefix, name); }

  // A row of matches of two columns, with the further fields of `geometry`.
  void add_rows(std::string_view table, std::int64_t pair, const std::vector<std::uint32_t>& indices,
                std::span<const std::pair<std::string_view, Value>> geometry) {
    if (indices.size() * sizeof(std::uint32_t) > most_blob) {
      refuse(fmt::format("pair {}", pair), "its matches take more than 10^9 bytes, the most that SQLite keeps");
    }
    const std::int64_t rows = static_cast<std::int64_t>(indices.size() / 2);
    if (geometry.empty()) {
      work_.insert(table,
                   {{"pair_id", pair}, {"rows", rows}, {"cols", std::int64_t{2}}, {"data", bytes_of_numbers(indices)}});
      return;
    }
    work_.insert(table, {{"pair_id", pair},
                         {"rows", rows},
                         {"cols", std::int64_t{2}},
                         {"data", bytes_of_numbers(indices)},
                         geometry[0],
                         geometry[1],
                         geometry[2],
                         geometry[3],
                         geometry[4],
                         geometry[5]});
  }

  // As COLMAP writes it: zeros for the matrices and the pose that are not known, nothing where there is no model.
  void add_geometry(std::int64_t pair, const RobustModel& model, std::span<const Match> verified, bool swapped) {
    constexpr std::int64_t degenerate = 1, uncalibrated = 3;
    const std::vector<double> f = model.found ? shifted(model.b_from_a, swapped) : std::vector<double>{};
    const std::vector<double> none(model.found ? 9 : 0), translation(model.found ? 3 : 0);
    std::vector<double> rotation(model.found ? 4 : 0);
    if (model.found) rotation[0] = 1;
    const std::array<std::pair<std::string_view, Value>, 6> fields{{{"config", model.found ? uncalibrated : degenerate},
                                                                    {"F", bytes_of_numbers(f)},
                                                                    {"E", bytes_of_numbers(none)},
                                                                    {"H", bytes_of_numbers(none)},
                                                                    {"qvec", bytes_of_numbers(rotation)},
                                                                    {"tvec", bytes_of_numbers(translation)}}};
    const std::vector<std::uint32_t> rows =
        model.found ? rows_of(verified, swapped, model.inliers) : std::vector<std::uint32_t>{};
    add_rows("two_view_geometries", pair, rows, fields);
  }

  colmap::WorkingDatabase work_;
};

ColmapDatabase::ColmapDatabase(const fs::path& file, const std::string& settings)
    : impl_(std::make_unique<Impl>(file, settings)) {}
ColmapDatabase::~ColmapDatabase() = default;
ColmapDatabase::ColmapDatabase(ColmapDatabase&&) noexcept = default;
ColmapDatabase& ColmapDatabase::operator=(ColmapDatabase&&) noexcept = default;

std::optional<std::int64_t> ColmapDatabase::image_of(std::string_view name) { return impl_->image_of(name); }
std::int64_t ColmapDatabase::add(const ColmapImage& image, const Features& features) {
  return impl_->add(image, features);
}
Features ColmapDatabase::features(std::int64_t image) { return impl_->features(image); }
std::uint64_t ColmapDatabase::feature_bytes(std::int64_t image) { return impl_->feature_bytes(image); }
bool ColmapDatabase::has_matches(std::int64_t a, std::int64_t b) { return impl_->has("matches", a, b); }
bool ColmapDatabase::has_geometry(std::int64_t a, std::int64_t b) { return impl_->has("two_view_geometries", a, b); }
void ColmapDatabase::add_matches(std::int64_t a, std::int64_t b, std::span<const Match> matches,
                                 const RobustModel* fundamental, std::span<const Match> verified) {
  impl_->add_matches(a, b, matches, fundamental, verified);
}
void ColmapDatabase::note(std::string_view name, std::string_view value) { impl_->note(name, value); }
std::vector<std::string> ColmapDatabase::note_names(std::string_view prefix) { return impl_->note_names(prefix); }
std::string ColmapDatabase::note(std::string_view name) { return impl_->note_of(name); }
void ColmapDatabase::finish() { impl_->finish(); }

}  // namespace octavo
