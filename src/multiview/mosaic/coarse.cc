// An overview and close-ups of a scene agree where they overlap, so the cost of a seam does not tell them apart: it
// would show the overview alone. Where one shows more of the mosaic's detail, the others are left out.

#include "multiview/mosaic/coarse.h"

#include <array>
#include <opencv2/imgproc.hpp>

namespace octavo::mosaic {
namespace {

using Part = MosaicPlan::Details::Part;

// Pixels of the image on one of the mosaic, along a side, at each place of the part; more than one adds nothing.
cv::Mat fineness_of(const Part& part, double scale) {
  const cv::Matx13f half_difference(-0.5F, 0, 0.5F);
  cv::Mat along_x, along_y;
  cv::filter2D(part.at, along_x, CV_32F, half_difference, {-1, -1}, 0, cv::BORDER_REPLICATE);
  cv::filter2D(part.at, along_y, CV_32F, half_difference.t(), {-1, -1}, 0, cv::BORDER_REPLICATE);
  std::array<cv::Mat, 2> x, y;
  cv::split(along_x, x.data());
  cv::split(along_y, y.data());
  cv::Mat area = cv::abs(x[0].mul(y[1]) - x[1].mul(y[0])), fineness;
  cv::sqrt(area * (scale * scale * part.size.width * part.size.height), fineness);
  return cv::min(fineness, 1.0);
}

}  // namespace

void leave_out_coarse(std::vector<Part>& parts, cv::Size small_canvas, double scale) {
  constexpr double much_coarser = 0.7;  // half of the pixels; a guess
  constexpr int around_seam = 12;       // [pixel] as find_seams has it
  const cv::Mat square = cv::Mat::ones(2 * around_seam + 1, 2 * around_seam + 1, CV_8U);
  cv::Mat finest = cv::Mat::zeros(small_canvas, CV_32F);
  std::vector<cv::Mat> fineness;
  for (const Part& part : parts) {
    fineness.push_back(fineness_of(part, scale));
    cv::Mat inner, here = finest(part.place);
    cv::erode(part.mask, inner, square, {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar::all(0));
    cv::Mat(cv::max(here, fineness.back())).copyTo(here, inner);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].mask.setTo(0, fineness[i] < much_coarser * finest(parts[i].place));
  }
}

}  // namespace octavo::mosaic
