// The motion is found by phase correlation (Kuglin and Hines, 1975), which also tells a cut: no shift makes the two
// frames alike.

#include "video/frames/frame_motion.h"

#include <opencv2/imgproc.hpp>
#include <utility>

namespace octavo::video {
namespace {

constexpr double least_correlation = 0.5;  // of the parts of two successive frames that overlap; a guess
constexpr double least_deviation = 2;      // [grey level] of a frame that shows something

// How alike two images are where the second one, moved by −shift, overlaps the first: −1…1.
double correlation(const cv::Mat& a, const cv::Mat& b, const cv::Point2d& shift) {
  const cv::Rect whole({}, a.size());
  const cv::Point moved(cvRound(shift.x), cvRound(shift.y));
  const cv::Rect in_b = whole & (whole + moved);
  if (in_b.empty()) return 0;
  cv::Mat result;
  cv::matchTemplate(a(in_b - moved), b(in_b), result, cv::TM_CCOEFF_NORMED);
  return result.at<float>(0);
}

}  // namespace

std::optional<double> sharpness_of(const cv::Mat& grey) {
  cv::Scalar mean, deviation;
  cv::meanStdDev(grey, mean, deviation);
  if (deviation[0] < least_deviation) return {};
  cv::Mat edges;
  cv::Laplacian(grey, edges, CV_32F);
  cv::meanStdDev(edges, mean, deviation);
  return deviation[0];
}

std::optional<cv::Point2d> FrameMotion::to(const cv::Mat& grey) {
  cv::Mat now;
  grey.convertTo(now, CV_32F);
  const std::optional<cv::Point2d> shift = shift_to(now);
  last_ = std::move(now);
  return shift;
}

std::optional<cv::Point2d> FrameMotion::shift_to(const cv::Mat& now) {
  if (last_.size() != now.size()) return {};
  if (window_.size() != now.size()) cv::createHanningWindow(window_, now.size(), CV_32F);
  // Copies, since OpenCV 4 multiplies the images by the window where they are.
  const cv::Point2d found = cv::phaseCorrelate(last_.clone(), now.clone(), window_);
  for (const cv::Point2d& shift : {found, cv::Point2d()}) {
    if (correlation(last_, now, shift) >= least_correlation) return shift;
  }
  return {};
}

}  // namespace octavo::video
