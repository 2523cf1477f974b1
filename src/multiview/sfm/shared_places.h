// Matches that are missing. Where things look alike, as the sides of a tower, the windows of a facade or a poster in
// two rooms, a mapper may take them for one and put images of different things at one place. All their matches agree
// with that; but what else the images show at those places does not match (Zach, Irschara and Bischof, "What can
// missing correspondences tell us about 3D structure and motion?", CVPR 2008).

#pragma once

#include <cstddef>
#include <string>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// How much the images of a model share that see the same points from about one side and distance.
struct SharedPlaces {
  std::size_t pairs = 0;      ///< that were compared; each of two images is the first once
  double lower_quartile = 1;  ///< of the shares of their parts where both show a point, of those with points
  std::string a{}, b{};       ///< names of the images that share least
};

SharedPlaces shared_places(const SfmModel& model);

}  // namespace octavo::sfm
