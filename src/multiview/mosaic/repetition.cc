// Equal windows agree at several places, one of which is right. The overlap of two small images, one drawn as the other
// sees it, is compared with itself at all shifts (normalised correlation): a pattern that repeats has other maxima. At
// these shifts the patches of the large images are compared, as at the pair's own place. Windows of a house are told
// apart by their curtains: then far fewer patches agree at the other place. Where all do, nothing decides.

#include "multiview/mosaic/repetition.h"

#include <algorithm>
#include <iterator>
#include <opencv2/imgproc.hpp>
#include <tuple>

#include "multiview/mosaic/refine.h"

namespace octavo::mosaic {
namespace {

constexpr int largest_side = 160;  // [pixel] of the small images: it bounds the time; not tuned

// The small images, and what of the second the first shows.
struct SmallPair {
  cv::Mat a, b_as_a, overlap;
  double scale_x = 1, scale_y = 1;  // pixels of the image on one of the small one
};

cv::Mat reduced_to(const cv::Mat& level, double factor) {
  cv::Mat small;
  cv::resize(level, small, {}, factor, factor, cv::INTER_AREA);
  small.convertTo(small, CV_32F, 1 / 65535.0);
  return small;
}

SmallPair small_of(const GreyImage& grey_a, const GreyImage& grey_b, const cv::Matx33d& b_from_a) {
  const auto small_from = [](const GreyImage& grey) {
    const cv::Mat& level = grey.levels[0];
    return reduced_to(level, std::min(1.0, largest_side / static_cast<double>(std::max(level.cols, level.rows))));
  };
  SmallPair small{small_from(grey_a), {}, {}};
  const cv::Mat b = small_from(grey_b);
  const auto image_from_small = [](const cv::Mat& pixels, ImageSize size) {
    const double x = size.width / static_cast<double>(pixels.cols), y = size.height / static_cast<double>(pixels.rows);
    return cv::Matx33d(x, 0, (x - 1) / 2, 0, y, (y - 1) / 2, 0, 0, 1);
  };
  const cv::Matx33d b_from_small_a =
      image_from_small(b, grey_b.size).inv() * b_from_a * image_from_small(small.a, grey_a.size);
  cv::warpPerspective(b, small.b_as_a, b_from_small_a, small.a.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP);
  cv::warpPerspective(cv::Mat::ones(b.size(), CV_8U), small.overlap, b_from_small_a, small.a.size(),
                      cv::INTER_NEAREST | cv::WARP_INVERSE_MAP);
  small.scale_x = grey_a.size.width / static_cast<double>(small.a.cols);
  small.scale_y = grey_a.size.height / static_cast<double>(small.a.rows);
  return small;
}

// The shifts [pixel of a] at which the overlap looks like itself.
std::vector<cv::Point2d> likely_shifts(const SmallPair& small) {
  // Of the correlation at a shift, in parts of that at the own place; how far it falls between the two; the shifts that
  // are tried, and the least of them [pixel]. Guesses.
  constexpr double least = 0.7, valley = 0.2;
  constexpr std::size_t most = 4;
  constexpr int least_shift = 6, least_side = 16;
  const cv::Rect box = cv::boundingRect(small.overlap);
  const cv::Rect middle(box.x + box.width / 4, box.y + box.height / 4, box.width / 2, box.height / 2);
  if (middle.width < least_side || middle.height < least_side) return {};
  cv::Mat correlation, largest;
  cv::matchTemplate(small.b_as_a(box), small.a(middle), correlation, cv::TM_CCOEFF_NORMED);
  cv::dilate(correlation, largest, cv::Mat::ones(2 * least_shift + 1, 2 * least_shift + 1, CV_8U));
  const cv::Point own = middle.tl() - box.tl();
  const float at_own = correlation.at<float>(own);
  double lowest = 0;
  cv::minMaxLoc(correlation, &lowest, nullptr);
  std::vector<std::tuple<float, int, int>> peaks;
  for (int y = 0; y < correlation.rows; ++y) {
    for (int x = 0; x < correlation.cols; ++x) {
      const float value = correlation.at<float>(y, x);
      if (value < largest.at<float>(y, x) || std::max(std::abs(x - own.x), std::abs(y - own.y)) < least_shift) continue;
      if (value >= least * at_own && value >= lowest + valley) peaks.emplace_back(-value, x, y);
    }
  }
  std::sort(peaks.begin(), peaks.end());
  std::vector<cv::Point2d> shifts;
  for (const auto& [value, x, y] : peaks) {
    if (shifts.size() < most) shifts.emplace_back((x - own.x) * small.scale_x, (y - own.y) * small.scale_y);
  }
  return shifts;
}

// The places of a that agree with b where a map puts them, within so many pixels after one shift of all; normalised.
std::vector<std::pair<double, double>> agreeing_places(const GreyImage& grey_a, const GreyImage& grey_b,
                                                       const PixelMap& map, double threshold) {
  const PairPoints points = match_intensities(0, 1, grey_a, grey_b, map).points;
  if (points.in_a.empty()) return {};
  const double unit_a = half_diagonal(grey_a.size), unit_b = half_diagonal(grey_b.size);
  const cv::Matx33d pixel_of_a = normalised_from_pixel(grey_a.size).inv(),
                    normalised = normalised_from_pixel(grey_b.size);
  std::vector<cv::Point2d> off;
  for (std::size_t i = 0; i < points.in_a.size(); ++i) {
    const cv::Vec3d p = pixel_of_a * cv::Vec3d(points.in_a[i].x, points.in_a[i].y, 1);
    const std::optional<cv::Point2d> q = map({p[0], p[1]});
    const cv::Vec3d expected = q ? normalised * cv::Vec3d(q->x, q->y, 1) : cv::Vec3d(unit_a, unit_a, 1);
    off.emplace_back((points.in_b[i].x - expected[0]) * unit_b, (points.in_b[i].y - expected[1]) * unit_b);
  }
  const auto median = [&](const auto& coordinate) {
    std::vector<double> values;
    for (const cv::Point2d& one : off) values.push_back(coordinate(one));
    std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
    return values[values.size() / 2];
  };
  const cv::Point2d shift(median([](const cv::Point2d& p) { return p.x; }),
                          median([](const cv::Point2d& p) { return p.y; }));
  std::vector<std::pair<double, double>> places;
  for (std::size_t i = 0; i < off.size(); ++i) {
    if (cv::norm(off[i] - shift) <= threshold) places.emplace_back(points.in_a[i].x, points.in_a[i].y);
  }
  return places;
}

// The patches of a that b shows at both places.
std::vector<cv::Point> shown_at_both(const GreyImage& grey_a, const GreyImage& grey_b, const PixelMap& own,
                                     const PixelMap& other) {
  constexpr int reach = 12;  // [pixel of level 0] of a patch, and a little more
  const cv::Mat& level = grey_b.levels[0];
  const auto is_shown = [&](const PixelMap& map, const cv::Point& p) {
    const std::optional<cv::Point2d> q = map(grey_a.pixel_from_level(p));
    if (!q) return false;
    const cv::Point2d at = grey_b.level_from_pixel(*q);
    return at.x >= reach && at.y >= reach && at.x < level.cols - reach && at.y < level.rows - reach;
  };
  std::vector<cv::Point> patches;
  std::copy_if(grey_a.patches.begin(), grey_a.patches.end(), std::back_inserter(patches),
               [&](const cv::Point& p) { return is_shown(own, p) && is_shown(other, p); });
  return patches;
}

}  // namespace

bool is_undecidable(const VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b, double threshold) {
  // Patches that are compared at a time, and at least; how many of them may disagree at the other place alone by
  // chance: a part of all, and some more. Guesses.
  constexpr std::size_t at_a_time = 250, least_places = 12, disagreeing = 2;
  constexpr double disagreeing_part = 0.01;
  const PixelMap own = map_of(pair.b_from_a, grey_b.size);
  const std::vector<cv::Point2d> shifts = likely_shifts(small_of(grey_a, grey_b, pair.b_from_a));
  return std::any_of(shifts.begin(), shifts.end(), [&](const cv::Point2d& shift) {
    const PixelMap other = [&](const cv::Point2d& p) { return own(p + shift); };
    const std::vector<cv::Point> patches = shown_at_both(grey_a, grey_b, own, other);
    GreyImage some = grey_a;
    std::size_t compared = 0, missing = 0;
    for (std::size_t first = 0; first < patches.size(); first += at_a_time) {
      const std::size_t end = std::min(patches.size(), first + at_a_time);
      some.patches.assign(patches.begin() + static_cast<std::ptrdiff_t>(first),
                          patches.begin() + static_cast<std::ptrdiff_t>(end));
      const auto here = agreeing_places(some, grey_b, own, threshold),
                 there = agreeing_places(some, grey_b, other, threshold);
      compared += here.size();
      missing += static_cast<std::size_t>(std::count_if(here.begin(), here.end(), [&](const auto& place) {
        return std::find(there.begin(), there.end(), place) == there.end();
      }));
      if (static_cast<double>(missing) > disagreeing + disagreeing_part * static_cast<double>(patches.size())) {
        return false;
      }
    }
    return compared >= least_places;
  });
}

planes::Parallax true_parallax(const VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b,
                               double threshold) {
  planes::Parallax parallax = pair.parallax;
  if (!parallax.shows_depth()) return parallax;
  const PixelMap b_from_a = map_of(pair.b_from_a, grey_b.size);
  GreyImage off = grey_a;
  off.patches.clear();
  int compared = 0;
  for (const Point& p : parallax.off_in_a) {
    const std::optional<cv::Point> patch = grey_a.patch_at({p.x, p.y});
    const std::optional<cv::Point2d> q = b_from_a({p.x, p.y});
    const bool is_shown = q && q->x >= 0 && q->y >= 0 && q->x < grey_b.size.width && q->y < grey_b.size.height;
    if (!patch || !is_shown) continue;
    off.patches.push_back(*patch);
    ++compared;
  }
  const auto agree = static_cast<int>(agreeing_places(off, grey_b, b_from_a, threshold).size());
  parallax.epipolar -= parallax.off - compared + agree;
  parallax.off = compared - agree;
  return parallax;
}

}  // namespace octavo::mosaic
