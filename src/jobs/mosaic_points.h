#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "octavo/io/collection.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::jobs {

/// Points that a file lists.
struct PointList {
  std::vector<MosaicPoint> points;
  std::vector<std::string> problems;  ///< a sentence for each line that gives no point
};

/// Reads the points of a mosaic that are set by hand: a line has "IMAGE_A X_A Y_A IMAGE_B X_B Y_B", with the names
/// of the images (ImageFile::name, or the file as it was asked for) and pixels. Empty lines and lines that begin with #
/// are left out. Throws Error(file_error) for a file that cannot be read or is above 1 GiB.
PointList read_mosaic_points(const std::filesystem::path& file, std::span<const ImageFile> images);

}  // namespace octavo::jobs
