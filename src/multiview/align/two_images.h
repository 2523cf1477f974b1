#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/blocks.h"
#include "multiview/mosaic/details.h"
#include "octavo/image_view.h"

namespace octavo {

/// A mosaic of A and B on A's plane. Its canvas has A's pixels.
struct TwoImages {
  MosaicPlan plan;                       ///< of both; without seams, bands and corrections
  std::array<mosaic::Stored, 2> pixels;  ///< as they are drawn
};

/// What the canvas contains.
enum class CanvasOfTwo {
  both,  ///< A and the part of B that is drawn; octavo/multiview/align.h gives the limits at `blend`
  a,     ///< A
};

/// The values of an image, and where its alpha lets it show them.
mosaic::Stored shown_pixels(const ImageView& image);

/// Throws Error(invalid_argument) if an image has no pixels or a side that is too long, or if the homography is not
/// finite.
TwoImages two_images(const ImageView& a, const ImageView& b, const std::array<double, 9>& b_from_a, CanvasOfTwo canvas);

/// Those of the two that are in an area of the canvas, each shown wherever it has pixels.
std::vector<mosaic::Layer> layers_of_two(const TwoImages& two, const cv::Rect& area);

Image draw(const TwoImages& two, const mosaic::LayersOf& layers_of, const ProgressSink& progress);

}  // namespace octavo
