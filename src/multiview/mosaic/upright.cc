// Which way is up. Cameras are seldom rolled: their x axes are horizontal, so that the vertical direction is the one
// that is perpendicular to all of them, the eigenvector of the least eigenvalue of their moments (Brown & Lowe, IJCV
// 2007, §5). Its sign is that for which images are not upside down. A camera that turns about its x axis alone has
// one x axis, and says nothing by it: there the mean of the cameras' own verticals decides, as it does where the camera
// hardly turns. Where it turns about the axis along which it looks, it is held level, or on its side, in most images
// that agree with each other by that: their verticals decide.

#include "multiview/mosaic/upright.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace octavo::mosaic {
namespace {

// The direction down of a camera that turns about the axis along which it looks: `mean`, that of the images' own
// verticals, unless some images are rolled against each other by a right angle or not at all.
cv::Vec3d down_of_rolls(const Frames& frames, const std::vector<std::size_t>& placed, const cv::Vec3d& mean) {
  constexpr double tolerance = 5 * std::numbers::pi / 180;  // of a camera that is held by hand; a guess
  constexpr double right_angle = std::numbers::pi / 2;
  cv::Vec3d along(0, 0, 0);
  for (const std::size_t i : placed) along += frames.base[i] * cv::Vec3d(0, 0, 1);
  along = cv::normalize(along);
  const cv::Vec3d first = frames.base[placed.front()] * cv::Vec3d(0, 1, 0);
  const cv::Vec3d u = cv::normalize(first - along * along.dot(first)), v = along.cross(u);
  std::vector<double> rolls;
  for (const std::size_t i : placed) {
    const cv::Vec3d own = frames.base[i] * cv::Vec3d(0, 1, 0);
    rolls.push_back(std::atan2(own.dot(v), own.dot(u)));
  }
  const double usual = std::atan2(mean.dot(v), mean.dot(u));
  double best = usual, nearest = 0;
  int most = 1;  // an image agrees with itself
  for (const double roll : rolls) {
    int agree = 0;
    double sum = 0;
    for (const double other : rolls) {
      const double apart = std::remainder(other - roll, right_angle);
      if (std::abs(apart) > tolerance) continue;
      ++agree;
      sum += apart;
    }
    // Of the sides that could be below, the one that is nearest to the images' own.
    const double distance = std::abs(std::remainder(roll - usual, 4 * right_angle));
    if (agree < 2 || agree < most || (agree == most && distance >= nearest)) continue;
    most = agree;
    nearest = distance;
    best = roll + sum / agree;
  }
  return most > 1 ? u * std::cos(best) + v * std::sin(best) : mean;
}

// The direction down in the frame.
cv::Vec3d vertical(const Frames& frames, const std::vector<std::size_t>& placed) {
  cv::Matx33d moments = cv::Matx33d::zeros();
  cv::Vec3d mean(0, 0, 0);
  for (const std::size_t i : placed) {
    const cv::Vec3d right = frames.base[i] * cv::Vec3d(1, 0, 0);
    moments += right * right.t() * (1.0 / static_cast<double>(placed.size()));
    mean += frames.base[i] * cv::Vec3d(0, 1, 0);
  }
  cv::Vec3d values;
  cv::Matx33d vectors;
  cv::eigen(moments, values, vectors);
  const auto vector = [&](int k) { return cv::Vec3d(vectors(k, 0), vectors(k, 1), vectors(k, 2)); };
  // The x axes span a plane: they are spread by 6° and more (the square of its sine), and not as much by rolls;
  // guesses.
  constexpr double least_spread = 0.01, least_ratio = 4;
  const bool is_plane = values[1] > least_spread && values[1] > least_ratio * values[2];
  // A camera that turns about its optical axis has x axes that span a plane too; its normal is then no vertical.
  constexpr double least_along = 0.5;  // the cosine of 60°, by which a camera looks up or down at most; a guess
  const bool is_vertical = is_plane && std::abs(vector(2).dot(mean)) > least_along * cv::norm(mean);
  const cv::Vec3d down = is_vertical ? vector(2)
                         : is_plane  ? down_of_rolls(frames, placed, mean)
                                     : mean - vector(0) * vector(0).dot(mean);
  if (!(cv::norm(down) > 0)) return {0, 1, 0};
  return down * ((down.dot(mean) < 0 ? -1 : 1) / cv::norm(down));
}

// The longitude of the middle of what is seen: opposite to the middle of the widest arc without images.
double heading(const Frames& frames, const std::vector<ImageSize>& sizes, const std::vector<std::size_t>& placed,
               const cv::Matx33d& straight) {
  // Bins of half a degree, and the steps over an image's width, so that no bin of a view of 32° is skipped.
  constexpr int bins = 720, steps = 64;
  std::array<bool, bins> seen{};
  cv::Vec3d first(0, 0, 1);
  for (const std::size_t i : placed) {
    const cv::Matx33d frame = straight * frames.frame(i) * normalised_from_pixel(sizes[i]);
    const double row = (sizes[i].height - 1) / 2.0;
    for (int k = 0; k <= steps; ++k) {
      const cv::Vec3d ray = frame * cv::Vec3d(static_cast<double>(k) / steps * (sizes[i].width - 1), row, 1);
      const double angle = std::atan2(ray[0], ray[2]) + std::numbers::pi;
      seen[static_cast<std::size_t>(std::clamp(angle / (2 * std::numbers::pi) * bins, 0.0, bins - 1.0))] = true;
    }
    if (i == placed.front()) first = frame * cv::Vec3d((sizes[i].width - 1) / 2.0, row, 1);
  }
  int longest = 0, end = 0, run = 0;
  for (int k = 0; k < 2 * bins; ++k) {
    run = seen[static_cast<std::size_t>(k % bins)] ? 0 : std::min(run + 1, bins);
    if (run > longest) longest = run, end = k;
  }
  // Without a gap the first image is in front: the sum of a whole ring has no direction.
  constexpr int least_gap = 4;  // [bin] less may be left by wide views, whose steps are wider than a bin
  if (longest <= least_gap) return std::atan2(first[0], first[2]);
  // The middle of the gap, from −π; in front is half a turn more.
  return ((end - (longest - 1) / 2.0 + 0.5) / bins) * 2 * std::numbers::pi;
}

}  // namespace

cv::Matx33d upright(const Frames& frames, const std::vector<ImageSize>& sizes, const std::vector<std::size_t>& placed) {
  const cv::Vec3d down = vertical(frames, placed);
  // Any direction in front, for the time being.
  const cv::Vec3d aside = std::abs(down[0]) < 0.9 ? cv::Vec3d(1, 0, 0) : cv::Vec3d(0, 0, 1);
  const cv::Vec3d ahead = cv::normalize(aside.cross(down)), right = down.cross(ahead);
  const cv::Matx33d straight(right[0], right[1], right[2], down[0], down[1], down[2], ahead[0], ahead[1], ahead[2]);
  const double turn = heading(frames, sizes, placed, straight), c = std::cos(turn), s = std::sin(turn);
  return cv::Matx33d(c, 0, -s, 0, 1, 0, s, 0, c) * straight;
}

}  // namespace octavo::mosaic
