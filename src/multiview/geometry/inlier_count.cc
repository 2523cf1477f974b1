#include "multiview/geometry/inlier_count.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>

#include "multiview/geometry/visible_part.h"

namespace octavo::planes {

DistinctPairs distinct(std::span<const Point> a, std::span<const Point> b, std::span<const std::uint8_t> inliers) {
  DistinctPairs kept;
  std::set<std::tuple<double, double, double, double>> known;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!known.emplace(a[i].x, a[i].y, b[i].x, b[i].y).second) continue;
    kept.a.emplace_back(a[i].x, a[i].y);
    kept.b.emplace_back(b[i].x, b[i].y);
    kept.inlier.push_back(inliers[i] != 0);
  }
  return kept;
}

cv::Point2d DistinctPairs::middle() const {
  cv::Point2d sum;
  double count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!inlier[i]) continue;
    sum += a[i];
    ++count;
  }
  return sum / std::max(1.0, count);
}

std::string InlierCount::sentence(std::string_view where, std::string_view model) const {
  return fmt::format("only {} of {} matches{} agree, a right {} has more than {:.0f}", inliers, matches, where, model,
                     needed());
}

int count_places(const DistinctPairs& pairs, double radius, int most) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < pairs.a.size() && static_cast<int>(places.size()) < most; ++i) {
    const auto is_here = [&](std::size_t place) {
      return cv::norm(pairs.a[i] - pairs.a[place]) <= radius && cv::norm(pairs.b[i] - pairs.b[place]) <= radius;
    };
    if (pairs.inlier[i] && std::ranges::none_of(places, is_here)) places.push_back(i);
  }
  return static_cast<int>(places.size());
}

InlierCount count_inliers(const DistinctPairs& pairs) {
  return {static_cast<int>(std::ranges::count(pairs.inlier, true)), static_cast<int>(pairs.inlier.size())};
}

InlierCount count_inliers(const DistinctPairs& pairs, const cv::Matx33d& b_from_a, const cv::Rect2d& part_of_b) {
  InlierCount count = count_inliers(pairs);
  count.matches = static_cast<int>(std::ranges::count_if(pairs.a, [&](const cv::Point2d& a) {
    const auto [place, w] = mapped(b_from_a, a);
    return w > 0 && part_of_b.contains(place);
  }));
  return count;
}

}  // namespace octavo::planes
