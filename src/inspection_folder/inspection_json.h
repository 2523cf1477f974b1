#pragma once

// What an inspection reports to other programs: inspect.json.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "inspection_folder/presenter.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

/// An entry of "planes": a picture among the files. Each of its pixels is factor × factor pixels of the plane.
nlohmann::ordered_json plane_json(const StagePlane& plane, const std::string& file, int factor);

/// The object with "image", "width", "height", "detector", "options", the detector's own parts, "octaves" and "point":
/// the keypoint `point` among the features, or null.
nlohmann::ordered_json report_json(const Presenter& presenter, const std::string& image_name, const ImageView& image,
                                   const Inspection& inspection, std::optional<std::size_t> point);

/// The text of JSON, on one line. Bytes that are not UTF-8, which file names may contain, become U+FFFD.
std::string json_text(const nlohmann::ordered_json& json);

/// inspect.json: `report`, the candidates and the keypoints, each on a line of its own.
std::string inspect_json(const Presenter& presenter, const nlohmann::ordered_json& report,
                         const Inspection& inspection);

}  // namespace octavo::inspection
