// The keys are a promise to other programs; they stay.

#include "cli/inspect/told.h"
#include "cli/json_text.h"
#include "cli/smoothing_json.h"

#include <fmt/core.h>

#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace octavo::cli {
namespace {

using Json = nlohmann::ordered_json;

Json told_options(const SiftOptions& o) {
  Json json{{"first_octave", o.first_octave},
            {"max_octaves", o.max_octaves},
            {"layers", o.layers},
            {"sigma", o.sigma},
            {"assumed_blur", o.assumed_blur},
            {"contrast_threshold", o.contrast_threshold},
            {"edge_threshold", o.edge_threshold},
            {"max_orientations", o.max_orientations},
            {"upright", o.upright},
            {"luma", o.luma == Luma::bt709 ? "bt709" : "bt601"},
            {"descriptor", o.descriptor == DescriptorKind::sift ? "sift" : "rootsift"},
            {"max_features", o.max_features},
            {"rank", o.rank == Rank::response ? "response" : "scale"},
            {"grid", o.grid}};
  json.update(smoothing_as_json(o));
  return json;
}

Json told_octave(const InspectedOctave& o) {
  Json verdicts = Json::object();
  for (std::size_t v = 0; v < verdict_count; ++v) {
    verdicts[std::string(name_of(static_cast<Verdict>(v)))] = o.verdicts[v];
  }
  return {{"octave", o.octave},           {"width", o.width}, {"height", o.height},   {"blurs", o.blurs},
          {"differences", o.differences}, {"faint", o.faint}, {"verdicts", verdicts}, {"keypoints", o.keypoints}};
}

// Many: written without making objects of them first. fmt gives the shortest digits that are this float.
std::string told_candidate(const Candidate& c) {
  const std::string ratio = std::isfinite(c.curvature_ratio) ? fmt::format("{}", c.curvature_ratio) : "null";
  return fmt::format(
      R"({{"octave":{},"layer":{},"row":{},"column":{},"x":{},"y":{},"scale":{},"value":{},"curvature_ratio":{},)"
      R"("keypoints":{},"verdict":"{}"}})",
      c.octave, c.layer, c.row, c.column, c.x, c.y, c.scale, c.value, ratio, c.keypoints, name_of(c.verdict));
}

std::string told_keypoint(const Keypoint& k, std::size_t candidate) {
  return fmt::format(
      R"({{"x":{},"y":{},"scale":{},"orientation":{},"response":{},"octave":{},"layer":{},"candidate":{}}})", k.x, k.y,
      k.scale, k.orientation, k.response, k.octave, k.layer, candidate);
}

// Of each keypoint the candidate that gave it, which settled at the same point: duplicates are not kept.
std::vector<std::size_t> candidates_of_keypoints(const Inspection& inspection) {
  std::map<std::tuple<int, float, float, float>, std::size_t> kept;
  for (std::size_t i = 0; i < inspection.candidates.size(); ++i) {
    const Candidate& c = inspection.candidates[i];
    if (c.verdict == Verdict::kept) kept[{c.octave, c.y, c.x, c.scale}] = i;
  }
  std::vector<std::size_t> candidates;
  for (const Keypoint& k : inspection.features.keypoints) candidates.push_back(kept.at({k.octave, k.y, k.x, k.scale}));
  return candidates;
}

}  // namespace

Json told_plane(const StagePlane& plane, const std::string& file, int factor) {
  return {{"file", file},         {"stage", plane.stage}, {"octave", plane.octave},
          {"level", plane.level}, {"sigma", plane.sigma}, {"factor", factor},
          {"black", plane.black}, {"white", plane.white}, {"signed", plane.is_signed}};
}

Json told_inspection(const std::string& image_name, const ImageView& image, const SiftOptions& options,
                     const Inspection& inspection, std::optional<std::size_t> point) {
  Json octaves = Json::array();
  for (const InspectedOctave& octave : inspection.octaves) octaves.push_back(told_octave(octave));
  Json told = {{"image", image_name},
               {"width", image.width},
               {"height", image.height},
               {"options", told_options(options)},
               {"contrast", inspection.contrast},
               {"octaves", octaves},
               {"point", Json()}};
  if (point) {
    const Keypoint& k = inspection.features.keypoints[*point];
    told["point"] = {{"keypoint", *point},
                     {"x", k.x},
                     {"y", k.y},
                     {"scale", k.scale},
                     {"orientation", k.orientation},
                     {"response", k.response},
                     {"octave", k.octave},
                     {"layer", k.layer},
                     {"descriptor", inspection.features.descriptor(*point)}};
  }
  return told;
}

std::string inspect_json(const Json& told, const Inspection& inspection) {
  std::string text = json_text(told);
  text.back() = ',';
  text += "\n\"candidates\":[";
  for (std::size_t i = 0; i < inspection.candidates.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += told_candidate(inspection.candidates[i]);
  }
  text += "\n],\n\"keypoints\":[";
  const std::vector<std::size_t> candidates = candidates_of_keypoints(inspection);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += told_keypoint(inspection.features.keypoints[i], candidates[i]);
  }
  return text + "\n]}\n";
}

}  // namespace octavo::cli
