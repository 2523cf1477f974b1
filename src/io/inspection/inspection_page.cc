// The page is a template with a place for the results, as JSON that the page's script reads. Each column of numbers is
// an array of its own: with a name for every number, names would be most of the page.

#include "io/inspection/inspection_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "io/inspection/inspection_json.h"
#include "io/inspection/page_number.h"
#include "io/pages/base64.h"
#include "io/pages/page.h"

namespace octavo {
extern const std::string_view inspect_html;
extern const std::string_view inspect_css;
extern const std::string_view inspect_images_js;
extern const std::string_view inspect_view_js;
extern const std::string_view inspect_sheet_js;
extern const std::string_view inspect_keypoints_js;
extern const std::string_view inspect_start_js;
}  // namespace octavo

namespace octavo::inspection {
namespace {

std::string data_uri(const std::string& type, std::span<const std::byte> bytes) {
  return "data:" + type + ";base64," + base64(bytes);
}

// Chooses the candidates on the page: all, or the strongest, with the same share for every octave and verdict.
std::vector<std::size_t> shown_candidates(const Presenter& presenter, const std::vector<Candidate>& candidates) {
  std::map<std::pair<int, CandidateVerdict>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    groups[{candidates[i].octave, candidates[i].verdict}].push_back(i);
  }
  constexpr std::size_t few = 20;  // groups of this size stay whole
  const double share = std::min(1.0, static_cast<double>(candidates_of_page) / static_cast<double>(candidates.size()));
  std::vector<std::size_t> shown;
  for (auto& [kind, group] : groups) {
    std::stable_sort(group.begin(), group.end(), [&](std::size_t a, std::size_t b) {
      return presenter.strength(candidates[a]) > presenter.strength(candidates[b]);
    });
    const auto part = static_cast<std::size_t>(share * static_cast<double>(group.size()));
    group.resize(std::max(part, std::min(group.size(), few)));
    shown.insert(shown.end(), group.begin(), group.end());
  }
  std::sort(shown.begin(), shown.end());
  return shown;
}

// The number of candidates of each layer and verdict, on the page or not.
Json totals_of(const std::vector<Candidate>& candidates, const std::vector<CandidateVerdict>& verdicts) {
  std::map<std::pair<int, int>, std::array<std::int64_t, verdict_count>> counts;
  for (const Candidate& c : candidates) ++counts[{c.octave, c.layer}][static_cast<std::size_t>(c.verdict)];
  Json totals = Json::array();
  for (const auto& [at, count] : counts) {
    Json of_verdicts = Json::array();
    for (const CandidateVerdict v : verdicts) of_verdicts.push_back(count[static_cast<std::size_t>(v)]);
    totals.push_back({{"octave", at.first}, {"layer", at.second}, {"verdict_counts", of_verdicts}});
  }
  return totals;
}

// The number of keypoints of each layer, on the page or not.
Json totals_of(const std::vector<Keypoint>& keypoints) {
  std::map<std::pair<int, int>, std::int64_t> counts;
  for (const Keypoint& k : keypoints) ++counts[{k.octave, k.layer}];
  Json totals = Json::array();
  for (const auto& [at, count] : counts) {
    totals.push_back({{"octave", at.first}, {"layer", at.second}, {"keypoint_count", count}});
  }
  return totals;
}

Json columns_of(const Presenter& presenter, const Inspection& inspection) {
  const std::vector<Candidate>& candidates = inspection.candidates;
  const std::vector<std::size_t> shown = shown_candidates(presenter, candidates);
  const std::vector<CandidateVerdict> verdicts = presenter.inspector().verdicts();
  const Json none = Json::array();
  Json octave = none, layer = none, row = none, column = none, x = none, y = none, scale = none, verdict = none,
       strength = none;
  for (const std::size_t i : shown) {
    const Candidate& c = candidates[i];
    octave.push_back(c.octave);
    layer.push_back(c.layer);
    row.push_back(c.row);
    column.push_back(c.column);
    x.push_back(rounded(c.x, 100));
    y.push_back(rounded(c.y, 100));
    scale.push_back(rounded(c.scale, 100));
    strength.push_back(rounded(presenter.strength(c), 1e5));
    verdict.push_back(std::find(verdicts.begin(), verdicts.end(), c.verdict) - verdicts.begin());
  }
  Json columns = {{"count", candidates.size()},
                  {"totals", totals_of(candidates, verdicts)},
                  {"octave", octave},
                  {"layer", layer},
                  {"row", row},
                  {"column", column},
                  {"x", x},
                  {"y", y},
                  {"scale", scale},
                  {"strength", strength},
                  {"verdict", verdict}};
  columns.update(presenter.columns(inspection, shown));
  return columns;
}

// Strongest first. The feature `point` is always included.
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
  Json octave = none, layer = none, x = none, y = none, scale = none, orientation = none, response = none,
       matrix = none;
  const bool has_ellipses = std::any_of(features.keypoints.begin(), features.keypoints.end(), has_ellipse);
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
    if (has_ellipses) {
      Json rows = Json::array();
      for (const double element : affine_matrix(k)) rows.push_back(rounded(element, 1000));
      matrix.push_back(rows);
    }
    if (!features.descriptors.empty() && (i < descriptors_of_page || shown[i] == point)) {
      descriptor[std::to_string(i)] = base64(std::as_bytes(features.descriptor(shown[i])));
    }
  }
  Json columns = {{"count", features.size()},
                  {"totals", totals_of(features.keypoints)},
                  {"octave", octave},
                  {"layer", layer},
                  {"x", x},
                  {"y", y},
                  {"scale", scale},
                  {"orientation", orientation},
                  {"response", response},
                  {"descriptor", descriptor}};
  if (has_ellipses) columns["matrix"] = matrix;
  return columns;
}

