// Where an image is clipped it has lost what it should show: no correction of exposure brings it back, and white that
// is divided by a gain is grey. Such a place never stands where another image shows the same well.

#include "multiview/mosaic/clipped.h"

#include <opencv2/imgproc.hpp>

namespace octavo::mosaic {
namespace {

// 255 where the colours are clipped: a channel is white, or all are black. Lone pixels do not count, and gaps do.
cv::Mat clipped(const cv::Mat& colours) {
  constexpr double bright = 0.98, dark = 0.02;  // of full scale; guesses
  const cv::Mat square = cv::Mat::ones(5, 5, CV_8U);
  std::vector<cv::Mat> channels;
  cv::split(colours, channels);
  cv::Mat lost = cv::max(channels[0], cv::max(channels[1], channels[2])) < dark;
  for (const cv::Mat& channel : channels) lost |= channel > bright;
  cv::morphologyEx(lost, lost, cv::MORPH_OPEN, square);
  cv::morphologyEx(lost, lost, cv::MORPH_CLOSE, square);
  return lost;
}

}  // namespace

void leave_out_clipped(std::vector<MosaicPlan::Details::Part>& parts, cv::Size canvas) {
  cv::Mat well_shown = cv::Mat::zeros(canvas, CV_8U);
  std::vector<cv::Mat> lost;
  for (const auto& part : parts) {
    lost.push_back(clipped(part.colours));
    well_shown(part.place).setTo(255, part.mask & ~lost.back());
  }
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].mask.setTo(0, lost[i] & well_shown(parts[i].place));
}

}  // namespace octavo::mosaic
