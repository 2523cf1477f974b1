#pragma once

#include <vector>

#include "multiview/mosaic/canvas.h"
#include "multiview/mosaic/connect.h"

namespace octavo::mosaic {

/// The pictures with their places in the common frame, of those that are placed. A turning camera's is upright; that of
/// a flat scene is the plane of the reference picture.
std::vector<MosaicPicture> with_places(std::vector<MosaicPicture> pictures, const Connected& connected);

/// The projection of pictures that have their places. Throws Error(invalid_argument) if they cannot be drawn in the one
/// that `wanted` asks for.
MosaicProjection projection_of(const std::vector<MosaicPicture>& pictures, MosaicModel model, MosaicProjection wanted);

/// The geometry of pictures that have their places; of those that are not placed a meaningless one.
std::vector<Geometry> geometry_of(const std::vector<MosaicPicture>& pictures, MosaicProjection projection);

/// The canvas of all placed pictures. Throws Error(invalid_argument) if it has more pixels than `most_pixels`.
Canvas canvas_of_placed(const std::vector<MosaicPicture>& pictures, const std::vector<Geometry>& geometry,
                        MosaicProjection projection, std::uint64_t most_pixels);

/// The indices of the placed pictures.
std::vector<std::size_t> placed_of(const std::vector<MosaicPicture>& pictures);

}  // namespace octavo::mosaic
