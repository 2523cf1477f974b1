// The images or features of a collection, and what is left out of it.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "octavo/error.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {
namespace {

ImageFiles features_of_collection(const CollectionPlaces& places) {
  ImageFiles found = find_features(places.features, places.recursive);
  if (!found.images.empty()) return found;
  throw Error(ErrorCode::file_error,
              !found.problems.empty()
                  ? found.problems.front()
                  : fmt::format("'{}' contains no features (.npz, or .txt of COLMAP)", places.features.string()));
}

}  // namespace

ImageFiles find_collection(const CollectionPlaces& places) {
  const bool of_features = !places.features.empty();
  ImageFiles found = of_features ? features_of_collection(places) : find_images(places.images, places.recursive);
  std::erase_if(found.images, [&](const ImageFile& image) {
    std::error_code unknown;
    if (!of_features && !std::filesystem::exists(image.file, unknown)) {
      found.problems.push_back(fmt::format("{}: there is no such file", image.file.string()));
    } else if (places.are_listed && has_line_break(image.name.generic_string())) {
      found.problems.push_back(
          fmt::format("{}: the name contains a line break, which a list of pairs cannot hold", image.file.string()));
    } else {
      return false;
    }
    return true;
  });
  return found;
}

}  // namespace octavo
