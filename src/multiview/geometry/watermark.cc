#include "multiview/geometry/watermark.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace octavo::planes {

namespace {

constexpr int window = 8;  // [pixel of the small copy]

// Grey levels of 256. Below the least deviation nothing is seen; what is brighter or darker is clipped, or of a frame.
constexpr double least_deviation = 2.5, brightest = 245, darkest = 8;

cv::Mat small_copy(const cv::Mat& grey, int longest_side) {
  const double scale = std::min(1.0, static_cast<double>(longest_side) / std::max(grey.cols, grey.rows));
  const cv::Size size(std::max(1, cvRound(grey.cols * scale)), std::max(1, cvRound(grey.rows * scale)));
  cv::Mat copy;
  cv::resize(grey, copy, size, 0, 0, cv::INTER_AREA);
  copy.convertTo(copy, CV_32F, grey.depth() == CV_8U ? 1 : grey.depth() == CV_16U ? 1 / 257.0 : 255);
  return copy;
}

enum class Seen { nothing, alike, unlike };

// What a window of both images shows. Where one has texture, the other has it too: its contrast is that of the first,
// whatever the exposures are.
Seen seen_in(const cv::Mat& a, const cv::Mat& b) {
  cv::Scalar mean_a, deviation_a, mean_b, deviation_b;
  cv::meanStdDev(a, mean_a, deviation_a);
  cv::meanStdDev(b, mean_b, deviation_b);
  const auto [fewer, more] = std::minmax({deviation_a[0], deviation_b[0]});
  if (more < least_deviation || std::min(mean_a[0], mean_b[0]) < darkest) return Seen::nothing;
  double brightest_a = 0, brightest_b = 0;
  cv::minMaxLoc(a, nullptr, &brightest_a);
  cv::minMaxLoc(b, nullptr, &brightest_b);
  if (std::max(brightest_a, brightest_b) > brightest) return Seen::nothing;
  constexpr double least_ratio = 0.25;  // of contrasts; a guess
  const auto [lower, higher] = std::minmax({deviation_a[0] / mean_a[0], deviation_b[0] / mean_b[0]});
  if (fewer < least_deviation) return lower > least_ratio * higher ? Seen::nothing : Seen::unlike;
  constexpr double least_correlation = 0.8;
  const double covariance = a.dot(b) / (window * window) - mean_a[0] * mean_b[0];
  return covariance >= least_correlation * deviation_a[0] * deviation_b[0] ? Seen::alike : Seen::unlike;
}

}  // namespace

double share_standing_still(const PointPairs& pairs, std::span<const std::uint8_t> inliers) {
  int count = 0, still = 0;
  for (std::size_t i = 0; i < inliers.size(); ++i) {
    if (inliers[i] == 0) continue;
    ++count;
    if (std::hypot(pairs.a[i].x - pairs.b[i].x, pairs.a[i].y - pairs.b[i].y) <= 1) ++still;
  }
  return still / std::max(1.0, static_cast<double>(count));
}

double share_alike_in_place(const cv::Mat& grey_a, const cv::Mat& grey_b, int longest_side) {
  constexpr int fewest = 16;  // windows that tell something
  const cv::Mat a = small_copy(grey_a, longest_side), b = small_copy(grey_b, longest_side);
  int alike = 0, unlike = 0;
  for (int y = 0; y + window <= a.rows; y += window) {
    for (int x = 0; x + window <= a.cols; x += window) {
      const cv::Rect place(x, y, window, window);
      const Seen seen = seen_in(a(place), b(place));
      if (seen == Seen::alike) ++alike;
      if (seen == Seen::unlike) ++unlike;
    }
  }
  return alike + unlike < fewest ? 1 : static_cast<double>(alike) / (alike + unlike);
}

bool is_watermark(const PointPairs& pairs, std::span<const std::uint8_t> inliers, const cv::Mat& grey_a,
                  const cv::Mat& grey_b, bool is_local) {
  if (grey_a.size() != grey_b.size() || share_standing_still(pairs, inliers) <= 0.5) return false;
  if (share_alike_in_place(grey_a, grey_b) >= (is_local ? 0.5 : 0.3)) return false;
  // Of a blurred, noisy or printed copy only coarse structures agree: in 84 to 100 % of these places, of overlays in up
  // to 42 %. Captions are local, and the landscapes that they stand on may be alike so far.
  constexpr int coarse = 64;
  return is_local || share_alike_in_place(grey_a, grey_b, coarse) < 0.6;
}

}  // namespace octavo::planes
