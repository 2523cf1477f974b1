#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "octavo/image_view.h"
#include "octavo/io/camera_facts.h"
#include "octavo/keypoint.h"

namespace octavo::io {

/// The facts in an EXIF block (a TIFF header and its directories). Those that are missing or invalid, and all of a
/// damaged block, are as if nothing were said: damaged EXIF data are no reason to refuse the image.
CameraFacts exif_facts(std::span<const std::byte> block);

/// [pixel] The focal length of an image of this size, as it is stored; see Photograph.
std::optional<double> focal_length_of(const CameraFacts& facts, ImageSize size);

/// The image turned upright. EXIF 2.32, §4.6.4: orientation n gives the sides that the stored row 0 and column 0
/// stand for.
Image turned_upright(Image stored, int orientation);

/// Moves keypoints of that image, of size `upright`, to the same pixels of the stored one, whose size it returns.
/// Orientations and ellipses turn too; where the image is mirrored, the y axes of ellipses get the other sign.
ImageSize turn_as_stored(std::span<Keypoint> keypoints, ImageSize upright, int orientation);

}  // namespace octavo::io
