// How much of an overlap agrees. Where images have one thing in common, such as the frame of a film, all patches there
// agree, and if the rest of one image is smooth they are most of its patches. So what counts is the usual place of the
// overlap, the median of its blocks, and the patches of both images.

#include "multiview/mosaic/agreement.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace octavo::mosaic {
namespace {

// The part of the tried places that agree, in the median of blocks; 1 where too few blocks have structure.
double median_share(const std::vector<cv::Point2d>& tried, const std::vector<cv::Point2d>& agreeing) {
  constexpr int side = 6;            // blocks of the places along each side, not tuned
  constexpr int enough = 3;          // places of a block that tell something
  constexpr std::size_t blocks = 8;  // that must tell something
  if (tried.empty()) return 1;
  const auto [left, right] = std::ranges::minmax(tried, {}, &cv::Point2d::x);
  const auto [top, bottom] = std::ranges::minmax(tried, {}, &cv::Point2d::y);
  const cv::Point2d corner(left.x, top.y);
  const cv::Size2d size(std::max(right.x - left.x, 1e-9), std::max(bottom.y - top.y, 1e-9));
  const auto block_of = [&](const cv::Point2d& p) {
    const auto of = [](double part) { return std::clamp(static_cast<int>(part * side), 0, side - 1); };
    return static_cast<std::size_t>(of((p.y - corner.y) / size.height) * side + of((p.x - corner.x) / size.width));
  };
  std::array<int, static_cast<std::size_t>(side) * side> all{}, some{};
  for (const cv::Point2d& p : tried) ++all[block_of(p)];
  for (const cv::Point2d& p : agreeing) ++some[block_of(p)];
  std::vector<double> shares;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] >= enough) shares.push_back(static_cast<double>(some[i]) / all[i]);
  }
  if (shares.size() < blocks) return 1;
  const auto middle = shares.begin() + std::ssize(shares) / 2;
  std::ranges::nth_element(shares, middle);
  return *middle;
}

// The part of a's patches that agree with b in a usual place of the overlap.
double typical_agreement(const GreyImage& grey_a, const GreyImage& grey_b, const cv::Matx33d& b_from_a,
                         double threshold) {
  const PixelMap map = map_of(b_from_a, grey_b.size);
  const IntensityMatches found = match_intensities(0, 1, grey_a, grey_b, map);
  const auto pixel = [](const GreyImage& grey, const cv::Point2d& p) {
    const cv::Vec3d q = normalised_from_pixel(grey.size).inv() * cv::Vec3d(p.x, p.y, 1);
    return cv::Point2d(q[0], q[1]);
  };
  std::vector<cv::Point2d> agreeing;
  for (std::size_t i = 0; i < found.points.in_a.size(); ++i) {
    const std::optional<cv::Point2d> there = map(pixel(grey_a, found.points.in_a[i]));
    const bool agrees = there && cv::norm(*there - pixel(grey_b, found.points.in_b[i])) <= threshold;
    if (agrees) agreeing.push_back(found.points.in_a[i]);
  }
  return median_share(found.tried_in_a, agreeing);
}

}  // namespace

bool agree_nearly_everywhere(const GreyImage& grey_a, const GreyImage& grey_b, const cv::Matx33d& b_from_a,
                             double threshold) {
  // Right pairs of panoramas have 0.67 and more in both directions, those of a frame or a logo 0 in one; a guess.
  constexpr double least = 0.4;
  return typical_agreement(grey_a, grey_b, b_from_a, threshold) >= least &&
         typical_agreement(grey_b, grey_a, b_from_a.inv(), threshold) >= least;
}

}  // namespace octavo::mosaic
