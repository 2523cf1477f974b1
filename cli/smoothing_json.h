#pragma once

#include <nlohmann/json.hpp>

#include "octavo/sift_options.h"

namespace octavo::cli {

/// `smoothing`, and of trilateral smoothing its options, as the program calls them.
nlohmann::ordered_json smoothing_as_json(const SiftOptions& options);

}  // namespace octavo::cli
