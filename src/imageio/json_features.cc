// Features for other programs. They rely on the keys, so the keys do not change.

#include <nlohmann/json.hpp>

#include "octavo/imageio.h"

namespace octavo {

std::string json_features(const std::string& image_name, const Features& features, std::optional<double> milliseconds) {
  using Json = nlohmann::ordered_json;
  Json keypoints = Json::array();
  for (const Keypoint& k : features.keypoints) {
    keypoints.push_back(
        {{"x", k.x}, {"y", k.y}, {"scale", k.scale}, {"orientation", k.orientation}, {"response", k.response}});
    if (!has_ellipse(k)) continue;
    keypoints.back().update({{"a11", k.a11}, {"a12", k.a12}, {"a21", k.a21}, {"a22", k.a22}});
  }
  Json document = {{"image", image_name}, {"keypoints", std::move(keypoints)}};
  if (milliseconds) document["milliseconds"] = *milliseconds;
  // A file name may contain any bytes, but JSON must be UTF-8. Invalid bytes become U+FFFD.
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace octavo
