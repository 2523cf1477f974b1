// Where connected images lie: the frames of pixels, the projection and the canvas.

#include "multiview/mosaic/place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/projection.h"
#include "multiview/mosaic/upright.h"
#include "octavo/error.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {
namespace {

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
  return {std::min(right - left, 360 * degrees), 2 * std::max(-top, bottom)};
}

// The pixels of an image on one unit of a plane, along a side, at the image's middle.
double scale_on_plane(const MosaicImage& image) {
  const cv::Point2d middle((image.size.width - 1) / 2.0, (image.size.height - 1) / 2.0);
  const cv::Matx22d affinity = planes::local_affinity(cv::Matx33d(image.frame_from_image.data()), middle);
  return 1 / std::sqrt(std::abs(cv::determinant(affinity)));
}

// Canvas pixels on one unit of the projection: a turning camera's usual focal length. Of a flat scene 1, which is a
// pixel of the reference image, or the usual scale if most images show twice as many pixels as an overview does.
double usual_scale(const std::vector<MosaicImage>& images) {
  constexpr double much_finer = 1.4;
  std::vector<double> scales;
  bool turns = false;
  for (const std::size_t i : placed_of(images)) {
    turns = images[i].focal_length > 0;
    scales.push_back(turns ? images[i].focal_length : scale_on_plane(images[i]));
  }
  const auto middle = scales.begin() + std::ssize(scales) / 2;
  std::nth_element(scales.begin(), middle, scales.end());
  return turns || *middle > much_finer ? *middle : 1;
}

// The projections that draw a view of a turning camera so wide [radian].
std::string wide_enough(double wide) {
  std::vector<std::string_view> words;
  for (const MosaicProjection projection : {MosaicProjection::pannini, MosaicProjection::cylinder,
                                            MosaicProjection::sphere, MosaicProjection::stereographic}) {
    if (wide <= widest(projection)) words.push_back(word(projection));
  }
  return fmt::format("{}", fmt::join(words, ", "));
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
  // [degree] What a plane and a cylinder take unless they are asked for. A plane draws the ends of 90 degrees 1.4 times
  // as high as its middle; a cylinder draws those of 110 degrees 1.7 times as wide. Guesses of what looks well.
  constexpr double usual_plane = 90, highest_cylinder = 110;
  if (model != MosaicModel::rotation) {
    if (needs_turning_camera(wanted)) {
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the projection {} is for a turning camera, but the model of these images is {}: the "
                              "`model` rotation is that of one",
                              word(wanted), word(model)));
    }
    return MosaicProjection::plane;
  }
  const Angles angles = angles_of(images);
  if (wanted != MosaicProjection::automatic && angles.wide > widest(wanted)) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the images are {:.0f} degrees wide, the projection {} takes {:.0f}: those that draw them "
                            "are {}",
                            angles.wide / degrees, word(wanted), widest(wanted) / degrees, wide_enough(angles.wide)));
  }
  if (wanted != MosaicProjection::automatic) return wanted;
  if (std::max(angles.wide, angles.high) <= usual_plane * degrees) return MosaicProjection::plane;
  return angles.high <= highest_cylinder * degrees ? MosaicProjection::cylinder : MosaicProjection::sphere;
}

void turn_to_centre(std::vector<MosaicImage>& images, MosaicProjection projection) {
  if (projection != MosaicProjection::stereographic) return;
  const std::vector<std::size_t> placed = placed_of(images);
  cv::Vec3d mean;
  for (const std::size_t i : placed) {
    const ImageSize size = images[i].size;
    const cv::Vec3d ray =
        cv::Matx33d(images[i].frame_from_image.data()) * cv::Vec3d((size.width - 1) / 2.0, (size.height - 1) / 2.0, 1);
    mean += ray * (1 / (cv::norm(ray) * static_cast<double>(placed.size())));
  }
  // The mean of views all around is short; one of 300° is that long. A guess.
  constexpr double least_mean = 0.2;
  const double pitch = std::hypot(mean[1], mean[2]) < least_mean ? std::numbers::pi / 2 : std::atan2(mean[1], mean[2]);
  const double c = std::cos(pitch), s = std::sin(pitch);
  const cv::Matx33d turn(1, 0, 0, 0, c, -s, 0, s, c);
  for (const std::size_t i : placed) {
    const cv::Matx33d frame = turn * cv::Matx33d(images[i].frame_from_image.data());
    std::copy_n(frame.val, 9, images[i].frame_from_image.begin());
  }
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
    const std::string_view way = is_round(projection)
                                     ? "`max_canvas` allows more"
                                     : "if the camera turned, the projection cylinder or sphere draws it on fewer";
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the mosaic would have {} x {} pixels, more than the {} that are allowed; {}", canvas.width,
                            canvas.height, most_pixels, way));
  }
  return canvas;
}

}  // namespace octavo::mosaic
