#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/details.h"
#include "multiview/mosaic/stored.h"
#include "multiview/mosaic/warp.h"
#include "octavo/multiview/mosaic.h"
#include "octavo/progress.h"

namespace octavo::mosaic {

/// An image in an area of the canvas.
struct Layer {
  int image;
  cv::Rect place;  ///< in the area, on the grid of the blending: it holds all that the blending reaches
  Lookup lookup;   ///< of the place
  cv::Mat mask;    ///< CV_32F, 0…1: how much of the image is shown there, before the blending
  cv::Mat hidden;  ///< CV_8U: 255 where it has a thing that is not shown (MosaicPlan::Details::Part::hidden); or empty
};

/// The layers of an area of the canvas, which may reach beyond it.
using LayersOf = std::function<std::vector<Layer>(const cv::Rect& area)>;

/// Returns an image of the plan, of the size of its geometry.
using Pixels = std::function<Stored(int image)>;

/// The layers that the seams of a plan give: each pixel shows one image.
std::vector<Layer> layers_by_seams(const MosaicPlan::Details& details, const Pixels& pixels, const cv::Rect& area);

/// Per image of the plan: the row of the canvas from which on no block shows it; 0 of an image without a part.
std::vector<std::int64_t> ends_of_images(const MosaicPlan::Details& details);

/// Draws a plan with these images and layers, as draw_mosaic.
void draw_blocks(const MosaicPlan& plan, const Pixels& pixels, const LayersOf& layers_of, const MosaicSink& sink,
                 const ProgressSink& progress);

/// The image that `draw` gives to a sink block by block.
Image joined(const MosaicPlan& plan, const std::function<void(const MosaicSink&)>& draw);

}  // namespace octavo::mosaic
