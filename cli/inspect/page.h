#pragma once

// The page of `octavo inspect`: one file that needs nothing but a browser.

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "octavo/inspect.h"

namespace octavo::cli {

/// What a page holds at most; of more, the strongest are taken. Of candidates every octave and verdict has its share,
/// and some more where that would be next to nothing.
inline constexpr std::size_t candidates_of_page = 20000;
inline constexpr std::size_t keypoints_of_page = 5000;
inline constexpr std::size_t descriptors_of_page = 1000;

/// A page under construction. Pictures are files in memory: PNG or JPEG.
class InspectPage {
 public:
  /// The picture of a stage, or of the packed pyramid, reduced by `factor`; `full`: the name of the file beside the
  /// page that has it in full size, or nothing.
  void add_plane(const StagePlane& plane, int factor, std::span<const std::byte> png, const std::string& full);
  /// The photograph; `pixels_per_pixel`: of the picture, for one of the image.
  void set_photograph(int width, int height, double pixels_per_pixel, std::span<const std::byte> jpeg);
  /// The keypoint whose descriptor is looked at, of the features, and the picture of it.
  void set_point(std::size_t index, std::span<const std::byte> png);

  /// The whole page. `told`: what told_inspection() says.
  [[nodiscard]] std::string text(const Inspection& inspection, const nlohmann::ordered_json& told) const;

 private:
  nlohmann::ordered_json planes_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json photograph_, point_;
  std::size_t point_index_ = 0;
};

}  // namespace octavo::cli
