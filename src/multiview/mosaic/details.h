#pragma once

// What a plan keeps for drawing: small copies of the images, and which image each part of a small canvas shows.

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/canvas.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {

struct MosaicPlan::Details {
  /// An image at one of its places on the small canvas.
  struct Part {
    int image = 0;
    cv::Rect place;   ///< on the small canvas
    cv::Mat colours;  ///< CV_32FC3, 0…1; in the end CV_8UC3, for the images that explain the mosaic
    ImageSize size;   ///< of the image
    cv::Mat at;       ///< CV_32FC2: the place in the image, in parts of its width and height
    cv::Mat inside;   ///< CV_8U: 255 where the image is
    cv::Mat mask;     ///< CV_8U: 255 where it may be shown; after the search for seams, where it is shown
    cv::Mat hidden;   ///< CV_8U: 255 where it has a thing that is not shown (find_hidden_things); empty: there is none
  };
  MosaicOptions options;
  int threads = 0;  ///< that draw, as in DeviceOptions
  /// Per image, of the copy from which it is drawn (size_to_draw); of those that are placed.
  std::vector<mosaic::Geometry> geometry;
  mosaic::Canvas canvas, small;  ///< the small one is not cropped
  std::vector<Part> parts;
  std::vector<cv::Mat> local_gain;  ///< per image, see local_gains; none: there are none
  double white = 0;                 ///< the corrected value that is drawn as white; 0: values are not bounded
};

}  // namespace octavo