// The verdicts, to whose places in this list the candidates refer.
Json as_json(const std::vector<CandidateVerdict>& verdicts) {
  Json all = Json::array();
  for (const CandidateVerdict v : verdicts) all.push_back({{"name", name_of(v)}, {"colour", colour_of(v)}});
  return all;
}

}  // namespace

void InspectionPage::add_plane(const StagePlane& plane, int factor, std::span<const std::byte> png,
                               const std::string& full) {
  planes_.push_back({{"stage", plane.stage},
                     {"octave", plane.octave},
                     {"scale", plane.scale},
                     {"level", plane.level},
                     {"sigma", rounded(plane.sigma, 1000)},
                     {"width", plane.pixels.width},
                     {"height", plane.pixels.height},
                     {"factor", factor},
                     {"black", plane.black},
                     {"white", plane.white},
                     {"signed", plane.is_signed},
                     {"peaks", plane.has_peaks},
                     {"image", data_uri("image/png", png)}});
  if (!full.empty()) planes_.back()["full"] = full;
}

void InspectionPage::add_filter(const DirectionalFilter& filter, std::span<const std::byte> png) {
  filters_.push_back({{"scale", filter.scale}, {"direction", filter.direction}, {"image", data_uri("image/png", png)}});
}

void InspectionPage::set_photograph(int width, int height, double pixels_per_pixel, std::span<const std::byte> jpeg) {
  photograph_ = {{"width", width},
                 {"height", height},
                 {"pixels_per_pixel", pixels_per_pixel},
                 {"image", data_uri("image/jpeg", jpeg)}};
}

void InspectionPage::set_point(std::size_t index, std::span<const std::byte> png) {
  point_index_ = index;
  point_ = {{"image", data_uri("image/png", png)}};
}

std::string InspectionPage::html(const Presenter& presenter, const Inspection& inspection, const Json& report) const {
  const std::vector<std::size_t> keypoints = shown_keypoints(inspection.features, point_index_);
  Json data = report;
  data["photograph"] = photograph_;
  data["planes"] = planes_;
  if (!filters_.empty()) data["filters"] = filters_;
  data["verdicts"] = as_json(presenter.inspector().verdicts());
  data["candidates"] = columns_of(presenter, inspection);
  data["keypoints"] = columns_of(inspection.features, keypoints, point_index_);
  data["point"] = point_;
  if (!point_.is_null()) {
    const auto place = std::find(keypoints.begin(), keypoints.end(), point_index_);
    data["point"]["index"] = place - keypoints.begin();
  }
  const std::array styles{inspect_css};
  const std::array scripts{presenter.script(), inspect_images_js,    inspect_view_js,
                           inspect_sheet_js,   inspect_keypoints_js, inspect_start_js};
  return assemble_page(
      {.title = "octavo inspect", .body = inspect_html, .styles = styles, .scripts = scripts, .json = json_text(data)});
}

}  // namespace octavo::inspection
