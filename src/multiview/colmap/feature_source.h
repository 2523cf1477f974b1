#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "multiview/colmap/colmap_database.h"
#include "octavo/keypoint.h"

namespace octavo::colmap {

/// Where features are read from.
struct FeatureSource {
  std::function<std::optional<std::int64_t>(std::string_view name)> image_of;
  std::function<Features(std::int64_t image)> features;
  std::function<std::uint64_t(std::int64_t image)> bytes;
};

/// The features in a ColmapDatabase or ColmapFeatures, which must outlive the source.
template <class Database>
FeatureSource features_in(Database& database) {
  return {.image_of = [&database](std::string_view name) { return database.image_of(name); },
          .features = [&database](std::int64_t image) { return database.features(image); },
          .bytes = [&database](std::int64_t image) { return database.feature_bytes(image); }};
}

}  // namespace octavo::colmap
