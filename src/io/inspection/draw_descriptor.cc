// The frame of a descriptor (Lowe 2004, §6.1): cell (row, column) of 4×4 has its centre (column − 1.5, row − 1.5) cells
// of 3σ from the keypoint, in axes turned by its orientation; direction d points d/8 of a turn from the orientation,
// against the sense of the angle (as OpenCV). The frame of an ellipse is that of the circle, mapped to the ellipse.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "io/drawing/stroke.h"
#include "io/inspection/inspection_images.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr double sigmas_per_cell = 3;
// The distance from the keypoint to the image's edge, over that to the farthest corner of the 4×4 cells.
constexpr double margin = 1.13;

// The map from the frame of the descriptor, in cells around the keypoint, to the image or the image.
struct Frame {
  cv::Point2d centre;
  std::array<double, 4> matrix;  // row by row

  [[nodiscard]] cv::Point2d at(double column, double row) const {
    return {centre.x + matrix[0] * column + matrix[1] * row, centre.y + matrix[2] * column + matrix[3] * row};
  }
  [[nodiscard]] double farthest_corner() const {
    return std::max(cv::norm(at(2, 2) - centre), cv::norm(at(2, -2) - centre));
  }
};

// From the frame to pixels of the octave.
Frame frame_of(const Keypoint& keypoint) {
  const double pixels = std::exp2(-keypoint.octave);
  Frame frame{.centre = {keypoint.x * pixels, keypoint.y * pixels}, .matrix = affine_matrix(keypoint)};
  for (double& element : frame.matrix) element *= sigmas_per_cell * pixels;
  return frame;
}

Frame enlarged(Frame frame, double zoom, cv::Point2d centre) {
  for (double& element : frame.matrix) element *= zoom;
  return {.centre = centre, .matrix = frame.matrix};
}

// A part of a level, and where it begins.
struct Window {
  ImageView pixels;
  int x, y;
};

// The pixels within `reach` of (x, y). OpenCV's warp takes sides of at most 32766 pixels.
Window window_around(const ImageView& whole, double x, double y, double reach) {
  const auto span = [reach](double centre, int length) {
    const double first = std::clamp(std::floor(centre - reach), 0.0, length - 1.0);
    const double last = std::clamp(std::ceil(centre + reach), first, length - 1.0);
    return std::pair{static_cast<int>(first), static_cast<int>(last)};
  };
  const auto [left, right] = span(x, whole.width);
  const auto [top, bottom] = span(y, whole.height);
  ImageView part = whole;
  part.data = whole.row(top) + left * static_cast<std::ptrdiff_t>(bytes_of(whole.type));
  part.width = right - left + 1;
  part.height = bottom - top + 1;
  return {part, left, top};
}

}  // namespace

Image draw_descriptor(const StagePlane& level, const Keypoint& keypoint,
                      std::span<const std::uint8_t, descriptor_length> descriptor, int side) try {
  if (level.pixels.data == nullptr || level.pixels.width < 1 || level.pixels.height < 1) {
    throw Error(ErrorCode::invalid_argument, "the level of a descriptor has no pixels");
  }
  const Frame in_octave = frame_of(keypoint);
  const double reach = margin * in_octave.farthest_corner(), zoom = side / (2 * reach);
  const Frame frame = enlarged(in_octave, zoom, {(side - 1) / 2.0, (side - 1) / 2.0});
  const auto [x, y] = in_octave.centre;
  const Window window = window_around(level.pixels, x, y, reach + 2);  // 2: the reach of the interpolation
  const Image grey = image_of(window.pixels, level);
  cv::Mat patch, canvas;
  const cv::Matx23d image_from_window(zoom, 0, frame.centre.x - zoom * (x - window.x), 0, zoom,
                                      frame.centre.y - zoom * (y - window.y));
  cv::warpAffine(io::to_mat(grey.view()), patch, image_from_window, {side, side}, cv::INTER_LINEAR, cv::BORDER_CONSTANT,
                 cv::Scalar(0));
  cv::normalize(patch, patch, 30, 170, cv::NORM_MINMAX);
  cv::cvtColor(patch, canvas, cv::COLOR_GRAY2RGB);

  const cv::Scalar grid(90, 170, 255), rose(255, 190, 60), dial(0, 220, 130);
  const io::Stroke thin({side, side}), stroke({4 * side, 4 * side});
  for (int i = -2; i <= 2; ++i) {
    thin.line(canvas, frame.at(i, -2), frame.at(i, 2), grid);
    thin.line(canvas, frame.at(-2, i), frame.at(2, i), grid);
  }
  const double longest = *std::max_element(descriptor.begin(), descriptor.end());
  const double unit = longest > 0 ? 0.48 / longest : 0;  // an arrow stays within its cell
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      const double c = column - 1.5, r = row - 1.5;
      for (int d = 0; d < 8; ++d) {
        const int bin = (row * 4 + column) * 8 + d;
        const double value = descriptor[static_cast<std::size_t>(bin)];
        const double angle = -d * std::numbers::pi / 4, length = unit * value;
        if (length > 0) {
          stroke.line(canvas, frame.at(c, r), frame.at(c + length * std::cos(angle), r + length * std::sin(angle)),
                      rose);
        }
      }
    }
  }
  std::array<double, 4> of_sigma = frame.matrix;
  for (double& element : of_sigma) element /= sigmas_per_cell;
  stroke.dial(canvas, frame.at(0, 0), of_sigma, dial);
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the descriptor cannot be drawn");
}

}  // namespace octavo
