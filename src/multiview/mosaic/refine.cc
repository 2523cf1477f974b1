// Exact places after the features' approximate ones. Features decide which images overlap, since they need no place
// to begin with. Their places are uncertain by half a pixel and more, and where an image is smooth they are few: a
// homography of ten matches is wrong by many pixels at the corners. Intensities determine it better (Irani and Anandan,
// "About direct methods", 1999), once it is known within some pixels.

#include "multiview/mosaic/refine.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "multiview/mosaic/adjustment.h"
#include "multiview/mosaic/agreement.h"
#include "multiview/mosaic/canvas.h"
#include "multiview/mosaic/median.h"
#include "multiview/mosaic/two_frames.h"

namespace octavo::mosaic {
namespace {

// What intensities must tell of a pair: so many patches (a homography has the numbers of four), and a share of those
// that were tried. Guesses.
constexpr int least_patches = 12;
constexpr double least_agreement = 0.3;

bool are_enough(const IntensityMatches& matches) {
  const auto count = static_cast<int>(matches.points.in_a.size());
  return count >= least_patches && count >= least_agreement * matches.tried;
}

PairPoints joined(const PairPoints& some, const PairPoints& more) {
  PairPoints all = some;
  for (std::size_t i = 0; i < more.in_a.size(); ++i) all.add(more, i);
  return all;
}

PairPoints first_of(const PairPoints& points, std::size_t count) {
  PairPoints first{0, 1, {}, {}, {}, {}};
  for (std::size_t i = 0; i < std::min(count, points.in_a.size()); ++i) first.add(points, i);
  return first;
}

// The matches whose weighted distances are not far above the median of all. A patch across an edge is exact, so that
// even a small error of it weighs much.
PairPoints typical(const Frames& frames, const PairPoints& points) {
  constexpr double largest_ratio = 30;                              // of squares, to their median; a guess
  constexpr double always = 4 * usual_deviation * usual_deviation;  // [pixel²] two usual deviations
  const std::vector<Distance> list = distances(frames, points);
  std::vector<double> all;
  for (std::size_t i = 0; i < points.in_a.size(); ++i) all.push_back(list[2 * i].squared);
  if (all.empty()) return points;
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  const double most = std::max(always, largest_ratio * all[all.size() / 2]);
  PairPoints kept{points.a, points.b, {}, {}, {}, {}};
  for (std::size_t i = 0; i < points.in_a.size(); ++i) {
    if (list[2 * i].squared <= most) kept.add(points, i);
  }
  return kept;
}

void keep_patches(VerifiedPair& pair, const PairPoints& patches) {
  const PairPoints features = first_of(pair.inliers, static_cast<std::size_t>(pair.report.inliers));
  pair.inliers = joined(features, patches);
  pair.inliers.a = pair.report.a;
  pair.inliers.b = pair.report.b;
  pair.report.patches = static_cast<int>(patches.in_a.size());
}

// The similarity, in least squares, nearest to a homography near its matched points.
cv::Matx33d similarity_of(const PairPoints& points, ImageSize size_a, ImageSize size_b) {
  cv::Matx44d normal = cv::Matx44d::eye() * 1e-9;
  cv::Vec4d right(0, 0, 0, 0);
  for (std::size_t i = 0; i < points.in_a.size(); ++i) {
    const cv::Point2d &p = points.in_a[i], &q = points.in_b[i];
    const cv::Vec4d u(p.x, -p.y, 1, 0), v(p.y, p.x, 0, 1);
    normal += u * u.t() + v * v.t();
    right += u * q.x + v * q.y;
  }
  const cv::Vec4d n = normal.inv() * right;
  const cv::Matx33d normalised(n[0], -n[1], n[2], n[1], n[0], n[3], 0, 0, 1);
  return normalised_from_pixel(size_b).inv() * normalised * normalised_from_pixel(size_a);
}

struct Aligned {
  Frames frames;
  IntensityMatches matches;
};

Aligned aligned(const VerifiedPair& pair, const cv::Matx33d& begin, const std::vector<MosaicModel>& models,
                const GreyImage& grey_a, const GreyImage& grey_b) {
  const PairPoints features = first_of(pair.inliers, static_cast<std::size_t>(pair.report.inliers));
  Aligned result{two_frames(begin, grey_a.size, grey_b.size), {}};
  for (const MosaicModel model : models) {
    const cv::Matx33d now = homography_of(result.frames, grey_a.size, grey_b.size);
    result.matches = match_intensities(0, 1, grey_a, grey_b, map_of(now, grey_b.size));
    if (!are_enough(result.matches)) return result;
    result.frames.model = model;
    adjust(result.frames, {joined(features, result.matches.points)}, 0, usual_huber);
  }
  const cv::Matx33d last = homography_of(result.frames, grey_a.size, grey_b.size);
  result.matches = match_intensities(0, 1, grey_a, grey_b, map_of(last, grey_b.size));
  return result;
}

}  // namespace

PixelMap map_of(const Frames& frames, int a, int b, const std::vector<ImageSize>& sizes) {
  const auto geometry = [&](int image) {
    const auto i = static_cast<std::size_t>(image);
    const cv::Matx33d m = frames.frame(i) * normalised_from_pixel(sizes[i]);
    std::array<double, 9> numbers{};
    std::copy_n(m.val, 9, numbers.begin());
    const double radial = frames.distortion ? frames.radial[static_cast<std::size_t>(frames.group[i])] : 0;
    // On a sphere all rays are visible.
    return geometry_of(numbers, radial, sizes[i], MosaicProjection::sphere);
  };
  return [from = geometry(a), to = geometry(b)](const cv::Point2d& p) { return to.pixel(from.ray(p)); };
}

std::optional<cv::Matx33d> homography_near(const cv::Matx33d& begin, const GreyImage& grey_a, const GreyImage& grey_b) {
  const Aligned found =
      aligned({}, begin, {MosaicModel::similarity, MosaicModel::affine, MosaicModel::homography}, grey_a, grey_b);
  if (!are_enough(found.matches)) return {};
  return homography_of(found.frames, grey_a.size, grey_b.size);
}

void align(VerifiedPair& pair, const GreyImage& grey_a, const GreyImage& grey_b, double threshold) {
  const bool has_homography = pair.report.status == MosaicPairStatus::used;
  const bool is_confirmed = has_homography && is_sure(pair.report);
  if (!is_confirmed) pair.report.status = MosaicPairStatus::unrelated;
  const std::vector<MosaicModel> models =
      has_homography ? std::vector{MosaicModel::homography}
                     : std::vector{MosaicModel::similarity, MosaicModel::affine, MosaicModel::homography};
  const cv::Matx33d begin = has_homography ? pair.b_from_a : similarity_of(pair.inliers, grey_a.size, grey_b.size);
  const Aligned found = aligned(pair, begin, models, grey_a, grey_b);
  const PairPoints patches = agreeing(found.frames, found.matches.points, threshold);
  const auto count = static_cast<int>(patches.in_a.size());
  if (count < least_patches || count < least_agreement * found.matches.tried) return;
  if (!is_confirmed) {
    // The pair's own matches must agree with its intensities, and these must determine its place.
    // The share of patches that must agree, twice the usual one, and the deviation that its corners may have, in
    // diagonals; guesses.
    constexpr double strong_agreement = 2 * least_agreement, largest_uncertainty = 0.005;
    Frames affine = found.frames;
    affine.model = MosaicModel::affine;
    const std::vector<double> uncertain = uncertainty(affine, {patches}, 0, usual_huber, {grey_a.size, grey_b.size});
    const PairPoints features = first_of(pair.inliers, static_cast<std::size_t>(pair.report.inliers));
    // At least half of the votes: they are rough, and some may be chance's.
    const PairPoints agree = agreeing(found.frames, features, 2 * threshold);
    if (count < strong_agreement * found.matches.tried || 2 * agree.in_a.size() < features.in_a.size() ||
        uncertain[1] > largest_uncertainty * 2 * half_diagonal(grey_b.size) ||
        !agree_nearly_everywhere(grey_a, grey_b, homography_of(found.frames, grey_a.size, grey_b.size), threshold)) {
      return;
    }
    pair.report.status = MosaicPairStatus::used;
    pair.inliers = agree;
    pair.report.inliers = static_cast<int>(agree.in_a.size());
  }
  pair.b_from_a = homography_of(found.frames, grey_a.size, grey_b.size);
  keep_patches(pair, patches);
}

namespace {

// The patches of one image that agree with another where adjusted images lie.
struct Compared {
  PairPoints agreeing;
  int tried = 0;
  Agreement agreement{};
};

// How many of the places are among others, both in one order.
int count_of(const std::vector<cv::Point2d>& places, const std::vector<cv::Point2d>& others) {
  int count = 0;
  auto next = places.begin();
  for (const cv::Point2d& other : others) {
    const auto at = std::find(next, places.end(), other);
    if (at == places.end()) continue;
    ++count;
    next = at + 1;
  }
  return count;
}

Compared compared(const Frames& frames, int a, int b, const std::vector<GreyImage>& greys,
                  const std::vector<ImageSize>& sizes, double threshold) {
  const IntensityMatches found = match_intensities(a, b, greys[static_cast<std::size_t>(a)],
                                                   greys[static_cast<std::size_t>(b)], map_of(frames, a, b, sizes));
  Compared result{agreeing(frames, found.points, threshold), found.tried, {}};
  result.agreement = {found.tried, count_of(found.tried_in_a, found.points.in_a),
                      count_of(found.tried_in_a, result.agreeing.in_a)};
  return result;
}

}  // namespace

void compare_neighbours(std::vector<VerifiedPair>& pairs, const Frames& frames, const std::vector<int>& group,
                        const std::vector<GreyImage>& greys, const std::vector<ImageSize>& sizes, double threshold) {
  std::map<std::pair<int, int>, VerifiedPair> all;
  for (VerifiedPair& pair : pairs) all.insert({{pair.report.a, pair.report.b}, std::move(pair)});
  std::vector<std::pair<int, int>> wanted;
  for (int a = 0; a < static_cast<int>(group.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(group.size()); ++b) {
      if (group[static_cast<std::size_t>(a)] != 0 || group[static_cast<std::size_t>(b)] != 0) continue;
      wanted.emplace_back(a, b);
    }
  }
  std::vector<Compared> found(wanted.size());
  cv::parallel_for_(cv::Range(0, static_cast<int>(wanted.size())), [&](const cv::Range& range) {
    for (int k = range.start; k < range.end; ++k) {
      const auto [a, b] = wanted[static_cast<std::size_t>(k)];
      found[static_cast<std::size_t>(k)] = compared(frames, a, b, greys, sizes, 2 * threshold);
    }
  });
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto& [agreeing_patches, tried, agreement] = found[k];
    const PairPoints patches = typical(frames, agreeing_patches);
    const auto count = static_cast<int>(patches.in_a.size());
    const auto [a, b] = wanted[k];
    const auto old = all.find(wanted[k]);
    if (old != all.end()) old->second.agreement = agreement;
    if (count < least_patches || count < least_agreement * tried) continue;
    VerifiedPair pair = old != all.end() ? std::move(old->second) : VerifiedPair{};
    pair.report.a = a;
    pair.report.b = b;
    if (pair.report.status != MosaicPairStatus::used) {
      // The matches that it has, if any, are chance's.
      pair.report.inliers = 0;
      pair.inliers = {};
      pair.report.status = MosaicPairStatus::used;
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      pair.b_from_a = normalised_from_pixel(sizes[j]).inv() * frames.frame(j).inv() * frames.frame(i) *
                      normalised_from_pixel(sizes[i]);
    }
    pair.agreement = agreement;
    keep_patches(pair, patches);
    all.insert_or_assign({a, b}, std::move(pair));
  }
  pairs.clear();
  for (auto& [key, pair] : all) pairs.push_back(std::move(pair));
}

