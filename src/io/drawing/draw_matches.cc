// Two images side by side with a line per match. The hue depends on the direction from image A's centre, and the
// colours are paler towards it. So neighbouring matches have similar colours, and a wrong match is visible at its other
// end. With more lines, the lines become more transparent to the photographs; the ends stay opaque.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <opencv2/imgproc.hpp>

#include "io/drawing/stroke.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/io/drawing.h"

namespace octavo {
namespace {

void check(const Features& a, const Features& b, std::span<const Match> matches,
           std::span<const std::uint8_t> inliers) {
  if (!inliers.empty() && inliers.size() != matches.size()) {
    throw Error(ErrorCode::invalid_argument, "the inlier mask has " + std::to_string(inliers.size()) + " entries for " +
                                                 std::to_string(matches.size()) + " matches");
  }
  for (const Match& match : matches) {
    const bool known_a = match.a >= 0 && static_cast<std::size_t>(match.a) < a.size();
    const bool known_b = match.b >= 0 && static_cast<std::size_t>(match.b) < b.size();
    if (known_a && known_b) continue;
    throw Error(ErrorCode::invalid_argument, "the match of keypoints " + std::to_string(match.a) + " and " +
                                                 std::to_string(match.b) + " names one that is not there; there are " +
                                                 std::to_string(a.size()) + " and " + std::to_string(b.size()));
  }
}

cv::Scalar colour_at(const Keypoint& k, const ImageView& image) {
  const double x = 2.0 * k.x / image.width - 1;
  const double y = 2.0 * k.y / image.height - 1;
  const double hue = std::atan2(y, x) / (2 * std::numbers::pi) + 0.5;  // 0…1
  const double saturation = std::clamp(0.35 + 0.65 * std::hypot(x, y), 0.0, 1.0);
  // Each primary is full over a third of the hue circle and fades over a sixth on both sides (HSV, value 1).
  const auto primary = [&](double shift) {
    const double place = std::abs(std::fmod(6 * hue + shift, 6.0) - 3) - 1;
    return 255 * (1 - saturation * (1 - std::clamp(place, 0.0, 1.0)));
  };
  return {primary(0), primary(4), primary(2)};
}

}  // namespace

Image draw_matches(const ImageView& image_a, const Features& a, const ImageView& image_b, const Features& b,
                   std::span<const Match> matches, std::span<const std::uint8_t> inliers) try {
  check(a, b, matches, inliers);
  const cv::Mat left = io::to_display(image_a);
  const cv::Mat right = io::to_display(image_b);
  const int gap = std::max(1, (left.cols + right.cols) / 200);
  cv::Mat canvas(std::max(left.rows, right.rows), left.cols + gap + right.cols, CV_8UC3, cv::Scalar::all(255));
  left.copyTo(canvas(cv::Rect(0, 0, left.cols, left.rows)));
  right.copyTo(canvas(cv::Rect(left.cols + gap, 0, right.cols, right.rows)));
  canvas *= 0.7;

  const auto for_each_pair = [&](auto&& draw) {
    for (std::size_t i = 0; i < matches.size(); ++i) {
      if (!inliers.empty() && inliers[i] == 0) continue;
      const Keypoint& from = a.keypoints[static_cast<std::size_t>(matches[i].a)];
      const Keypoint& to = b.keypoints[static_cast<std::size_t>(matches[i].b)];
      draw(cv::Point2f(from.x, from.y), cv::Point2f(to.x + static_cast<float>(left.cols + gap), to.y),
           colour_at(from, image_a));
    }
  };
  const io::Stroke stroke(canvas.size());
  cv::Mat lines = canvas.clone();
  for_each_pair(
      [&](cv::Point2f from, cv::Point2f to, const cv::Scalar& colour) { stroke.line(lines, from, to, colour); });
  const double opacity = std::clamp(12 / std::sqrt(static_cast<double>(matches.size()) + 1), 0.3, 0.9);
  cv::addWeighted(lines, opacity, canvas, 1 - opacity, 0, canvas);
  for_each_pair([&](cv::Point2f from, cv::Point2f to, const cv::Scalar& colour) {
    stroke.disc(canvas, from, 1.5f * stroke.width(), colour);
    stroke.disc(canvas, to, 1.5f * stroke.width(), colour);
  });
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the matches cannot be drawn");
}

}  // namespace octavo
