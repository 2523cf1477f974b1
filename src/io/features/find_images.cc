// From places (files, folders, patterns) to a list of images, and from there to a batch.

#include "octavo/io/collection.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>

#include "io/features/hloc.h"
#include "io/files/ending.h"
#include "io/files/files_below.h"
#include "io/files/matching_paths.h"
#include "octavo/batch.h"
#include "octavo/io/feature_files.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// COLMAP's features end in .txt as many other files do.
bool are_features_of_an_image(const fs::path& file) {
  return looks_like_features(file) && (io::ending_of(file) != ".txt" || looks_like_image(file.stem()));
}

// Collects images, each file once.
class Collector {
 public:
  explicit Collector(bool recursive) : recursive_(recursive) {}

  void add(const std::string& place) {
    if (place.empty()) {
      found_.problems.emplace_back("'': a file has no empty name");
      return;
    }
    std::error_code error;
    const bool is_pattern = place.find_first_of("*?[") != std::string::npos && !fs::exists(place, error);
    if (!is_pattern) return add_path(place);
    io::MatchingPaths matching = io::matching_paths(place);
    if (matching.paths.empty() && matching.problems.empty()) {
      matching.problems.push_back(fmt::format("{}: no file matches this pattern", place));
    }
    for (const fs::path& path : matching.paths) add_path(path);
    std::ranges::move(matching.problems, std::back_inserter(found_.problems));
  }

  ImageFiles take() { return std::move(found_); }

 private:
  void add_path(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) return add_image(path, path.filename());
    io::FilesBelow below = io::files_below(path, recursive_);
    std::erase_if(below.files, [](const fs::path& file) { return !looks_like_image(file); });
    if (below.files.empty() && below.problems.empty()) {
      below.problems.push_back(fmt::format("{}: the folder holds no images", path.string()));
    }
    for (const fs::path& file : below.files) add_image(file, file.lexically_relative(path));
    std::ranges::move(below.problems, std::back_inserter(found_.problems));
  }

  void add_image(const fs::path& file, const fs::path& name) {
    if (seen_.insert(fs::absolute(file).lexically_normal()).second) found_.images.push_back({file, name});
  }

  bool recursive_;
  ImageFiles found_;
  std::set<fs::path> seen_;
};

}  // namespace

ImageFiles find_images(std::span<const std::string> places, bool recursive) {
  Collector collector(recursive);
  for (const std::string& place : places) collector.add(place);
  return collector.take();
}

ImageFiles find_features(const fs::path& place, bool recursive) {
  if (is_hloc_file(place)) {
    ImageFiles found;
    const HlocFeatures features(place);
    for (const std::string& name : features.names()) found.images.push_back({place, name});
    return found;
  }
  io::FilesBelow below = io::files_below(place, recursive);
  ImageFiles found{.images = {}, .problems = std::move(below.problems)};
  for (const fs::path& file : below.files) {
    if (!are_features_of_an_image(file)) continue;
    found.images.push_back({file, file.lexically_relative(place).replace_extension()});
  }
  return found;
}

std::optional<std::pair<ImageFile, ImageFile>> same_name(std::span<const ImageFile> images) {
  std::map<fs::path, const ImageFile*> known;
  for (const ImageFile& image : images) {
    const auto [other, is_new] = known.emplace(image.name, &image);
    if (!is_new) return std::pair(*other->second, image);
  }
  return std::nullopt;
}

std::vector<BatchImage> batch_of(std::span<const ImageFile> files, const ReadOptions& options,
                                 const std::shared_ptr<const Image>& mask) {
  validate(options);
  std::vector<BatchImage> images;
  images.reserve(files.size());
  for (const ImageFile& one : files) {
    const auto load = [file = one.file, options, mask] {
      return LoadedImage{read_image(file, options, mask.get()), mask};
    };
    images.push_back({one.file.string(), load});
  }
  return images;
}

}  // namespace octavo
