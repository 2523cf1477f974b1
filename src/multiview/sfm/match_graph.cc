// The tables are described at colmap.github.io/database.html. A pair's key is 2147483647·id1 + id2 with id1 < id2.

#include "multiview/sfm/match_graph.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "io/files/inside_name.h"
#include "io/sqlite/sqlite.h"
#include "multiview/sfm/doubts.h"
#include "octavo/error.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;

struct PairFacts {
  std::uint64_t matches = 0, inliers = 0;
  bool verified = false, is_homography = false;
};

// COLMAP's `config`: PLANAR, PANORAMIC, PLANAR_OR_PANORAMIC. Versions 3.8 to 4.2 write the last one.
bool is_of_homography(std::int64_t config) { return config >= 4 && config <= 6; }

std::uint64_t count(const sqlite::Statement& row, int column) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(column)));
}

// Whether the pairs of an image show no depth.
bool lacks_depth(std::size_t image, const std::vector<SfmPair>& pairs) {
  std::vector<SfmPair> own;
  std::ranges::copy_if(pairs, std::back_inserter(own),
                       [&](const SfmPair& pair) { return pair.a == image || pair.b == image; });
  return are_without_depth(own);
}

// The images that verified pairs lead to, from those of a model.
std::vector<bool> reached_from_models(const std::vector<SfmImageResult>& images, const std::vector<SfmPair>& pairs) {
  std::vector<std::vector<std::size_t>> neighbours(images.size());
  for (const SfmPair& pair : pairs) {
    if (pair.inliers < least_inliers) continue;
    neighbours[pair.a].push_back(pair.b);
    neighbours[pair.b].push_back(pair.a);
  }
  std::vector<bool> reached(images.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].model) open.push_back(i);
    reached[i] = images[i].model.has_value();
  }
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t next : neighbours[at]) {
      if (!reached[next]) open.push_back(next);
      reached[next] = true;
    }
  }
  return reached;
}

}  // namespace

MatchGraph read_match_graph(const fs::path& file) {
  if (!fs::is_regular_file(file)) {
    throw Error(ErrorCode::file_error, fmt::format("there is no database '{}'", file.string()));
  }
  sqlite::Database database(file, false, "database");
  MatchGraph graph;
  std::unordered_map<std::int64_t, std::size_t> index_of;
  auto rows = database.query(
      "SELECT images.image_id, name, keypoints.rows FROM images "
      "LEFT JOIN keypoints ON keypoints.image_id = images.image_id ORDER BY name");
  while (rows.step()) {
    index_of[rows.integer(0)] = graph.images.size();
    graph.numbers.push_back(rows.integer(0));
    SfmImageResult& image = graph.images.emplace_back();
    image.name = rows.text(1);
    if (!io::is_inside(image.name)) {
      throw Error(ErrorCode::file_error,
                  fmt::format("cannot use the database '{}': its image '{}' is outside of any folder of images",
                              file.string(), image.name));
    }
    image.keypoints = rows.is_null(2) ? 0 : count(rows, 2);
  }
  if (graph.images.empty()) {
    throw Error(ErrorCode::file_error, fmt::format("the database '{}' has no images", file.string()));
  }

  std::map<std::pair<std::size_t, std::size_t>, PairFacts> facts;
  const auto facts_of = [&](std::int64_t key) -> PairFacts& {
    const auto first = index_of.find(key / most_ids), second = index_of.find(key % most_ids);
    if (first == index_of.end() || second == index_of.end()) {
      throw Error(
          ErrorCode::file_error,
          fmt::format("the database '{}' has matches of images that it does not have (pair {})", file.string(), key));
    }
    return facts[std::minmax(first->second, second->second)];
  };
  auto matches = database.query("SELECT pair_id, rows FROM matches WHERE rows > 0");
  while (matches.step()) facts_of(matches.integer(0)).matches = count(matches, 1);
  auto geometries = database.query("SELECT pair_id, rows, config FROM two_view_geometries");
  while (geometries.step()) {
    PairFacts& pair = facts_of(geometries.integer(0));
    pair.inliers = count(geometries, 1);
    pair.verified = true;
    pair.is_homography = is_of_homography(geometries.integer(2));
  }
  for (const auto& [images, pair] : facts) {
    if (pair.matches == 0 && pair.inliers == 0) continue;
    graph.pairs.push_back(
        {images.first, images.second, std::max(pair.matches, pair.inliers), pair.inliers, pair.is_homography});
    if (!pair.verified) graph.unverified.push_back(graph.pairs.back());
  }
  return graph;
}

void count_pairs(std::vector<SfmImageResult>& images, const std::vector<SfmPair>& pairs) {
  for (const SfmPair& pair : pairs) {
    for (const std::size_t i : {pair.a, pair.b}) {
      SfmImageResult& image = images[i];
      ++image.matched;
      if (pair.inliers >= least_inliers) ++image.verified;
      image.best_inliers = std::max(image.best_inliers, pair.inliers);
    }
  }
}

void explain_failures(std::vector<SfmImageResult>& images, const std::vector<SfmPair>& pairs) {
  const std::vector<bool> reached = reached_from_models(images, pairs);
  // Without a model the mapper could begin anywhere: no image is far from one.
  const bool no_model =
      std::ranges::none_of(images, [](const SfmImageResult& image) { return image.model.has_value(); });
  for (std::size_t i = 0; i < images.size(); ++i) {
    SfmImageResult& image = images[i];
    image.failure = image.model                         ? SfmFailure::none
                    : image.keypoints == 0              ? SfmFailure::no_keypoints
                    : image.matched == 0                ? SfmFailure::no_matches
                    : image.verified == 0               ? SfmFailure::few_inliers
                    : no_model && lacks_depth(i, pairs) ? SfmFailure::no_depth
                    : no_model || reached[i]            ? SfmFailure::not_registered
                                                        : SfmFailure::not_connected;
  }
}

}  // namespace octavo::sfm
