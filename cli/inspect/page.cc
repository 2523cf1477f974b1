// The page is a template with a place for what was found, which is JSON that the page's script reads. Columns of
// numbers stand in arrays of their own: names for every number would be most of the page.

#include "cli/inspect/page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/inspect/base64.h"
#include "cli/json_text.h"

namespace octavo {
extern const std::string_view inspect_page_html;
extern const std::string_view inspect_page_css;
extern const std::string_view inspect_pictures_js;
extern const std::string_view inspect_view_js;
extern const std::string_view inspect_sheet_js;
extern const std::string_view inspect_keypoints_js;
extern const std::string_view inspect_start_js;
}  // namespace octavo

namespace octavo::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string data_uri(const std::string& type, std::span<const std::byte> bytes) {
  return "data:" + type + ";base64," + base64(bytes);
}

double rounded(double value, double unit_per_one) { return std::round(value * unit_per_one) / unit_per_one; }

// Which candidates the page shows: all, or of every octave and verdict the same share, the strongest.
std::vector<std::size_t> shown_candidates(const std::vector<Candidate>& candidates) {
  std::map<std::pair<int, Verdict>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    groups[{candidates[i].octave, candidates[i].verdict}].push_back(i);
  }
  constexpr std::size_t few = 20;  // of which none is left out
  const double share = std::min(1.0, static_cast<double>(candidates_of_page) / static_cast<double>(candidates.size()));
  std::vector<std::size_t> shown;
  for (auto& [kind, group] : groups) {
    std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(candidates[a].value) > std::abs(candidates[b].value);
    });
    const auto part = static_cast<std::size_t>(share * static_cast<double>(group.size()));
    group.resize(std::max(part, std::min(group.size(), few)));
    shown.insert(shown.end(), group.begin(), group.end());
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

// Of each layer how many candidates of each verdict there are, held or not.
Json totals_of(const std::vector<Candidate>& candidates) {
  std::map<std::pair<int, int>, std::array<std::int64_t, verdict_count>> counts;
  for (const Candidate& c : candidates) ++counts[{c.octave, c.layer}][static_cast<std::size_t>(c.verdict)];
  Json totals = Json::array();
  for (const auto& [at, count] : counts) {
    totals.push_back({{"octave", at.first}, {"layer", at.second}, {"verdicts", count}});
  }
  return totals;
}

// Of each layer how many keypoints there are, held or not.
Json totals_of(const std::vector<Keypoint>& keypoints) {
  std::map<std::pair<int, int>, std::int64_t> counts;
  for (const Keypoint& k : keypoints) ++counts[{k.octave, k.layer}];
  Json totals = Json::array();
  for (const auto& [at, count] : counts) {
    totals.push_back({{"octave", at.first}, {"layer", at.second}, {"keypoints", count}});
  }
  return totals;
}

Json columns_of(const std::vector<Candidate>& candidates) {
  const Json none = Json::array();
  Json octave = none, layer = none, row = none, column = none, x = none, y = none, scale = none, value = none,
       ratio = none, verdict = none;
  for (const std::size_t i : shown_candidates(candidates)) {
    const Candidate& c = candidates[i];
    octave.push_back(c.octave);
    layer.push_back(c.layer);
    row.push_back(c.row);
    column.push_back(c.column);
    x.push_back(rounded(c.x, 100));
    y.push_back(rounded(c.y, 100));
    scale.push_back(rounded(c.scale, 100));
    value.push_back(rounded(c.value, 1e5));
    ratio.push_back(std::isfinite(c.curvature_ratio) ? Json(rounded(c.curvature_ratio, 10)) : Json());
    verdict.push_back(static_cast<int>(c.verdict));
  }
  return {{"total", candidates.size()},
          {"totals", totals_of(candidates)},
          {"octave", octave},
          {"layer", layer},
          {"row", row},
          {"column", column},
          {"x", x},
          {"y", y},
          {"scale", scale},
          {"value", value},
          {"ratio", ratio},
          {"verdict", verdict}};
}

// Strongest first. `point`, among the features, is always there.
std::vector<std::size_t> shown_keypoints(const Features& features, std::size_t point) {
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t count = std::min(order.size(), keypoints_of_page);
  const auto stronger = [&](std::size_t a, std::size_t b) {
    const float in_a = features.keypoints[a].response, in_b = features.keypoints[b].response;
    return in_a != in_b ? in_a > in_b : a < b;
  };
  std::sort(order.begin(), order.end(), stronger);
  order.resize(count);
  if (count > 0 && std::find(order.begin(), order.end(), point) == order.end()) order.back() = point;
  return order;
}

