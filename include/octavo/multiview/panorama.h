#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/option_table.h"

// Equirectangular panoramas, 360° × 180°, as pinhole views that programs for ordinary photographs understand.
//
// A panorama has W × W/2 pixels. Its frame has the axes x right, y down, z ahead: z is the direction of its middle. The
// place (u, v) [pixel, from the corner of the image] shows the longitude 2π (u/W − 1/2), positive to the right, and the
// latitude π (1/2 − 2v/W), positive up; the direction is (cos lat sin lon, −sin lat, cos lat cos lon).

namespace OCTAVO_API octavo {

/// The views that are taken of a panorama.
struct PanoramaOptions {
  /// Which images are panoramas.
  enum class Which : std::uint8_t {
    told,        ///< those that say so: GPano's ProjectionType in XMP is equirectangular
    two_to_one,  ///< also all others that are twice as wide as high
    none         ///< none: all are ordinary photographs
  };
  Which panoramas = Which::told;
  int panorama_views = 8;   ///< around the horizon, evenly spread
  double view_angle = 90;   ///< [degree] of the sides of a view, which is square
  int view_size = 0;        ///< [pixel] of its sides; 0: as many as keep the resolution in the middle
  bool view_poles = false;  ///< also a view up and one down
  friend bool operator==(const PanoramaOptions&, const PanoramaOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<PanoramaOptions>& option_table<PanoramaOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const PanoramaOptions& options);

/// What XMP data say of an image by Google's GPano.
enum class ToldPanorama : std::uint8_t {
  none,   ///< not that it is equirectangular
  whole,  ///< an equirectangular panorama, all around
  part    ///< a part of one
};

ToldPanorama told_panorama(std::string_view xmp);

/// A view: a pinhole camera at the place of the panorama.
struct PanoramaView {
  std::string name;  ///< "yaw045": turned 45° to the right of the middle; "up", "down". Names sort by direction.
  /// The rotation from the frame of the panorama to that of the view, x right, y down, z ahead: w, x, y, z.
  std::array<double, 4> view_from_panorama{1, 0, 0, 0};
};

/// The views of a panorama: those around from the middle to the right, then up and down.
std::vector<PanoramaView> panorama_views(const PanoramaOptions& options);

/// Whether an image of this size can be a whole panorama: twice as wide as high, give or take two pixels.
bool is_two_to_one(ImageSize size);

/// The direction of a place of a panorama that is `width` wide; both in its frame, the length is 1.
std::array<double, 3> panorama_direction(double u, double v, double width);

/// The place of a direction of any length but 0; u is in 0…width.
std::array<double, 2> panorama_place(const std::array<double, 3>& direction, double width);

/// [pixel] The side of the views of a panorama that is `width` wide.
int view_size_of(const PanoramaOptions& options, int width);

/// [pixel] The focal length of a view whose sides are `size` long. The principal point is its middle.
double focal_length_of(const PanoramaOptions& options, int size);

/// Cuts views out of a panorama.
class PanoramaCutter {
 public:
  /// `panorama` is two to one. Where views have fewer pixels than it, it is made smaller first, by means over areas.
  /// Throws Error(invalid_argument) for another size, and for one of more than 32 000 pixels in a row.
  PanoramaCutter(const ImageView& panorama, const PanoramaOptions& options);
  ~PanoramaCutter();
  PanoramaCutter(const PanoramaCutter&) = delete;
  PanoramaCutter& operator=(const PanoramaCutter&) = delete;

  /// The view, with the type and the channels of the panorama; bicubic.
  [[nodiscard]] Image cut(const PanoramaView& view) const;
  /// [pixel] The side of a view.
  [[nodiscard]] int size() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

}  // namespace octavo
