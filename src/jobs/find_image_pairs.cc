// From places to images or their features, and to pairs of them.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "io/features/hloc.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"
#include "octavo/jobs/collection_jobs.h"
#include "octavo/jobs/match_jobs.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

fs::path name_of_image(const ImageFile& file) {
  fs::path name = file.name;
  if (!is_hloc_file(file.file) && looks_like_features(name)) name.replace_extension();
  return name;
}

// The images at a place, or, in a folder without images, the features.
ImageFiles files_at(const std::string& place, bool recursive) {
  if (!is_hloc_file(place)) {
    ImageFiles found = find_images(std::array{place}, recursive);
    if (!found.images.empty()) return found;
    // find_images gives the reason for a place without images, which need not apply to features.
    if (!fs::is_directory(place)) throw Error(ErrorCode::file_error, found.problems.front());
  }
  ImageFiles features = find_features(place, recursive);
  if (!features.images.empty()) return features;
  if (!features.problems.empty()) throw Error(ErrorCode::file_error, features.problems.front());
  throw Error(ErrorCode::file_error,
              fmt::format("'{}' contains no {}features{}", place, is_hloc_file(place) ? "" : "image and no ",
                          is_hloc_file(place) ? "" : " (.npz, or .txt of COLMAP)"));
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code unknown;  // a file that does not exist has its error where it is read
  return one == other || fs::equivalent(one, other, unknown);
}

// Collects the images, each once.
class ImageCollector {
 public:
  explicit ImageCollector(ImagePairs& all) : all_(all) {}

  // The indices of the images at a place.
  std::vector<std::size_t> add(const std::string& place, bool recursive) {
    ImageFiles found = files_at(place, recursive);
    std::vector<std::size_t> indices;
    for (const ImageFile& file : found.images) indices.push_back(index_of(file));
    std::ranges::move(found.problems, std::back_inserter(all_.problems));
    return indices;
  }

 private:
  std::size_t index_of(const ImageFile& file) {
    const fs::path name = name_of_image(file);
    const auto [known, is_new] = known_.emplace(name, all_.images.size());
    if (is_new) {
      all_.images.push_back({file.file, name});
    } else if (const fs::path& other = all_.images[known->second].file; !is_same_file(other, file.file)) {
      throw Error(ErrorCode::invalid_option,
                  fmt::format("{} and {} have the same name, so their matches cannot be told apart; a pattern such as "
                              "'*.npz' chooses",
                              other.string(), file.file.string()));
    }
    return known->second;
  }

  ImagePairs& all_;
  std::map<fs::path, std::size_t> known_;
};

}  // namespace

bool has_features(const ImageFile& image) { return is_hloc_file(image.file) || looks_like_features(image.file); }

ImagePairs find_image_pairs(const MatchPlaces& places, const ReadOptions& read, const DeviceOptions& device,
                            const JobContext& context) {
  ImagePairs found;
  ImageCollector collector(found);
  const std::vector<std::size_t> in_a = collector.add(places.a, places.recursive);
  if (!places.b.empty()) {
    const std::vector<std::size_t> in_b = collector.add(places.b, places.recursive);
    for (const std::size_t a : in_a) {
      for (const std::size_t b : in_b) {
        if (a != b) found.pairs.emplace_back(a, b);
      }
    }
  } else {
    const auto stored = std::ranges::count_if(found.images, has_features);
    if (are_by_likeness(pair_options_of(places.pairs)) && stored > 0 && stored < std::ssize(found.images)) {
      throw Error(ErrorCode::invalid_option,
                  "`pairs` retrieval compares images or features, but not one with the other");
    }
    PairList list = pairs_by_text(
        places.pairs,
        {.images = found.images, .of_features = stored > 0, .options = {}, .read = read, .device = device}, context);
    found.pairs = std::move(list.pairs);
    std::ranges::move(list.problems, std::back_inserter(found.problems));
  }
  return found;
}

}  // namespace octavo
