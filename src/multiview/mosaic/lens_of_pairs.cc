// The lens by the matches of pairs. A wide-angle lens bends what a homography keeps straight: within the few pixels of
// an inlier it explains one part of the overlap alone, and such inliers hide the distortion from the adjustment. So the
// distortion is searched for with which the homographies of several pairs explain the most matches together, as in
// Fitzgibbon, "Simultaneous linear estimation of multiple view geometry and lens distortion", CVPR 2001.

#include "multiview/mosaic/lens_of_pairs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "multiview/geometry/inlier_share.h"
#include "multiview/mosaic/adjustment.h"
#include "multiview/mosaic/two_frames.h"

namespace octavo::mosaic {
namespace {

// The pairs by which a distortion is judged, and the matches of each. They bound the time; not tuned.
constexpr std::size_t most_pairs = 6, most_matches = 300;

// Normalised coordinates as pixels, without their distortion.
std::vector<Point> pixels(const std::vector<cv::Point2d>& normalised, ImageSize size, double radial = 0) {
  const cv::Matx33d pixel_from_normalised = normalised_from_pixel(size).inv();
  std::vector<Point> list;
  for (const cv::Point2d& p : normalised) {
    const cv::Vec3d q = pixel_from_normalised * straightened(p, radial);
    list.push_back({q[0], q[1]});
  }
  return list;
}

struct Sizes {
  ImageSize a, b;
};

// The matches, those of frames 0 and 1, whose place in a is seen in b.
int seen(const Frames& frames, const PairPoints& points, ImageSize size_b) {
  const Passage way = passage(frames, 0, 1);
  const cv::Matx33d b_from_a = way.to * way.from;
  const cv::Point2d end(size_b.width / 2.0 / way.unit, size_b.height / 2.0 / way.unit);
  return static_cast<int>(std::ranges::count_if(points.in_a, [&](const cv::Point2d& p) {
    const cv::Vec3d q = b_from_a * straightened(p, frames.radial[0]);
    if (q[2] <= 0) return false;
    const std::optional<cv::Point2d> there = distorted({q[0] / q[2], q[1] / q[2]}, frames.radial[0]);
    return there && std::abs(there->x) < end.x && std::abs(there->y) < end.y;
  }));
}

// A homography of points without their distortion, as two frames, and its inliers.
struct Fit {
  Frames frames;
  PairPoints inliers;
};

std::optional<Fit> fit_with_lens(const PairPoints& points, const Sizes& sizes, double radial,
                                 const RobustOptions& robust) {
  const RobustModel model =
      estimate_homography(pixels(points.in_a, sizes.a, radial), pixels(points.in_b, sizes.b, radial), robust);
  if (!model.found) return {};
  Fit fit{two_frames(cv::Matx33d(model.b_from_a.data()), sizes.a, sizes.b), {}};
  fit.frames.distortion = true;
  fit.frames.radial = {radial};
  fit.inliers = agreeing(fit.frames, points, robust.threshold);
  return fit;
}

Sizes sizes_of(const VerifiedPair& pair, const std::vector<ImageSize>& sizes) {
  return {sizes[static_cast<std::size_t>(pair.report.a)], sizes[static_cast<std::size_t>(pair.report.b)]};
}

// The distortion with which these pairs have most inliers; 0 if these are not clearly more than without.
double common_distortion(const std::vector<const VerifiedPair*>& pairs, const std::vector<ImageSize>& sizes,
                         const RobustOptions& robust) {
  constexpr double clearly_more = 1.25;  // times; a guess
  std::vector<PairPoints> some;
  for (const VerifiedPair* const pair : pairs) some.push_back(some_of(pair->bent, most_matches));
  const auto agreement = [&](double radial) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const std::optional<Fit> fit = fit_with_lens(some[i], sizes_of(*pairs[i], sizes), radial, robust);
      if (fit) count += fit->inliers.in_a.size();
    }
    return static_cast<double>(count);
  };
  const double without = agreement(0);
  std::pair best(without, 0.0);
  const auto attempt = [&](double radial) {
    if (radial >= least_radial && radial <= largest_radial) best = std::max(best, {agreement(radial), radial});
  };
  for (const double radial : {-0.2, -0.1, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}) attempt(radial);
  for (const double step : {0.05, 0.025}) {
    const double middle = best.second;
    attempt(middle - step);
    attempt(middle + step);
  }
  return best.first >= clearly_more * without ? best.second : 0;
}

void verify_again(VerifiedPair& pair, const Fit& fit, const Sizes& sizes, const std::vector<Features>& features) {
  const auto count = static_cast<int>(fit.inliers.in_a.size());
  const double confidence = confidence_of(count, seen(fit.frames, pair.bent, sizes.b));
  if (confidence <= 1) return;
  pair.report.status = MosaicPairStatus::used;
  pair.report.confidence = confidence;
  pair.report.inliers = count;
  pair.parallax = {};
  pair.radial = fit.frames.radial[0];
  Frames bent = fit.frames;
  bent.distortion = false;
  bent.radial = {0};
  adjust(bent, {some_of(fit.inliers, most_matches)}, 0, usual_huber);
  pair.b_from_a = homography_of(bent, sizes.a, sizes.b);
  const auto a = static_cast<std::size_t>(pair.report.a), b = static_cast<std::size_t>(pair.report.b);
  pair.inlier_share =
      planes::share_with_inliers({sizes.a, features[a]}, {sizes.b, features[b]}, pair.b_from_a,
                                 {pixels(fit.inliers.in_a, sizes.a), pixels(fit.inliers.in_b, sizes.b)});
  pair.inliers = fit.inliers;
  pair.inliers.a = pair.report.a;
  pair.inliers.b = pair.report.b;
}

}  // namespace

void verify_with_lens(std::vector<VerifiedPair>& pairs, const std::vector<Features>& features,
                      const std::vector<ImageSize>& sizes, const RobustOptions& robust) {
  RobustOptions options = robust;
  // PROSAC would take the first matches for the best.
  if (options.method == RobustOptions::Method::prosac) options.method = RobustOptions::Method::ransac;
  std::map<long, std::vector<VerifiedPair*>> of_size;  // by half the diagonal of both images
  for (VerifiedPair& pair : pairs) {
    const Sizes both = sizes_of(pair, sizes);
    const long unit = std::lround(half_diagonal(both.a));
    if (!pair.bent.in_a.empty() && unit == std::lround(half_diagonal(both.b))) of_size[unit].push_back(&pair);
  }
  for (auto& [unit, bent] : of_size) {
    std::ranges::stable_sort(bent, std::greater(), [](const VerifiedPair* pair) { return pair->bent.in_a.size(); });
    const std::vector<const VerifiedPair*> strongest(
        bent.begin(), bent.begin() + std::min(std::ssize(bent), std::ptrdiff_t{most_pairs}));
    const double radial = common_distortion(strongest, sizes, options);
    if (radial == 0) continue;
    for (VerifiedPair* const pair : bent) {
      const Sizes both = sizes_of(*pair, sizes);
      const std::optional<Fit> fit = fit_with_lens(pair->bent, both, radial, options);
      if (fit) verify_again(*pair, *fit, both, features);
    }
  }
  for (VerifiedPair& pair : pairs) pair.bent = {};
}

}  // namespace octavo::mosaic
