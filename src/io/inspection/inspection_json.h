#pragma once

// What an inspection reports to other programs: inspect.json.

#include <optional>
#include <string>

#include "io/inspection/presenter.h"
#include "io/json/json.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

/// An entry of "planes": an image among the files. Each of its pixels is factor × factor pixels of the plane.
Json plane_json(const StagePlane& plane, const std::string& file, int factor);

/// The object with "image", "width", "height", "detector", "options", the detector's own parts, "octaves" and "point":
/// the keypoint `point` among the features, or null.
Json report_json(const Presenter& presenter, const std::string& image_name, const ImageView& image,
                 const Inspection& inspection, std::optional<std::size_t> point);

/// inspect.json: `report`, the candidates and the keypoints, each on a line of its own.
std::string inspect_json(const Presenter& presenter, const Json& report, const Inspection& inspection);

}  // namespace octavo::inspection
