#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

/// A surface with pixels. Pixel (x, y) shows the point (x + left, y + top) / scale of the projection.
struct Canvas {
  MosaicProjection projection = MosaicProjection::plane;
  double scale = 1, left = 0, top = 0;
  std::int64_t width = 0, height = 0;

  /// The ray, or the point (x, y, 1) of the plane, that the pixel shows.
  [[nodiscard]] cv::Vec3d ray(double x, double y) const;
  /// The same canvas with other pixels: `factor` of them for one.
  [[nodiscard]] Canvas scaled(double factor) const;
};

/// Where an image lies: pixels of an image, or of a smaller copy, and the common frame.
struct Geometry {
  cv::Matx33d frame_from_image, image_from_frame;  ///< without distortion; a point in front has w > 0
  double radial = 0;
  ImageSize size;
  /// The image is drawn where the third coordinate of image_from_frame·ray is at most this: beyond, close to the
  /// horizon, a few of its pixels would fill the canvas.
  double largest_w = std::numeric_limits<double>::infinity();

  /// The pixel that shows a ray, which may lie outside of the image; none behind the camera and beyond `largest_w`.
  [[nodiscard]] std::optional<cv::Point2d> pixel(const cv::Vec3d& ray) const;
  /// The ray of a pixel.
  [[nodiscard]] cv::Vec3d ray(const cv::Point2d& pixel) const;
  /// That of a copy of another size.
  [[nodiscard]] Geometry resized(ImageSize other) const;
  /// Whether the pixel is in the image.
  [[nodiscard]] bool contains(const cv::Point2d& p) const {
    return p.x >= -0.5 && p.y >= -0.5 && p.x <= size.width - 0.5 && p.y <= size.height - 0.5;
  }
};

Geometry geometry_of(const std::array<double, 9>& frame_from_image, double radial, ImageSize size,
                     MosaicProjection projection);

/// That of an image on a plane, without distortion. `middle` is the point of the plane to which the magnification near
/// the horizon is compared; it must lie in front. The result of a matrix without inverse is nowhere visible.
Geometry geometry_on_plane(const cv::Matx33d& image_from_plane, ImageSize size, const cv::Point2d& middle);

/// How many pixels of an image, along a side, come on one of the canvas: the median over the image; 1 if it is
/// nowhere visible.
double pixels_on_one(const Geometry& geometry, const Canvas& canvas);

/// The size of the copy of an image from which it is drawn without aliasing: smaller by a whole factor if two or more
/// pixels come on one.
ImageSize size_to_draw(const Geometry& geometry, const Canvas& canvas);

/// The parts of a projection that an image covers, in its units: x, y, width, height. An angle is not reduced to
/// −π…π. Empty if it is nowhere visible.
std::optional<cv::Rect2d> extent(const Geometry& geometry, MosaicProjection projection);

/// The places of an image on a canvas, in whole pixels; two where the canvas's ends cut it.
std::vector<cv::Rect> places(const Geometry& geometry, const Canvas& canvas);

/// A canvas that holds all images.
Canvas canvas_of(const std::vector<Geometry>& images, MosaicProjection projection, double scale);

}  // namespace octavo::mosaic
