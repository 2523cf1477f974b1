// Finds images with labelled corners, and compares the corners of several pipelines with them.

#include "study/evaluate/corner_truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "engine/core/check.h"
#include "engine/scores/nearby.h"
#include "io/files/files_below.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view ending = ".corners.txt";

bool is_of_corners(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.size() > ending.size() && name.ends_with(ending);
}

// The images beside a file of corners that it may belong to.
std::vector<fs::path> images_beside(const fs::path& corners) {
  const std::string name = corners.filename().string();
  const fs::path stem = name.substr(0, name.size() - ending.size());
  std::vector<fs::path> images;
  for (const fs::directory_entry& entry : fs::directory_iterator(corners.parent_path())) {
    if (entry.path().stem() == stem && looks_like_image(entry.path())) images.push_back(entry.path());
  }
  std::sort(images.begin(), images.end());
  return images;
}

std::optional<double> share(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// A corner on the edge of the outermost pixels is inside.
void require_inside(const std::vector<Point>& corners, const ImageView& image) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto [x, y] = corners[i];
    if (x >= -0.5 && y >= -0.5 && x <= image.width - 0.5 && y <= image.height - 0.5) continue;
    throw Error(ErrorCode::file_error, fmt::format("corner {} ({}, {}) lies outside of the image of {}x{}", i + 1, x, y,
                                                   image.width, image.height));
  }
}

}  // namespace

CornerDataset find_labelled_images(const fs::path& root) {
  CornerDataset dataset;
  io::FilesBelow below = io::files_below(root, true);
  std::erase_if(below.files, [](const fs::path& file) { return !is_of_corners(file); });
  if (below.files.empty()) {
    if (!below.problems.empty()) throw Error(ErrorCode::file_error, below.problems.front());
    throw Error(ErrorCode::file_error,
                fmt::format("'{}' holds no file NAME{} beside an image NAME", root.string(), ending));
  }
  dataset.problems = std::move(below.problems);
  for (const fs::path& file : below.files) {
    const std::vector<fs::path> images = images_beside(file);
    if (images.size() != 1) {
      dataset.problems.push_back(
          fmt::format("'{}' lies beside {} images of its name, but must lie beside one", file.string(), images.size()));
      continue;
    }
    try {
      dataset.images.push_back({images.front().lexically_relative(root), read_corners(file)});
    } catch (const Error& error) {
      dataset.problems.emplace_back(error.what());
    }
  }
  return dataset;
}

std::optional<double> CornerScores::precision() const { return share(matched, detected); }

std::optional<double> CornerScores::recall() const { return share(matched, labelled); }

std::optional<double> CornerScores::localisation_error() const {
  if (matched == 0) return std::nullopt;
  return std::sqrt(squared_distance / static_cast<double>(matched));
}

CornerScores& CornerScores::operator+=(const CornerScores& more) {
  labelled += more.labelled;
  detected += more.detected;
  matched += more.matched;
  squared_distance += more.squared_distance;
  return *this;
}

std::vector<CornerPair> match_corners(std::span<const Point> labelled, std::span<const Point> detected,
                                      double tolerance) {
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;  // distance, labelled, detected
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    for (std::size_t j = 0; j < detected.size(); ++j) {
      const double apart = evaluation::distance(labelled[i], detected[j]);
      if (apart <= tolerance) pairs.emplace_back(apart, i, j);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<CornerPair> matched;
  std::vector<bool> is_taken(labelled.size()), is_used(detected.size());
  for (const auto& [apart, i, j] : pairs) {
    if (is_taken[i] || is_used[j]) continue;
    is_taken[i] = is_used[j] = true;
    matched.push_back({i, j, apart});
  }
  return matched;
}

CornerScores score_corners(std::span<const Point> labelled, std::span<const Point> detected, double tolerance) {
  CornerScores scores{.labelled = labelled.size(), .detected = detected.size()};
  for (const CornerPair& pair : match_corners(labelled, detected, tolerance)) {
    ++scores.matched;
    scores.squared_distance += pair.apart * pair.apart;
  }
  return scores;
}

std::vector<Point> places_of(const Features& features) {
  std::vector<Point> places;
  std::set<std::pair<double, double>> known;
  for (const Keypoint& keypoint : features.keypoints) {
    if (known.emplace(keypoint.x, keypoint.y).second) places.push_back({keypoint.x, keypoint.y});
  }
  return places;
}

CornerComparison compare_corners(const CornerDataset& dataset, const fs::path& root, std::span<Pipeline> pipelines,
                                 const CornerCompareOptions& options) {
  check_range("tolerance", options.tolerance, 0.001, 1000);
  CornerComparison comparison{.images = {}, .problems = dataset.problems};
  for (std::size_t i = 0; i < dataset.images.size(); ++i) {
    const LabelledImage& labelled = dataset.images[i];
    const fs::path file = root / labelled.image;
    if (options.stop.stop_requested()) break;
    if (options.progress) options.progress(i, dataset.images.size(), labelled.image);
    try {
      const Image image = read_image(file, options.read);
      require_inside(labelled.corners, image.view());
      ComparedCorners compared{.image = labelled.image, .scores = {}, .labelled = labelled.corners};
      const ImageName name{.path = labelled.image, .label = fmt::format("'{}'", file.string())};
      for (Pipeline& pipeline : pipelines) {
        std::vector<Point> places = places_of(pipeline.features(image.view(), nullptr, name));
        compared.scores.push_back(score_corners(labelled.corners, places, options.tolerance));
        compared.detected.push_back(std::move(places));
      }
      comparison.images.push_back(std::move(compared));
    } catch (const Error& error) {
      const std::string_view why = error.what();
      const bool is_named = why.find(file.string()) != std::string_view::npos;
      comparison.problems.push_back(is_named ? std::string(why) : fmt::format("'{}': {}", file.string(), why));
    }
  }
  return comparison;
}

}  // namespace octavo
