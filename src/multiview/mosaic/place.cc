// Where connected images lie: the frames of pixels, the projection and the canvas.

#include "multiview/mosaic/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "multiview/mosaic/upright.h"
#include "octavo/error.h"

namespace octavo::mosaic {
namespace {

constexpr double degrees = std::numbers::pi / 180;

// What a turning camera's images show [radian].
struct Angles {
  double wide = 0, high = 0;
};

Angles angles_of(const std::vector<MosaicImage>& images) {
  double left = 0, right = 0, top = 0, bottom = 0;
  const std::vector<Geometry> geometry = geometry_of(images, MosaicProjection::sphere);
  for (const std::size_t i : placed_of(images)) {
    const auto area = extent(geometry[i], MosaicProjection::sphere);
    if (!area) continue;
    left = std::min(left, area->x), right = std::max(right, area->x + area->width);
    top = std::min(top, area->y), bottom = std::max(bottom, area->y + area->height);
  }
  return {right - left, 2 * std::max(-top, bottom)};
}

// Canvas pixels on one unit of the projection: a turning camera's usual focal length, 1 of a flat scene.
double usual_scale(const std::vector<MosaicImage>& images) {
  std::vector<double> focal_lengths;
  for (const std::size_t i : placed_of(images)) focal_lengths.push_back(images[i].focal_length);
  const auto middle = focal_lengths.begin() + std::ssize(focal_lengths) / 2;
  std::nth_element(focal_lengths.begin(), middle, focal_lengths.end());
  return *middle > 0 ? *middle : 1;
}

}  // namespace

std::vector<std::size_t> placed_of(const std::vector<MosaicImage>& images) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (images[i].status == MosaicImageStatus::placed) list.push_back(i);
  }
  return list;
}

std::vector<MosaicImage> with_places(std::vector<MosaicImage> images, const Connected& connected) {
  const Frames& frames = connected.choice.frames;
  const std::vector<std::size_t> placed = placed_of(images);
  std::vector<ImageSize> sizes;
  for (const MosaicImage& image : images) sizes.push_back(image.size);
  const bool turns = frames.model == MosaicModel::rotation;
  const auto root = static_cast<std::size_t>(connected.tree.root);
  const cv::Matx33d common =
      turns ? upright(frames, sizes, placed) : normalised_from_pixel(sizes[root]).inv() * frames.frame(root).inv();
  for (const std::size_t i : placed) {
    MosaicImage& image = images[i];
    const cv::Matx33d frame = common * frames.frame(i) * normalised_from_pixel(sizes[i]);
    std::copy_n(frame.val, 9, image.frame_from_image.begin());
    const auto g = static_cast<std::size_t>(frames.group[i]);
    image.radial = frames.distortion ? frames.radial[g] : 0;
    image.uncertainty = connected.choice.uncertainty[i];
    if (turns) image.focal_length = std::exp(frames.log_focal[g]) * frames.unit[i];
  }
  return images;
}

MosaicProjection projection_of(const std::vector<MosaicImage>& images, MosaicModel model, MosaicProjection wanted) {
  // [degree] What a plane and a cylinder take. A plane draws the ends of 90 degrees 1.4 times as high as its middle,
  // those of 150 degrees 3.9 times; a cylinder draws the ends of 110 degrees 1.7 times as wide. Guesses of what looks
  // well.
  constexpr double usual_plane = 90, widest_plane = 150, highest_cylinder = 110;
  if (model != MosaicModel::rotation) {
    if (wanted == MosaicProjection::cylinder || wanted == MosaicProjection::sphere) {
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("a {} is for a turning camera, but the model of these images is {}", word(wanted), word(model)));
    }
    return MosaicProjection::plane;
  }
  const Angles angles = angles_of(images);
  if (wanted == MosaicProjection::plane && angles.wide > widest_plane * degrees) {
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format(
            "the images are {:.0f} degrees wide, a plane takes {:.0f}: the projection cylinder or sphere draws them",
            angles.wide / degrees, widest_plane));
  }
  if (wanted != MosaicProjection::automatic) return wanted;
  if (std::max(angles.wide, angles.high) <= usual_plane * degrees) return MosaicProjection::plane;
  return angles.high <= highest_cylinder * degrees ? MosaicProjection::cylinder : MosaicProjection::sphere;
}

std::vector<Geometry> geometry_of(const std::vector<MosaicImage>& images, MosaicProjection projection) {
  std::vector<Geometry> list(images.size());
  for (const std::size_t i : placed_of(images)) {
    const MosaicImage& image = images[i];
    list[i] = geometry_of(image.frame_from_image, image.radial, image.size, projection);
  }
  return list;
}

Canvas canvas_of_placed(const std::vector<MosaicImage>& images, const std::vector<Geometry>& geometry,
                        MosaicProjection projection, std::uint64_t most_pixels) {
  std::vector<Geometry> visible;
  for (const std::size_t i : placed_of(images)) visible.push_back(geometry[i]);
  const Canvas canvas = canvas_of(visible, projection, usual_scale(images));
  const double pixels = static_cast<double>(canvas.width) * static_cast<double>(canvas.height);
  constexpr std::int64_t longest = (std::int64_t{1} << 31) - 2 * mosaic_block;
  if (pixels > static_cast<double>(most_pixels) || std::max(canvas.width, canvas.height) > longest) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the mosaic would have {} x {} pixels, more than the {} that are allowed{}", canvas.width,
                            canvas.height, most_pixels,
                            projection == MosaicProjection::plane
                                ? "; if the camera turned, the projection cylinder or sphere draws it on fewer"
                                : ""));
  }
  return canvas;
}

}  // namespace octavo::mosaic
