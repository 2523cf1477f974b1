#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "octavo/sfm.h"

namespace octavo::sfm {

using Json = nlohmann::ordered_json;

/// The text of JSON in UTF-8, on one line.
inline std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json as_json(const SfmResult& result);

}  // namespace octavo::sfm