namespace {

// Whether some image has far less in common with the others than is usual, as far as one direction tells.
bool is_any_in_doubt(const std::vector<VerifiedPair>& pairs, std::size_t images) {
  constexpr double far_less = 0.6;  // of the usual share: more than what is told; a guess
  std::vector<double> largest;
  for (const std::optional<double>& share : shares_found(pairs, images)) {
    if (share) largest.push_back(*share);
  }
  if (largest.empty()) return false;
  const double least = *std::ranges::min_element(largest);
  return least < std::max(local_share, far_less * median_of(largest));
}

}  // namespace

void compare_doubtful(std::vector<VerifiedPair>& pairs, const Frames& frames, const std::vector<GreyImage>& greys,
                      const std::vector<ImageSize>& sizes, double threshold) {
  constexpr double poor = 0.7;  // share of places that right pairs of still scenes surpass; it bounds the time
  const bool is_in_doubt = is_any_in_doubt(pairs, sizes.size());
  cv::parallel_for_(cv::Range(0, static_cast<int>(pairs.size())), [&](const cv::Range& range) {
    for (int k = range.start; k < range.end; ++k) {
      VerifiedPair& pair = pairs[static_cast<std::size_t>(k)];
      const bool matters = (is_in_doubt && pair.agreement.share() < poor) || pair.parallax.shows_depth();
      if (pair.report.status != MosaicPairStatus::used || !matters) continue;
      const auto agreement = [&](int a, int b) {
        return compared(frames, a, b, greys, sizes, 2 * threshold).agreement;
      };
      pair.agreement = agreement(pair.report.a, pair.report.b);
      pair.agreement += agreement(pair.report.b, pair.report.a);
    }
  });
}

}  // namespace octavo::mosaic
