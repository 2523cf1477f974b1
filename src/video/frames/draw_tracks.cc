// The image of a frame's keypoints and of where they come from. The strokes have no dark rims, unlike those of
// draw_keypoints, because frames are drawn at the rate of the video. Without tracks it is draw_keypoints's image.

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/io/drawing.h"
#include "octavo/video/video_tracks.h"

namespace octavo {
namespace {

constexpr int fraction_bits = 4;  // OpenCV takes fractions of a pixel as fixed-point numbers

int fixed(double value) {
  constexpr double far = 1e5;  // beyond any image
  return static_cast<int>(std::lround(std::clamp(value, -far, far) * (1 << fraction_bits)));
}

cv::Point place(double x, double y) { return {fixed(x), fixed(y)}; }

// Steps of the golden ratio give colours of neighbouring numbers that differ clearly.
cv::Scalar colour_of(std::int64_t id) {
  constexpr double golden = 0.61803398874989485;
  const double hue = std::fmod(static_cast<double>(id) * golden, 1.0) * 6;
  const auto channel = [hue](double shift) {
    const double h = std::fmod(hue + shift, 6);
    return 55 + 200 * std::clamp(std::abs(h - 3) - 1, 0.0, 1.0);
  };
  return {channel(0), channel(4), channel(2)};
}

// The ellipse of a keypoint, as a polygon.
std::vector<cv::Point> outline_of(const Keypoint& k, double factor) {
  constexpr int corners = 24;
  const std::array<double, 4> a = affine_matrix(k);
  std::vector<cv::Point> outline;
  for (int i = 0; i < corners; ++i) {
    const double turn = 2 * CV_PI * i / corners, c = factor * std::cos(turn), s = factor * std::sin(turn);
    outline.push_back(place(k.x + a[0] * c + a[1] * s, k.y + a[2] * c + a[3] * s));
  }
  return outline;
}

void draw_point(cv::Mat& canvas, const Keypoint& k, const cv::Scalar& colour, int width) {
  const double radius = std::max(static_cast<double>(k.scale), 2.0 * width);
  const double factor = radius / std::max(static_cast<double>(k.scale), 1e-6);
  if (has_ellipse(k)) {
    cv::polylines(canvas, outline_of(k, factor), true, colour, width, cv::LINE_AA, fraction_bits);
  } else {
    cv::circle(canvas, place(k.x, k.y), fixed(radius), colour, width, cv::LINE_AA, fraction_bits);
    cv::line(canvas, place(k.x, k.y),
             place(k.x + radius * std::cos(k.orientation), k.y + radius * std::sin(k.orientation)), colour, width,
             cv::LINE_AA, fraction_bits);
  }
}

void draw_way(cv::Mat& canvas, const Track& track, const cv::Scalar& colour, int width) {
  std::vector<cv::Point> way;
  for (const TrackPlace& at : track.way) way.push_back(place(at.x, at.y));
  cv::polylines(canvas, way, false, colour, width, cv::LINE_AA, fraction_bits);
}

}  // namespace

Image draw_tracks(const ImageView& frame, std::span<const Keypoint> keypoints, std::span<const Track> tracks) try {
  if (tracks.empty()) return draw_keypoints(frame, keypoints);
  if (tracks.size() != keypoints.size()) {
    throw Error(ErrorCode::invalid_argument, "tracks must be empty, or as many as keypoints");
  }
  const cv::Scalar fresh(235, 235, 235);
  cv::Mat canvas = io::to_display(frame);
  canvas *= 0.75;
  const int width = std::max(1, static_cast<int>(std::lround(std::hypot(canvas.cols, canvas.rows) / 1600)));
  const auto is_followed = [&](std::size_t i) { return tracks[i].frames > 1; };
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (is_followed(i)) draw_way(canvas, tracks[i], colour_of(tracks[i].id), width);
  }
  for (std::size_t i = 0; i < keypoints.size(); ++i) {
    const Keypoint& k = keypoints[i];
    if (is_followed(i)) {
      draw_point(canvas, k, colour_of(tracks[i].id), width);
    } else {
      cv::circle(canvas, place(k.x, k.y), fixed(2.0 * width), fresh, width, cv::LINE_AA, fraction_bits);
    }
  }
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the tracks cannot be drawn");
}

}  // namespace octavo
