#pragma once

#include <vector>

#include "multiview/mosaic/canvas.h"
#include "multiview/mosaic/connect.h"

namespace octavo::mosaic {

/// The images with their places in the common frame, of those that are placed. A turning camera's is upright; that of
/// a flat scene is the plane of the reference image.
std::vector<MosaicImage> with_places(std::vector<MosaicImage> images, const Connected& connected);

/// The projection of images that have their places. Throws Error(invalid_argument) if they cannot be drawn in the one
/// that `wanted` asks for.
MosaicProjection projection_of(const std::vector<MosaicImage>& images, MosaicModel model, MosaicProjection wanted);

/// Turns the common frame of images that have their places until the centre of a stereographic projection is in front:
/// the middle of what they show, and what is straight below where they show all around. Others stay as they are.
void turn_to_centre(std::vector<MosaicImage>& images, MosaicProjection projection);

/// The geometry of images that have their places; of those that are not placed a meaningless one.
std::vector<Geometry> geometry_of(const std::vector<MosaicImage>& images, MosaicProjection projection);

/// The canvas of all placed images. Throws Error(invalid_argument) if it has more pixels than `most_pixels`.
Canvas canvas_of_placed(const std::vector<MosaicImage>& images, const std::vector<Geometry>& geometry,
                        MosaicProjection projection, std::uint64_t most_pixels);

/// The indices of the placed images.
std::vector<std::size_t> placed_of(const std::vector<MosaicImage>& images);

}  // namespace octavo::mosaic
