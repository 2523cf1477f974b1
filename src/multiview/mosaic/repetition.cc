// Equal windows agree at several places, one of which is right. At the other places that small copies show, the images
// are aligned, and the patches of the large images are compared, as at the pair's own place. Windows of a house are
// told apart by their curtains: then far fewer patches agree at the other place. Where about as many do, or where the
// other place explains more of its overlap, nothing decides.

#include "multiview/mosaic/repetition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "multiview/mosaic/median.h"
#include "multiview/mosaic/other_places.h"
#include "multiview/mosaic/refine.h"

namespace octavo::mosaic {
namespace {

constexpr std::size_t least_places = 12;  // that tell of another place; a guess

// The places of a that agree with b where a map puts them, within so many pixels after one shift of all; normalised.
std::vector<cv::Point2d> agreeing_places(const GreyImage& grey_a, const GreyImage& grey_b, const PixelMap& map,
                                         double threshold) {
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
    return median_of(std::move(values));
  };
  const cv::Point2d shift(median([](const cv::Point2d& p) { return p.x; }),
                          median([](const cv::Point2d& p) { return p.y; }));
  std::vector<cv::Point2d> places;
  for (std::size_t i = 0; i < off.size(); ++i) {
    if (cv::norm(off[i] - shift) <= threshold) places.push_back(points.in_a[i]);
  }
  return places;
}

std::size_t count_in(const std::vector<cv::Point2d>& some, const std::vector<cv::Point2d>& all) {
  return static_cast<std::size_t>(
      std::ranges::count_if(some, [&](const cv::Point2d& one) { return std::ranges::find(all, one) != all.end(); }));
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

// The patches with structure in the overlap, and how many of them agree.
struct Explained {
  double tried = 0, agreeing = 0;
  [[nodiscard]] double share() const { return tried > 0 ? agreeing / tried : 0; }
};

Explained explained_at(const GreyImage& grey_a, const GreyImage& grey_b, const PixelMap& map, double threshold) {
  const std::vector<cv::Point2d> tried = match_intensities(0, 1, grey_a, grey_b, map).tried_in_a,
                                 agreeing = agreeing_places(grey_a, grey_b, map, threshold);
  if (agreeing.size() < least_places) return {};
  return {static_cast<double>(tried.size()), static_cast<double>(count_in(tried, agreeing))};
}

// Whether the patches that b shows at both places agree about as often at the other one: those that agree at one place
// alone tell the places apart (McNemar's test, 1947).
bool agree_about_as_often(const GreyImage& grey_a, const GreyImage& grey_b, const PixelMap& own, const PixelMap& other,
                          double threshold) {
  // Patches that are compared at a time; the share of those that agree at the own place that must agree at the other,
  // and how far chance may separate the places, in deviations. Of lattices of hexagons, bricks and windows: with 0.8 or
  // 3 right pairs are lost, with 0.9 or 2 fewer wrong ones are found.
  constexpr std::size_t at_a_time = 250;
  constexpr double least_share = 0.85, deviations = 2.5, some_more = 2, some_more_part = 0.01;
  const std::vector<cv::Point> patches = shown_at_both(grey_a, grey_b, own, other);
  GreyImage some = grey_a;
  std::size_t here = 0, there = 0, at_both = 0;
  for (std::size_t first = 0; first < patches.size(); first += at_a_time) {
    const std::size_t end = std::min(patches.size(), first + at_a_time);
    some.patches.assign(patches.begin() + static_cast<std::ptrdiff_t>(first),
                        patches.begin() + static_cast<std::ptrdiff_t>(end));
    const std::vector<cv::Point2d> at_own = agreeing_places(some, grey_b, own, threshold),
                                   at_other = agreeing_places(some, grey_b, other, threshold);
    here += at_own.size();
    there += at_other.size();
    at_both += count_in(at_own, at_other);
  }
  if (here < least_places || static_cast<double>(there) < least_share * static_cast<double>(here)) return false;
  const auto more = static_cast<double>(here) - static_cast<double>(there);
  const auto at_one = static_cast<double>(here + there - 2 * at_both);
  // Where none agrees at the other place alone there is no chance in it: a letter on a wall decides.
  const double by_chance = there > at_both ? deviations * std::sqrt(at_one) : 0;
  return more <= std::max(some_more + some_more_part * static_cast<double>(patches.size()), by_chance);
}

// How far the share that the other place explains is above that of the own one, in deviations of the difference of two
// shares.
double explained_more(const Explained& own, const Explained& other) {
  constexpr double none = -1e9;
  if (own.tried == 0 || other.tried == 0) return none;
  const double all = (own.agreeing + other.agreeing) / (own.tried + other.tried);
  const double deviation = std::sqrt(all * (1 - all) * (1 / own.tried + 1 / other.tried));
  return deviation > 0 ? (other.share() - own.share()) / deviation : 0;
}

// Whether most of what b shows at one of the places it shows at the other one too.
bool show_the_same(const GreyImage& grey_a, const GreyImage& grey_b, const PixelMap& own, const PixelMap& other) {
  constexpr double least_part = 0.6;  // of the smaller overlap; a guess
  const auto shown = [&](const PixelMap& one, const PixelMap& two) {
    return static_cast<double>(shown_at_both(grey_a, grey_b, one, two).size());
  };
  return shown(own, other) >= least_part * std::min(shown(own, own), shown(other, other));
}

// Whether the images agree at the other place too, so that the own one may be wrong.
bool is_as_likely(const GreyImage& grey_a, const GreyImage& grey_b, const PixelMap& own, const PixelMap& other,
                  double threshold) {
  // Of the patches that agree at the own place: a pattern in one corner of it decides nothing. A guess.
  constexpr double least_part = 0.5;
  const Explained here = explained_at(grey_a, grey_b, own, threshold),
                  there = explained_at(grey_a, grey_b, other, threshold);
  const double more = explained_more(here, there);
  // What decides, such as a letter, may be seen at one of the places alone: then the other one must be clearly better.
  if (there.agreeing < least_part * here.agreeing || !show_the_same(grey_a, grey_b, own, other)) return more > 1;
  return more > -1 || agree_about_as_often(grey_a, grey_b, own, other, threshold);
}

// Whether a homography puts each pixel where it is: there captions and frames agree, which are no place of the scene.
bool stands_still(const cv::Matx33d& b_from_a, ImageSize a, ImageSize b) {
  constexpr double still = 4;  // [pixel]; a guess
  const PixelMap map = map_of(b_from_a, b);
  const cv::Point2d end(a.width - 1, a.height - 1);
  return a == b && std::ranges::all_of(std::array<cv::Point2d, 4>{{{0, 0}, {end.x, 0}, {0, end.y}, end}},
                                       [&](const cv::Point2d& corner) {
                                         const std::optional<cv::Point2d> at = map(corner);
                                         return at && cv::norm(*at - corner) <= still;
                                       });
}

// Whether what was found from a place away lies nearer to the own place, at these patches.
bool has_come_back(const GreyImage& grey_a, const std::vector<cv::Point>& patches, const PixelMap& own,
                   const PixelMap& begin, const PixelMap& found) {
  return std::ranges::count_if(patches, [&](const cv::Point& p) {
           const cv::Point2d at = grey_a.pixel_from_level(p);
           const auto a = own(at), b = begin(at), c = found(at);
           return a && b && c && cv::norm(*c - *a) < cv::norm(*c - *b);
         }) > std::ssize(patches) / 2;
}

}  // namespace

bool is_undecidable(const VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b, double threshold) {
  const PixelMap own = map_of(pair.b_from_a, grey_b.size);
  const std::vector<cv::Point2d> shifts = other_places(grey_a, grey_b, pair.b_from_a);
  return std::ranges::any_of(shifts, [&](const cv::Point2d& shift) {
    const cv::Matx33d near = pair.b_from_a * cv::Matx33d(1, 0, shift.x, 0, 1, shift.y, 0, 0, 1);
    const PixelMap begin = map_of(near, grey_b.size);
    const std::vector<cv::Point> patches = shown_at_both(grey_a, grey_b, own, begin);
    if (patches.size() < least_places) return false;
    const std::optional<cv::Matx33d> found = homography_near(near, grey_a, grey_b);
    if (!found || stands_still(*found, grey_a.size, grey_b.size)) return false;
    const PixelMap there = map_of(*found, grey_b.size);
    return !has_come_back(grey_a, patches, own, begin, there) && is_as_likely(grey_a, grey_b, own, there, threshold);
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
