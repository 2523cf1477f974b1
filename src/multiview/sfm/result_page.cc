// The page of a result. Its script draws everything from JSON: the result as `octavo sfm --json` prints it, and for
// each model the places of cameras and points. Points are base64 of f32 places and of u8 colours, which takes a fifth
// of their text.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "io/pages/base64.h"
#include "io/pages/page.h"
#include "io/pages/shared_text.h"
#include "multiview/sfm/result_json.h"
#include "octavo/multiview/sfm.h"

namespace octavo {

extern const std::string_view report_css;  // the style that reports share, of pages/
extern const std::string_view chart_min_js;
extern const std::string_view charts_js;
extern const std::string_view sfm_html;
extern const std::string_view sfm_css;
extern const std::string_view sfm_space_js;
extern const std::string_view sfm_view_js;
extern const std::string_view sfm_matrix_js;
extern const std::string_view sfm_js;

namespace {

template <class Value>
std::string base64_of(const std::vector<Value>& values) {
  return base64(std::as_bytes(std::span<const Value>(values)));
}

Json points_json(const SfmModel& model, std::size_t most) {
  const std::size_t all = model.points.size(), shown = std::min(all, most);
  std::vector<float> places;
  std::vector<std::uint8_t> colours;
  std::size_t number = 0;
  for (const auto& [id, point] : model.points) {
    // The first point of each of `shown` equal parts.
    const bool is_shown = all == shown || (number * shown) % all < shown;
    ++number;
    if (!is_shown) continue;
    for (const double value : point.place) places.push_back(static_cast<float>(value));
    colours.insert(colours.end(), point.colour.begin(), point.colour.end());
  }
  return {{"count", places.size() / 3}, {"places", base64_of(places)}, {"colours", base64_of(colours)}};
}

Json cameras_json(const SfmModel& model) {
  Json list = Json::array();
  for (const auto& [id, image] : model.images) {
    const SfmCamera& camera = model.cameras.at(image.camera);
    list.push_back({{"image", image.name},
                    {"centre", camera_centre(image)},
                    {"axes", camera_axes(image)},
                    {"width", static_cast<double>(camera.width) / camera.parameters.front()},
                    {"height", static_cast<double>(camera.height) / camera.parameters.front()}});
  }
  return list;
}

}  // namespace

std::string page_of(const SfmResult& result, std::size_t max_points) {
  Json spaces = Json::array();
  for (const SfmModelResult& model : result.models) {
    spaces.push_back({{"points", points_json(model.model, max_points)}, {"cameras", cameras_json(model.model)}});
  }
  const std::array places{result.photographs.string(), result.database.string(), result.folder.string(),
                          result.mapper.program};
  const std::string report = json_without_folders(json_text(sfm::as_json(result)), places);
  const std::string data = fmt::format(R"({{"report":{},"spaces":{}}})", report, json_text(spaces));
  const std::array styles{report_css, sfm_css};
  const std::array scripts{chart_min_js, charts_js, sfm_space_js, sfm_view_js, sfm_matrix_js, sfm_js};
  const std::string title = "Model of " + result.photographs.filename().string();
  return assemble_page({.title = title, .body = sfm_html, .styles = styles, .scripts = scripts, .json = data});
}

}  // namespace octavo
