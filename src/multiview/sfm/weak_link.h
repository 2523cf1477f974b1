// Parts of a model that hardly anything joins. Images of one scene share many points with their neighbours. A few
// matches of things that look alike also join images of different scenes, or an image and the mirror image of another.

#pragma once

#include <cstddef>
#include <string>

#include "octavo/multiview/sfm.h"

namespace octavo::sfm {

/// The weakest link between two parts of three images or more.
struct WeakLink {
  std::size_t points = 0;        ///< that the two images share which link the parts; those of other links are fewer
  double usual_points = 0;       ///< of the links by which images hang together, the median; 0: there are no such parts
  std::string a{}, b{};          ///< the two images
  std::size_t smaller_part = 0;  ///< its number of images
};

WeakLink weakest_link(const SfmModel& model);

}  // namespace octavo::sfm
