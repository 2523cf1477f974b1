// The pyramid in one plane. The tiles of an octave are half as large as those of the octave before. Its square of tiles
// begins at the free quarter that the octaves before it leave.

#include <algorithm>
#include <cstring>
#include <opencv2/imgproc.hpp>

#include "io/inspection/inspection_images.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/io/inspection_folder.h"

namespace octavo {

PackedPyramid::PackedPyramid(int width, int height, int longest_side) {
  const int factor = reduction(2 * width, 2 * height, longest_side);
  tile_width_ = std::max(1, width / factor);
  tile_height_ = std::max(1, height / factor);
  canvas_ = Image(2 * tile_width_, 2 * tile_height_, 1, PixelType::f32);
  for (int y = 0; y < canvas_.height(); ++y) std::memset(canvas_.row(y), 0, static_cast<std::size_t>(canvas_.stride()));
}

void PackedPyramid::add(const StagePlane& difference, int first_octave) try {
  if (difference.stage != "difference" || difference.level >= packed_differences) return;
  cv::Rect tile(0, 0, tile_width_, tile_height_);
  for (int o = first_octave; o < difference.octave; ++o) {
    tile.x += tile.width;
    tile.y += tile.height;
    tile.width /= 2;
    tile.height /= 2;
  }
  if (tile.empty()) return;
  white_ = std::max(white_, difference.white);
  if (difference.level % 2 == 1) tile.x += tile.width;
  if (difference.level / 2 == 1) tile.y += tile.height;

  const ImageView& from = difference.pixels;
  const cv::Mat plane(from.height, from.width, CV_32F, const_cast<void*>(from.data),
                      static_cast<std::size_t>(from.stride));
  cv::Mat canvas(canvas_.height(), canvas_.width(), CV_32F, canvas_.row(0));
  cv::Mat place = canvas(tile);
  if (plane.size() == tile.size()) {
    plane.copyTo(place);
  } else {
    cv::resize(plane, place, tile.size(), 0, 0, cv::INTER_AREA);
  }
} catch (const cv::Exception& error) {
  throw_error_of(error, "the pyramid cannot be drawn");
}

StagePlane PackedPyramid::plane() const {
  const float white = white_ > 0 ? white_ : 1;
  return {.stage = "packed", .pixels = canvas_.view(), .black = -white, .white = white, .is_signed = true};
}

}  // namespace octavo
