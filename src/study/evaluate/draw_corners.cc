// Found, missed and false corners differ in shape and in colour. Their colours, from Okabe and Ito (2008), are distinct
// for people with colour blindness, and each shape has a dark rim, so that it stands out from any image.

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/image.h"
#include "study/evaluate/corner_truth.h"

namespace octavo {
namespace {

constexpr int fractional_bits = 4;  // of coordinates in OpenCV's drawing functions

cv::Point fixed(cv::Point2d place) {
  constexpr double one = 1 << fractional_bits;
  return {cvRound(place.x * one), cvRound(place.y * one)};
}

void draw_line(cv::Mat& canvas, cv::Point2d from, cv::Point2d to, const cv::Scalar& colour, int width) {
  cv::line(canvas, fixed(from), fixed(to), colour, width, cv::LINE_AA, fractional_bits);
}

// Calls draw(colour, width) for the rim, and then for the line on it.
template <class Draw>
void on_rim(const cv::Scalar& colour, const Draw& draw) {
  draw(cv::Scalar::all(0), 3);
  draw(colour, 1);
}

const cv::Scalar found_colour(0, 220, 130), missed_colour(255, 165, 0), wrong_colour(255, 70, 200);
constexpr double radius = 5;  // [pixel of the canvas]

}  // namespace

Image draw_corners(const ImageView& image, std::span<const Point> labelled, std::span<const Point> detected,
                   double tolerance, double zoom) try {
  cv::Mat canvas = io::to_display(image);
  const cv::Size size(std::max(1, cvRound(canvas.cols * zoom)), std::max(1, cvRound(canvas.rows * zoom)));
  cv::resize(canvas, canvas, size, 0, 0, zoom < 1 ? cv::INTER_AREA : cv::INTER_NEAREST);
  // Pixel i of the image covers i − 0.5 … i + 0.5, at any scale of the image.
  const auto place = [&](const Point& p) { return cv::Point2d((p.x + 0.5) * zoom - 0.5, (p.y + 0.5) * zoom - 0.5); };

  std::vector<bool> is_found(labelled.size()), is_correct(detected.size());
  for (const CornerPair& pair : match_corners(labelled, detected, tolerance)) {
    is_found[pair.labelled] = is_correct[pair.detected] = true;
    const cv::Point2d at = place(detected[pair.detected]);
    on_rim(found_colour, [&](const cv::Scalar& colour, int width) {
      draw_line(canvas, at, place(labelled[pair.labelled]), colour, width);
      cv::circle(canvas, fixed(at), cvRound(radius * (1 << fractional_bits)), colour, width, cv::LINE_AA,
                 fractional_bits);
    });
  }
  for (std::size_t i = 0; i < detected.size(); ++i) {
    if (is_correct[i]) continue;
    const cv::Point2d at = place(detected[i]);
    on_rim(wrong_colour, [&](const cv::Scalar& colour, int width) {
      draw_line(canvas, at + cv::Point2d(-radius, -radius), at + cv::Point2d(radius, radius), colour, width);
      draw_line(canvas, at + cv::Point2d(-radius, radius), at + cv::Point2d(radius, -radius), colour, width);
    });
  }
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    if (is_found[i]) continue;
    const cv::Point2d at = place(labelled[i]);
    on_rim(missed_colour, [&](const cv::Scalar& colour, int width) {
      cv::rectangle(canvas, fixed(at + cv::Point2d(-radius, -radius)), fixed(at + cv::Point2d(radius, radius)), colour,
                    width, cv::LINE_AA, fractional_bits);
    });
  }
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the corners cannot be drawn");
}

}  // namespace octavo