Json columns_of(const Features& features, const std::vector<std::size_t>& shown, std::size_t point) {
  const Json none = Json::array();
  Json octave = none, layer = none, x = none, y = none, scale = none, orientation = none, response = none;
  Json descriptor = Json::object();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Keypoint& k = features.keypoints[shown[i]];
    octave.push_back(k.octave);
    layer.push_back(k.layer);
    x.push_back(rounded(k.x, 100));
    y.push_back(rounded(k.y, 100));
    scale.push_back(rounded(k.scale, 100));
    orientation.push_back(rounded(k.orientation, 1e4));
    response.push_back(rounded(k.response, 1e5));
    if (i < descriptors_of_page || shown[i] == point) {
      descriptor[std::to_string(i)] = base64(std::as_bytes(features.descriptor(shown[i])));
    }
  }
  return {{"total", features.size()},
          {"totals", totals_of(features.keypoints)},
          {"octave", octave},
          {"layer", layer},
          {"x", x},
          {"y", y},
          {"scale", scale},
          {"orientation", orientation},
          {"response", response},
          {"descriptor", descriptor}};
}

Json verdicts() {
  Json all = Json::array();
  for (std::size_t v = 0; v < verdict_count; ++v) {
    const auto verdict = static_cast<Verdict>(v);
    all.push_back({{"name", name_of(verdict)}, {"colour", colour_of(verdict)}});
  }
  return all;
}

// JSON that may stand in a page: nothing in it ends the script.
std::string as_script_data(const Json& json) {
  std::string text = json_text(json);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
  return text;
}

void put(std::string& page, std::string_view place, std::string_view text) {
  const std::size_t at = page.find(place);
  if (at != std::string::npos) page.replace(at, place.size(), text);
}

}  // namespace

void InspectPage::add_plane(const StagePlane& plane, int factor, std::span<const std::byte> png,
                            const std::string& full) {
  planes_.push_back({{"stage", plane.stage},
                     {"octave", plane.octave},
                     {"level", plane.level},
                     {"sigma", rounded(plane.sigma, 1000)},
                     {"width", plane.pixels.width},
                     {"height", plane.pixels.height},
                     {"factor", factor},
                     {"black", plane.black},
                     {"white", plane.white},
                     {"signed", plane.is_signed},
                     {"picture", data_uri("image/png", png)}});
  if (!full.empty()) planes_.back()["full"] = full;
}

void InspectPage::set_photograph(int width, int height, double pixels_per_pixel, std::span<const std::byte> jpeg) {
  photograph_ = {{"width", width},
                 {"height", height},
                 {"pixels_per_pixel", pixels_per_pixel},
                 {"picture", data_uri("image/jpeg", jpeg)}};
}

void InspectPage::set_point(std::size_t index, std::span<const std::byte> png) {
  point_index_ = index;
  point_ = {{"picture", data_uri("image/png", png)}};
}

std::string InspectPage::text(const Inspection& inspection, const nlohmann::ordered_json& told) const {
  const std::vector<std::size_t> keypoints = shown_keypoints(inspection.features, point_index_);
  Json data = told;
  data["photograph"] = photograph_;
  data["planes"] = planes_;
  data["verdicts"] = verdicts();
  data["candidates"] = columns_of(inspection.candidates);
  data["keypoints"] = columns_of(inspection.features, keypoints, point_index_);
  data["point"] = point_;
  if (!point_.is_null()) {
    const auto place = std::find(keypoints.begin(), keypoints.end(), point_index_);
    data["point"]["index"] = place - keypoints.begin();
  }
  std::string page(inspect_page_html);
  put(page, "/*STYLE*/", inspect_page_css);
  std::string script;
  for (const std::string_view part :
       {inspect_pictures_js, inspect_view_js, inspect_sheet_js, inspect_keypoints_js, inspect_start_js}) {
    script += part;
  }
  put(page, "/*SCRIPT*/", script);
  put(page, "/*DATA*/", as_script_data(data));
  return page;
}

}  // namespace octavo::cli
