// Loops of pairs (Zach, Klopschitz and Pollefeys, "Disambiguating visual relations using loop constraints", CVPR 2010).
// The homographies of the pairs of a loop, one after the other, map each point to itself if all pairs are right. So
// wrong pairs, of a pattern that repeats or of smooth images, are found before the adjustment, in little time. Loops
// have three pairs, or four where there are none of three, as in a grid whose diagonal neighbours share too little.
//
// A homography is exact where its inliers are, and may be far off beside them: a loop with a narrow overlap need not
// close. So a loop tells nothing if the errors of its homographies explain how far it is open.

#include "multiview/mosaic/loops.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "multiview/geometry/homography_covariance.h"
#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/median.h"

namespace octavo::mosaic {
namespace {

// The used pairs of each image: its neighbours, and the indices of the pairs.
using Neighbours = std::vector<std::map<int, std::size_t>>;

Neighbours neighbours_of(const std::vector<VerifiedPair>& pairs, std::size_t images) {
  Neighbours list(images);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MosaicPair& pair = pairs[i].report;
    if (pair.status != MosaicPairStatus::used) continue;
    list[static_cast<std::size_t>(pair.a)].emplace(pair.b, i);
    list[static_cast<std::size_t>(pair.b)].emplace(pair.a, i);
  }
  return list;
}

// The ways from a to b over one other image, or over two if there are none, as images and as indices of pairs.
struct Way {
  std::vector<int> images;
  std::vector<std::size_t> pairs;
};
std::vector<Way> ways(const Neighbours& neighbours, int a, int b) {
  const auto of = [&](int image) -> const std::map<int, std::size_t>& {
    return neighbours[static_cast<std::size_t>(image)];
  };
  std::vector<Way> list;
  for (const auto& [c, first] : of(a)) {
    if (const auto last = of(c).find(b); last != of(c).end()) list.push_back({{a, c, b}, {first, last->second}});
  }
  if (!list.empty()) return list;
  for (const auto& [c, first] : of(a)) {
    if (c == b) continue;
    for (const auto& [d, second] : of(c)) {
      const auto last = d == a ? of(d).end() : of(d).find(b);
      if (last != of(d).end()) list.push_back({{a, c, d, b}, {first, second, last->second}});
    }
  }
  return list;
}

// One way through a pair, in normalised coordinates.
struct Step {
  cv::Matx33d h;
  planes::HomographyCovariance covariance;
};

Step step_of(const VerifiedPair& pair, const std::vector<ImageSize>& sizes, bool is_forth) {
  const auto a = static_cast<std::size_t>(pair.report.a), b = static_cast<std::size_t>(pair.report.b);
  const cv::Matx33d forth = normalised_from_pixel(sizes[b]) * pair.b_from_a * normalised_from_pixel(sizes[a]).inv();
  const auto &in_a = pair.inliers.in_a, &in_b = pair.inliers.in_b;
  const cv::Matx33d h = is_forth ? forth : forth.inv();
  const double least = usual_deviation / half_diagonal(sizes[is_forth ? b : a]);
  return {h, is_forth ? planes::HomographyCovariance(h, in_a, in_b, 1, least)
                      : planes::HomographyCovariance(h, in_b, in_a, 1, least)};
}

// What loops tell of a pair.
struct Verdict {
  bool is_confirmed = false;  // by a loop that closes
  std::vector<Way> open;      // the others of those that do not, and should
};

class Loops {
 public:
  Loops(const std::vector<VerifiedPair>& pairs, const std::vector<ImageSize>& sizes)
      : pairs_(pairs), sizes_(sizes), neighbours_(neighbours_of(pairs, sizes.size())) {}

  [[nodiscard]] Verdict verdict(std::size_t pair) const {
    Verdict verdict;
    for (Way& way : ways(neighbours_, pairs_[pair].report.a, pairs_[pair].report.b)) {
      const Gap gap = gap_of(pair, way);
      if (gap.distance <= allowed_displacement) verdict.is_confirmed = true;
      if (gap.unexplained > allowed_displacement && !gives_way(way, pair)) verdict.open.push_back(std::move(way));
    }
    return verdict;
  }

 private:
  // Pairs that are trusted less contradict none.
  [[nodiscard]] bool gives_way(const Way& way, std::size_t pair) const {
    return std::ranges::any_of(way.pairs, [&](std::size_t i) { return trust(pairs_[i]) < trust(pairs_[pair]); });
  }

  // How far a way leads from where the pair does, at the pair's inliers: the median of all, and of what is more than
  // the errors of the way's homographies.
  struct Gap {
    double distance, unexplained;
  };

  [[nodiscard]] Gap gap_of(std::size_t pair, const Way& way) const {
    constexpr double deviations = 3;  // that errors reach
    std::vector<Step> steps;
    for (std::size_t i = 0; i < way.pairs.size(); ++i) {
      const VerifiedPair& step = pairs_[way.pairs[i]];
      steps.push_back(step_of(step, sizes_, step.report.a == way.images[i]));
    }
    const PairPoints& points = pairs_[pair].inliers;
    std::vector<double> apart, unexplained;
    for (std::size_t i = 0; i < points.in_a.size(); ++i) {
      cv::Point2d at = points.in_a[i];
      cv::Matx22d covariance = cv::Matx22d::zeros();
      for (const Step& step : steps) {
        const cv::Matx22d slope = planes::local_affinity(step.h, at);
        covariance = slope * covariance * slope.t() + step.covariance.at(at);
        at = planes::mapped(step.h, at).place;
      }
      const double distance = cv::norm(at - points.in_b[i]);
      apart.push_back(std::isfinite(distance) ? distance : far);
      const double error = deviations * std::sqrt(cv::trace(covariance));
      unexplained.push_back(std::isfinite(error) ? apart.back() - error : 0);
    }
    return {median_of(std::move(apart)), median_of(std::move(unexplained))};
  }

  const std::vector<VerifiedPair>& pairs_;
  const std::vector<ImageSize>& sizes_;
  Neighbours neighbours_;
};

}  // namespace

std::vector<std::size_t> contradicted_by_loops(const std::vector<VerifiedPair>& pairs,
                                               const std::vector<ImageSize>& sizes) {
  const Loops loops(pairs, sizes);
  struct Contradicted {
    std::size_t pair;
    std::vector<Way> ways;
  };
  std::vector<Contradicted> contradicted;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const VerifiedPair& pair = pairs[i];
    if (pair.report.status != MosaicPairStatus::used || pair.report.by_hand || pair.inliers.in_a.empty()) continue;
    Verdict verdict = loops.verdict(i);
    if (!verdict.is_confirmed && !verdict.open.empty()) contradicted.push_back({i, std::move(verdict.open)});
  }
  // The weakest first: of a loop that does not close, one pair is wrong at least.
  std::ranges::stable_sort(contradicted, {}, [&](const Contradicted& one) {
    return std::pair(trust(pairs[one.pair]), pairs[one.pair].report.inliers);
  });
  std::vector<std::size_t> wrong;
  const auto is_wrong = [&](std::size_t i) { return std::ranges::find(wrong, i) != wrong.end(); };
  for (const auto& [pair, ways] : contradicted) {
    const bool is_unexplained =
        std::ranges::any_of(ways, [&](const Way& way) { return std::ranges::none_of(way.pairs, is_wrong); });
    if (is_unexplained || !is_sure(pairs[pair].report)) wrong.push_back(pair);
  }
  std::ranges::sort(wrong);
  return wrong;
}

}  // namespace octavo::mosaic
