// The table of the options of panoramas, and the views that they choose.

#include <fmt/core.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "engine/core/option_rows.h"
#include "octavo/multiview/panorama.h"

namespace octavo {
namespace {

constexpr std::array<std::string_view, 3> which_words{"told", "2:1", "none"};

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

// A view is turned to the right and then up. y points down, so a turn about it by a positive angle is to the right.
PanoramaView turned_view(std::string name, double right, double up) {
  const Eigen::Quaterniond panorama_from_view(Eigen::AngleAxisd(radians(right), Eigen::Vector3d::UnitY()) *
                                              Eigen::AngleAxisd(radians(up), Eigen::Vector3d::UnitX()));
  const Eigen::Quaterniond turn = panorama_from_view.conjugate();
  return {std::move(name), {turn.w(), turn.x(), turn.y(), turn.z()}};
}

}  // namespace

template <>
const OptionTable<PanoramaOptions>& option_table<PanoramaOptions>() {
  constexpr std::string_view group = "Panorama options";
  static constexpr std::array some{OptionNeed{"panoramas", "none", true}};
  static const OptionTable<PanoramaOptions> table{
      .name = "panorama",
      .title = "Panoramas",
      .options = {option<&PanoramaOptions::panoramas>(
                      {.name = "panoramas",
                       .group = group,
                       .sentence = "Which images are panoramas all around (equirectangular), and are cut into views: "
                                   "those whose XMP data (GPano) say so, also all others that are twice as wide as "
                                   "high, or none.",
                       .words = which_words}),
                  option<&PanoramaOptions::panorama_views>(
                      {.name = "panorama_views",
                       .group = group,
                       .sentence = "Views of a panorama around the horizon, evenly spread.",
                       .symbol = "N",
                       .low = 3,
                       .high = 36,
                       .needs = some}),
                  option<&PanoramaOptions::view_angle>({.name = "view_angle",
                                                        .group = group,
                                                        .sentence = "The angle that a view shows across and upright.",
                                                        .symbol = "ANGLE",
                                                        .unit = "degree",
                                                        .low = 20,
                                                        .high = 120,
                                                        .needs = some}),
                  option<&PanoramaOptions::view_size>({.name = "view_size",
                                                       .group = group,
                                                       .sentence = "The sides of a view; 0: as many pixels as keep "
                                                                   "the resolution of the panorama.",
                                                       .symbol = "N",
                                                       .unit = "pixel",
                                                       .low = 32,
                                                       .high = 16384,
                                                       .special = 0,
                                                       .needs = some}),
                  option<&PanoramaOptions::view_poles>({.name = "view_poles",
                                                        .group = group,
                                                        .sentence = "Also cut a view up and one down, which often show "
                                                                    "the sky and what holds the camera.",
                                                        .needs = some})}};
  return table;
}

void validate(const PanoramaOptions& options) { option_table<PanoramaOptions>().validate(options); }

std::vector<PanoramaView> panorama_views(const PanoramaOptions& options) {
  std::vector<PanoramaView> views;
  for (int i = 0; i < options.panorama_views; ++i) {
    const double right = 360.0 * i / options.panorama_views;
    views.push_back(turned_view(fmt::format("yaw{:03}", std::lround(right)), right, 0));
  }
  if (options.view_poles) {
    views.push_back(turned_view("up", 0, 90));
    views.push_back(turned_view("down", 0, -90));
  }
  return views;
}

}  // namespace octavo
