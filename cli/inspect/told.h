#pragma once

// What `octavo inspect` tells other programs: inspect.json.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "octavo/inspect.h"

namespace octavo::cli {

/// A picture of a plane among the files.
nlohmann::ordered_json told_plane(const StagePlane& plane, const std::string& file, int factor);

/// "image", "width", "height", "options", "octaves" and "point": the keypoint `point` among the features, or null.
nlohmann::ordered_json told_inspection(const std::string& image_name, const ImageView& image,
                                       const SiftOptions& options, const Inspection& inspection,
                                       std::optional<std::size_t> point);

/// inspect.json: `told`, the candidates and the keypoints, each on a line of its own.
std::string inspect_json(const nlohmann::ordered_json& told, const Inspection& inspection);

}  // namespace octavo::cli
