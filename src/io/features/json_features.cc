// Features for other programs, which rely on the keys.

#include <utility>

#include "io/json/json.h"
#include "octavo/io/feature_files.h"

namespace octavo {

namespace {

Json json_of(const Keypoint& k) {
  Json json = {{"x", k.x}, {"y", k.y}, {"scale", k.scale}, {"orientation", k.orientation}, {"response", k.response}};
  if (has_ellipse(k)) json.update({{"a11", k.a11}, {"a12", k.a12}, {"a21", k.a21}, {"a22", k.a22}});
  return json;
}

// A file name may contain any bytes, but JSON must be UTF-8. Invalid bytes become U+FFFD.
}  // namespace

std::string json_features(const std::string& image_name, const Features& features, std::optional<double> seconds) {
  Json keypoints = Json::array();
  for (const Keypoint& k : features.keypoints) keypoints.push_back(json_of(k));
  Json document = {{"image", image_name}, {"keypoints", std::move(keypoints)}};
  if (seconds) document["seconds"] = *seconds;
  return json_text(document);
}

std::string json_description(const std::string& image_name, const Description& description, double seconds) {
  Json keypoints = Json::array(), left_out = Json::array();
  for (std::size_t i = 0; i < description.inputs.size(); ++i) {
    const Keypoint& k = description.features.keypoints[i];
    Json& one = keypoints.push_back(json_of(k));
    one["octave"] = k.octave;
    one["layer"] = k.layer;
    one["input"] = description.inputs[i];
  }
  for (const LeftOut& one : description.left_out) {
    left_out.push_back({{"input", one.input}, {"reason", sentence_of(one.reason)}});
  }
  return json_text({{"image", image_name},
                    {"keypoints", std::move(keypoints)},
                    {"left_out", std::move(left_out)},
                    {"seconds", seconds}});
}

}  // namespace octavo
