#pragma once

// The page of an inspection: one file that needs nothing but a browser.

#include <span>
#include <string>

#include "io/inspection/presenter.h"
#include "io/json/json.h"
#include "octavo/inspect.h"

namespace octavo::inspection {

/// The greatest numbers of points on a page. If there are more, the strongest are taken. Every octave and verdict has
/// its share of candidates, and small groups stay whole.
inline constexpr std::size_t candidates_of_page = 20000;
inline constexpr std::size_t keypoints_of_page = 5000;
inline constexpr std::size_t descriptors_of_page = 1000;

/// A page under construction. Images are files in memory: PNG or JPEG.
class InspectionPage {
 public:
  /// Adds the image of a stage, or of the packed pyramid, reduced by `factor`. `full` is the name of the file beside
  /// the page with the image in full size; it may be empty.
  void add_plane(const StagePlane& plane, int factor, std::span<const std::byte> png, const std::string& full);
  /// Adds the image of a filter.
  void add_filter(const DirectionalFilter& filter, std::span<const std::byte> png);
  /// Adds the photograph. `pixels_per_pixel` is the number of pixels of the image for one of the image.
  void set_photograph(int width, int height, double pixels_per_pixel, std::span<const std::byte> jpeg);
  /// Adds the keypoint whose descriptor is shown, by its index among the features, with its image.
  void set_point(std::size_t index, std::span<const std::byte> png);

  /// Returns the whole page as HTML. `report` is the result of report_json().
  [[nodiscard]] std::string html(const Presenter& presenter, const Inspection& inspection, const Json& report) const;

 private:
  Json planes_ = Json::array(), filters_ = Json::array();
  Json photograph_, point_;
  std::size_t point_index_ = 0;
};

}  // namespace octavo::inspection
