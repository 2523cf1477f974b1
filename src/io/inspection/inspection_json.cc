// The numbers of an inspection, for other programs.

#include "io/inspection/inspection_json.h"

#include <fmt/core.h>

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "io/pages/shared_text.h"

namespace octavo::inspection {
namespace {

Json octave_json(const InspectedOctave& o, const std::vector<CandidateVerdict>& verdicts) {
  Json counts = Json::object();
  for (const CandidateVerdict v : verdicts) counts[std::string(name_of(v))] = o.verdicts[static_cast<std::size_t>(v)];
  return {{"octave", o.octave},
          {"width", o.width},
          {"height", o.height},
          {"blur_count", o.blurs},
          {"difference_count", o.differences},
          {"sigmas", o.sigmas},
          {"faint_counts", o.faint},
          {"verdict_counts", counts},
          {"keypoint_count", o.keypoints}};
}

// Candidates are many, so their text is written without JSON objects. fmt writes the shortest digits that give this
// float.
std::string candidate_text(const Presenter& presenter, const Inspection& inspection, std::size_t candidate) {
  const Candidate& c = inspection.candidates[candidate];
  return fmt::format(
      R"({{"octave":{},"layer":{},"row":{},"column":{},"x":{},"y":{},"scale":{},{}"keypoint_count":{},"verdict":"{}"}})",
      c.octave, c.layer, c.row, c.column, c.x, c.y, c.scale, presenter.members_of_candidate(inspection, candidate),
      c.keypoints, name_of(c.verdict));
}

std::string keypoint_text(const Keypoint& k, std::size_t candidate) {
  const std::string ellipse =
      has_ellipse(k) ? fmt::format(R"("a11":{},"a12":{},"a21":{},"a22":{},)", k.a11, k.a12, k.a21, k.a22) : "";
  return fmt::format(
      R"({{"x":{},"y":{},"scale":{},"orientation":{},{}"response":{},"octave":{},"layer":{},"candidate":{}}})", k.x,
      k.y, k.scale, k.orientation, ellipse, k.response, k.octave, k.layer, candidate);
}

// For each keypoint, the candidate that gave it, which settled at the same point. Duplicates are not kept.
std::vector<std::size_t> candidates_of_keypoints(const Inspection& inspection) {
  std::map<std::tuple<int, float, float, float>, std::size_t> kept;
  for (std::size_t i = 0; i < inspection.candidates.size(); ++i) {
    const Candidate& c = inspection.candidates[i];
    if (c.verdict == CandidateVerdict::kept) kept[{c.octave, c.y, c.x, c.scale}] = i;
  }
  std::vector<std::size_t> candidates;
  for (const Keypoint& k : inspection.features.keypoints) candidates.push_back(kept.at({k.octave, k.y, k.x, k.scale}));
  return candidates;
}

}  // namespace

Json plane_json(const StagePlane& plane, const std::string& file, int factor) {
  Json json{{"file", file}, {"stage", plane.stage}};
  if (plane.scale > 0) {
    json["scale"] = plane.scale;
  } else {
    json["octave"] = plane.octave;
  }
  if (plane.level >= 0) json["level"] = plane.level;
  json.update({{"sigma", plane.sigma},
               {"factor", factor},
               {"black", plane.black},
               {"white", plane.white},
               {"signed", plane.is_signed}});
  return json;
}

Json report_json(const Presenter& presenter, const std::string& image_name, const ImageView& image,
                 const Inspection& inspection, std::optional<std::size_t> point) {
  Json octaves = Json::array();
  for (const InspectedOctave& octave : inspection.octaves) {
    octaves.push_back(octave_json(octave, presenter.inspector().verdicts()));
  }
  Json options = parse_json(json_of(presenter.inspector().options()));
  options.erase("detector");
  Json report = {{"image", without_folders(image_name, std::span(&image_name, 1))},
                 {"width", image.width},
                 {"height", image.height},
                 {"detector", detector_of(presenter.inspector().options()).name},
                 {"options", options}};
  report.update(presenter.report(inspection));
  report.update({{"octaves", octaves}, {"point", Json()}});
  if (point) {
    const Keypoint& k = inspection.features.keypoints[*point];
    report["point"] = {{"keypoint", *point},
                       {"x", k.x},
                       {"y", k.y},
                       {"scale", k.scale},
                       {"orientation", k.orientation},
                       {"response", k.response},
                       {"octave", k.octave},
                       {"layer", k.layer}};
    if (has_ellipse(k)) report["point"].update({{"a11", k.a11}, {"a12", k.a12}, {"a21", k.a21}, {"a22", k.a22}});
    report["point"]["descriptor"] = inspection.features.descriptor(*point);
  }
  return report;
}

std::string inspect_json(const Presenter& presenter, const Json& report, const Inspection& inspection) {
  std::string text = json_text(report);
  text.back() = ',';
  text += "\n\"candidates\":[";
  for (std::size_t i = 0; i < inspection.candidates.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += candidate_text(presenter, inspection, i);
  }
  text += "\n],\n\"keypoints\":[";
  const std::vector<std::size_t> candidates = candidates_of_keypoints(inspection);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    text += keypoint_text(inspection.features.keypoints[i], candidates[i]);
  }
  return text + "\n]}\n";
}

}  // namespace octavo::inspection
