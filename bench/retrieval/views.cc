// Views of photographs: a photograph as a camera elsewhere, a poor one, or an editor would show it.

#include "views.h"

#include <algorithm>
#include <cmath>

#include "io/images/resize.h"
#include "octavo/io/image_files.h"
#include "study/evaluate/distort.h"

namespace octavo::bench {

namespace {

// The middle of an image, of which each side is this part of the image's.
Image middle_of(const ImageView& image, double part) {
  ImageView middle = image;
  middle.width = static_cast<int>(std::lround(image.width * part));
  middle.height = static_cast<int>(std::lround(image.height * part));
  const int pixel = image.channels * static_cast<int>(bytes_of(image.type));
  middle.data = image.row((image.height - middle.height) / 2) + (image.width - middle.width) / 2 * pixel;
  return undistorted(middle);
}

}  // namespace

const std::vector<ViewChange>& training_changes() {
  static const std::vector<ViewChange> changes{{"scale", 0.6}, {"rotation", 20},  {"perspective", 0.25}, {"blur", 1},
                                               {"noise", 8},   {"contrast", 0.6}, {"brightness", 40},    {"jpeg", 30}};
  return changes;
}

const std::vector<ViewChange>& report_changes() {
  static const std::vector<ViewChange> changes{
      {"scale", 0.5}, {"scale", 0.35}, {"rotation", 45},  {"perspective", 0.4}, {"shear", 0.3}, {"blur", 2},
      {"noise", 15},  {"jpeg", 15},    {"contrast", 0.4}, {"brightness", -60},  {"crop", 0.7},  {"crop", 0.5}};
  return changes;
}

Image read_photograph(const std::filesystem::path& file, int side) {
  const Image whole = read_image(file);
  const double scale = std::min(1.0, static_cast<double>(side) / std::max(whole.width(), whole.height()));
  return resize_and_crop(whole.view(), {static_cast<int>(std::lround(whole.width() * scale)),
                                        static_cast<int>(std::lround(whole.height() * scale))});
}

Image view_of(const ImageView& photograph, const ViewChange& change) {
  if (change.name == "crop") return middle_of(photograph, change.strength);
  return distort(photograph, change.name, change.strength).image;
}

}  // namespace octavo::bench
