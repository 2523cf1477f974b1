// Features for other programs. The keys are a promise to them; they stay.

#include <nlohmann/json.hpp>

#include "octavo/imageio.h"

namespace octavo {

std::string json_features(const std::string& image_name, const Features& features, double milliseconds) {
  using Json = nlohmann::ordered_json;
  Json keypoints = Json::array();
  for (const Keypoint& k : features.keypoints) {
    keypoints.push_back(
        {{"x", k.x}, {"y", k.y}, {"scale", k.scale}, {"orientation", k.orientation}, {"response", k.response}});
  }
  const Json document = {{"image", image_name}, {"keypoints", std::move(keypoints)}, {"milliseconds", milliseconds}};
  // A file's name may be any bytes, JSON must be UTF-8: what is not becomes U+FFFD.
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace octavo
