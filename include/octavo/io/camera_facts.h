#pragma once

#include <optional>
#include <string>

#include "octavo/api.h"

// What the EXIF data (EXIF 2.32) of an image say of the camera and of the place.

namespace OCTAVO_API octavo {

/// A place on the Earth, WGS 84.
struct GpsPlace {
  double latitude = 0;               ///< [degree] −90…90, north is positive
  double longitude = 0;              ///< [degree] −180…180, east is positive
  std::optional<double> altitude{};  ///< [m] above the sea
  friend bool operator==(const GpsPlace&, const GpsPlace&) = default;
};

/// Facts that are missing or invalid are as if nothing were said. Those of HEIC and AVIF have no orientation,
/// `pixels_per_mm` and `width`, since the container turns and crops the image by itself.
struct CameraFacts {
  std::string make{}, model{};                   ///< without blanks at the ends; empty: not said
  int orientation = 1;                           ///< 1…8 (EXIF 2.32, §4.6.4); 1 is upright
  std::optional<double> focal_length_in_35mm{};  ///< [mm] above 0
  std::optional<double> focal_length{};          ///< [mm] above 0
  std::optional<double> pixels_per_mm{};         ///< of the sensor, along the rows; above 0
  std::optional<double> width{};                 ///< [pixel] of the image as the camera stored it; above 0
  std::optional<GpsPlace> place{};
};

}  // namespace octavo
