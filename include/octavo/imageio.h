#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

namespace octavo {

/// Decodes JPEG (grey, RGB, CMYK), PNG, TIFF (8, 16 bit, float), WebP, PGM and PPM into 1, 3 or 4 channels (RGB order)
/// of u8, u16 or f32. EXIF rotation is applied if `apply_exif_rotation`. Float pictures outside 0…1 are mapped
/// linearly from [min, max] to [0, 1]. Throws Error(file_error) naming the file and what is wrong with it.
Image read_image(const std::filesystem::path& file, bool apply_exif_rotation = true);

/// Encodes by the file name's ending (.png, .jpg, .tif, .webp, .pgm, .ppm). The file appears whole or not at all.
/// Throws Error(file_error) naming the file.
void write_image(const std::filesystem::path& file, const ImageView& image);

/// "N 128", then a line per keypoint: x y scale orientation and 128 numbers. COLMAP's pixel origin: the top-left corner
/// of the image, so (0.5, 0.5) is the centre of the first pixel. Throws Error(file_error).
void write_colmap_features(const std::filesystem::path& file, const Features& features);

/// A NumPy archive: keypoints (N×5 f32: x, y, scale, orientation, response), octave_layer (N×2 i32), descriptors (N×128 u8).
void write_npz_features(const std::filesystem::path& file, const Features& features);

/// {"image", "keypoints": [{"x","y","scale","orientation","response"}], "milliseconds"}.
std::string json_features(const std::string& image_name, const Features& features, double milliseconds);

/// The image in colour with every keypoint as a circle of its scale and a line along its orientation.
Image draw_keypoints(const ImageView& image, std::span<const Keypoint> keypoints);

/// Both images side by side with a line per match; lines of pairs whose `inliers` entry is 0 are left out where
/// `inliers` is not empty.
Image draw_matches(const ImageView& image_a, const Features& a, const ImageView& image_b, const Features& b,
                   std::span<const Match> matches, std::span<const std::uint8_t> inliers = {});

}  // namespace octavo
