// The choice between models by matches that were held out from their estimation. A model with more parameters always
// explains the matches from which it is made better, but not those that it has not seen (cross-validation; Stone,
// 1974). The simplest model that predicts them nearly as well as the best is taken: it errs least between the matches
// and over many images.

#include "multiview/mosaic/choose_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/stitching/detail/autocalib.hpp>
#include <optional>

#include "multiview/mosaic/adjustment.h"
#include "multiview/mosaic/radial.h"

namespace octavo::mosaic {
namespace {

constexpr std::size_t held_out_of = 5;  // of so many inliers one is held out; a guess
// An error of held-out matches is as good as the best if it is at most as_good_factor times that, and as_good_more
// [pixel]. They bound what chance makes of the errors of one model; guesses, with which all tiles of docs/mosaic.md get
// the model that they were made with.
constexpr double as_good_factor = 1.1, as_good_more = 0.03;
// What distortion must reduce the error of held-out matches to, as a factor; a guess.
constexpr double distortion_gain = 0.85;

// What the deviations of a lens's numbers may be (LensDeviation), of the distortion also a fifth of itself; the places
// of matches are not known better than the least error. A number that is less certain is not fitted: with hardly any
// motion between the images, an error of a tenth of a pixel would bend the whole mosaic. A distortion of 0.02 moves
// the corners by 2 % of half the diagonal; a deviation of 0.5 of the logarithm is a factor of 1.6 of the focal length.
// All three are guesses that the tests of lenses hold (lens_test.cc).
constexpr double largest_radial_deviation = 0.02, largest_focal_deviation = 0.5;
constexpr double least_error = 0.05;  // [pixel]

bool is_as_good(double held_out, double best) { return held_out <= as_good_factor * best + as_good_more; }

bool is_held_out(std::size_t i) { return i % held_out_of == held_out_of - 1; }

// The inliers of the used pairs of the tree's group that are not held out, at most so many of each pair.
std::vector<PairPoints> training(const Tree& tree, const std::vector<VerifiedPair>& pairs) {
  // The matches of a pair that are used, of many images and of few. They bound time and memory; not tuned.
  constexpr std::size_t many_branches = 40, most_of_many = 120, most_of_few = 300;
  const std::size_t most = tree.branches.size() > many_branches ? most_of_many : most_of_few;
  std::vector<int> members{tree.root};
  for (const Tree::Branch& branch : tree.branches) members.push_back(branch.child);
  const auto is_member = [&](int i) { return std::find(members.begin(), members.end(), i) != members.end(); };
  std::vector<PairPoints> list;
  for (const VerifiedPair& pair : pairs) {
    if (pair.report.status != MosaicPairStatus::used || !is_member(pair.report.a)) continue;
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < pair.inliers.in_a.size(); ++i) {
      if (!is_held_out(i)) kept.push_back(i);
    }
    PairPoints points{pair.report.a, pair.report.b, {}, {}, {}, {}};
    const std::size_t count = std::min(most, kept.size());
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = kept[k * kept.size() / count];
      points.add(pair.inliers, i);
    }
    list.push_back(std::move(points));
  }
  return list;
}

// Least squares of the similarity or the affine map that takes `from` to `to`.
cv::Matx33d linear_fit(MosaicModel model, const std::vector<cv::Point2d>& from, const std::vector<cv::Point2d>& to) {
  const bool is_similarity = model == MosaicModel::similarity;
  cv::Mat left = cv::Mat::zeros(2 * static_cast<int>(from.size()), is_similarity ? 4 : 6, CV_64F);
  cv::Mat right(left.rows, 1, CV_64F), x;
  for (int i = 0; i < static_cast<int>(from.size()); ++i) {
    const cv::Point2d& p = from[static_cast<std::size_t>(i)];
    double *u = left.ptr<double>(2 * i), *v = left.ptr<double>(2 * i + 1);
    if (is_similarity) {
      u[0] = p.x, u[1] = -p.y, u[2] = 1;
      v[0] = p.y, v[1] = p.x, v[3] = 1;
    } else {
      u[0] = v[3] = p.x, u[1] = v[4] = p.y, u[2] = v[5] = 1;
    }
    right.at<double>(2 * i) = to[static_cast<std::size_t>(i)].x;
    right.at<double>(2 * i + 1) = to[static_cast<std::size_t>(i)].y;
  }
  cv::solve(left, right, x, cv::DECOMP_SVD);
  const double* n = x.ptr<double>();
  if (is_similarity) return {n[0], -n[1], n[2], n[1], n[0], n[3], 0, 0, 1};
  return {n[0], n[1], n[2], n[3], n[4], n[5], 0, 0, 1};
}

cv::Matx33d nearest_rotation(const cv::Matx33d& m) {
  const cv::SVD svd(cv::Mat(m * (1 / std::cbrt(std::abs(cv::determinant(m))))));
  cv::Matx33d rotation = cv::Matx33d(cv::Mat(svd.u * svd.vt));
  return cv::determinant(rotation) < 0 ? -1.0 * rotation : rotation;
}

class Fitter {
 public:
  Fitter(const Tree& tree, const std::vector<VerifiedPair>& pairs, const std::vector<ImageSize>& sizes)
      : tree_(tree), pairs_(pairs), sizes_(sizes), training_(training(tree, pairs)) {
    std::vector<double> units;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const double unit = half_diagonal(sizes[i]);
      unit_.push_back(unit);
      group_.push_back(0);
      if (!is_member(static_cast<int>(i))) continue;
      const auto same = std::find_if(units.begin(), units.end(), [&](double u) { return std::abs(u - unit) < 1; });
      group_.back() = static_cast<int>(same - units.begin());
      if (same == units.end()) units.push_back(unit);
    }
    groups_ = units.size();
  }

  // The frames of a model without distortion. `simpler` may hold those of the affine model.
  Frames fit(MosaicModel model, const Frames* simpler) const {
    Frames best;
    double best_cost = 0;
    const auto attempt = [&](Frames frames) {
      const double cost = adjust(frames, training_, tree_.root, usual_huber);
      if (!best.base.empty() && cost >= best_cost) return;
      best = std::move(frames);
      best_cost = cost;
    };
    if (model == MosaicModel::rotation) {
      for (const double log_focal : focal_lengths()) attempt(chain(model, log_focal));
      best = with_usual_focal_length(best);
    } else {
      attempt(chain(model, 0));
    }
    if (model == MosaicModel::homography && simpler != nullptr) {
      Frames frames = *simpler;
      frames.model = model;
      attempt(std::move(frames));
    }
    return best;
  }

  // The frames with the distortion of the sizes whose matches determine it; none if there are no such sizes.
  std::optional<Frames> with_distortion(Frames frames) const {
    frames.distortion = true;
    while (frames.held_radial.size() < groups_) {
      Frames fitted = frames;
      adjust(fitted, training_, tree_.root, usual_huber);
      const std::vector<double> deviation = deviation_of(fitted).radial;
      double worst = 1;
      int uncertain = -1;
      for (std::size_t g = 0; g < groups_; ++g) {
        const bool is_held = std::count(frames.held_radial.begin(), frames.held_radial.end(), static_cast<int>(g)) > 0;
        const double k = fitted.radial[g];
        // No lens is at the end of the range: other errors than its own put it there.
        const bool is_at_end = k <= least_radial || k >= largest_radial;
        const double ratio = is_at_end ? far : deviation[g] / std::max(largest_radial_deviation, std::abs(k) / 5);
        if (is_held || ratio <= worst) continue;
        worst = ratio;
        uncertain = static_cast<int>(g);
      }
      if (uncertain < 0) return fitted;
      frames.held_radial.push_back(uncertain);
    }
    return {};
  }

  // The frames of turning cameras with the usual focal length, held, for the sizes whose matches do not determine
  // theirs; these frames themselves if there are no such sizes, or if they predict held-out matches better.
  Frames with_usual_focal_length(const Frames& frames) const {
    const std::vector<double> deviation = deviation_of(frames).log_focal;
    Frames usual = frames;
    for (std::size_t g = 0; g < groups_; ++g) {
      if (deviation[g] <= largest_focal_deviation) continue;
      usual.log_focal[g] = usual_log_focal;
      usual.held_focal.push_back(static_cast<int>(g));
    }
    if (usual.held_focal.empty()) return frames;
    adjust(usual, training_, tree_.root, usual_huber);
    return is_as_good(judged(usual).held_out, judged(frames).held_out) ? usual : frames;
  }

  std::vector<double> uncertainty_of(const Frames& frames) const {
    return uncertainty(frames, training_, tree_.root, usual_huber, sizes_);
  }

  MosaicCandidate judged(const Frames& frames) const {
    MosaicCandidate candidate{frames.model, frames.distortion, parameters_of_group(frames), 0, 0};
    double used = 0, held_out = 0, used_weight = 0, held_out_weight = 0;
    for (const VerifiedPair& pair : pairs_) {
      if (pair.report.status != MosaicPairStatus::used || !is_member(pair.report.a)) continue;
      const std::vector<Distance> list = distances(frames, pair.inliers);
      for (std::size_t i = 0; i < list.size(); ++i) {
        (is_held_out(i / 2) ? held_out : used) += list[i].squared;
        (is_held_out(i / 2) ? held_out_weight : used_weight) += list[i].weight;
      }
    }
    candidate.residual = used_weight > 0 ? std::sqrt(used / used_weight) : 0;
    candidate.held_out = held_out_weight > 0 ? std::sqrt(held_out / held_out_weight) : candidate.residual;
    return candidate;
  }

 private:
  [[nodiscard]] bool is_member(int i) const {
    return i == tree_.root || std::any_of(tree_.branches.begin(), tree_.branches.end(),
                                          [i](const Tree::Branch& branch) { return branch.child == i; });
  }

  [[nodiscard]] int parameters_of_group(const Frames& frames) const {
    const int outside = static_cast<int>(sizes_.size() - tree_.branches.size() - 1);
    return parameters(frames) - outside * own_parameters(frames.model);
  }

  [[nodiscard]] LensDeviation deviation_of(const Frames& frames) const {
    const double error = std::max(judged(frames).held_out, least_error);
    return lens_deviation(frames, training_, tree_.root, usual_huber, error);
  }

  // The pairs of the tree, one after the other from its root.
  Frames chain(MosaicModel model, double log_focal) const {
    Frames frames{model, false, {}, group_, std::vector<double>(groups_, log_focal), std::vector<double>(groups_),
                  unit_};
    frames.base.assign(sizes_.size(), cv::Matx33d::eye());
    for (const Tree::Branch& branch : tree_.branches) {
      const VerifiedPair& pair = pairs_[branch.pair];
      const bool parent_is_b = pair.report.b == branch.parent;
      const auto parent = static_cast<std::size_t>(branch.parent), child = static_cast<std::size_t>(branch.child);
      const auto& from = parent_is_b ? pair.inliers.in_a : pair.inliers.in_b;
      const auto& to = parent_is_b ? pair.inliers.in_b : pair.inliers.in_a;
      const cv::Matx33d pixels = parent_is_b ? pair.b_from_a : pair.b_from_a.inv();
      const cv::Matx33d normalised =
          normalised_from_pixel(sizes_[parent]) * pixels * normalised_from_pixel(sizes_[child]).inv();
      if (model == MosaicModel::homography) {
        frames.base[child] = frames.base[parent] * normalised;
        frames.base[child] = frames.base[child] * (1 / std::cbrt(std::abs(cv::determinant(frames.base[child]))));
        if (frames.base[child](2, 2) < 0) frames.base[child] = -1.0 * frames.base[child];
      } else if (model == MosaicModel::rotation) {
        const double f = std::exp(log_focal);
        const cv::Matx33d focal(f, 0, 0, 0, f, 0, 0, 0, 1);
        frames.base[child] = frames.base[parent] *
                             nearest_rotation(focal.inv() * (normalised(2, 2) < 0 ? -1.0 : 1.0) * normalised * focal);
      } else {
        frames.base[child] = frames.base[parent] * linear_fit(model, from, to);
      }
    }
    return frames;
  }

  // Logarithms of focal lengths to begin with: the median of those that the homographies of the pairs give, and usual
  // ones from wide angle to telephoto.
  std::vector<double> focal_lengths() const {
    std::vector<double> found;
    for (const VerifiedPair& pair : pairs_) {
      if (pair.report.status != MosaicPairStatus::used || !is_member(pair.report.a)) continue;
      const auto a = static_cast<std::size_t>(pair.report.a), b = static_cast<std::size_t>(pair.report.b);
      const cv::Matx33d normalised =
          normalised_from_pixel(sizes_[b]) * pair.b_from_a * normalised_from_pixel(sizes_[a]).inv();
      double f0 = 0, f1 = 0;
      bool has_f0 = false, has_f1 = false;
      cv::detail::focalsFromHomography(cv::Mat(normalised), f0, f1, has_f0, has_f1);
      if (has_f0 && has_f1 && f0 > 0.2 && f1 > 0.2 && f0 < 50 && f1 < 50) found.push_back(std::log(f0 * f1) / 2);
    }
    // Usual ones, in halves of the diagonal: 28 mm and 87 mm before a frame of 36 × 24 mm.
    std::vector<double> list{std::log(1.3), std::log(4.0)};
    if (found.empty()) return list;
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2), found.end());
    list.insert(list.begin(), found[found.size() / 2]);
    return list;
  }

  const Tree& tree_;
  const std::vector<VerifiedPair>& pairs_;
  const std::vector<ImageSize>& sizes_;
  std::vector<PairPoints> training_;
  std::vector<int> group_;
  std::vector<double> unit_;
  std::size_t groups_ = 0;
};

std::string reason_of(const MosaicCandidate& chosen, const std::vector<MosaicCandidate>& all, bool is_forced) {
  if (is_forced) return fmt::format("the model {} was asked for", word(chosen.model));
  double best = chosen.held_out, worse = 0;
  std::string_view simpler;
  for (const MosaicCandidate& one : all) {
    best = std::min(best, one.held_out);
    if (one.model < chosen.model && (simpler.empty() || one.held_out < worse)) {
      simpler = word(one.model);
      worse = one.held_out;
    }
  }
  std::string text =
      fmt::format("{}{} predicts held-out matches within {:.2f} pixels, the best model within {:.2f}",
                  word(chosen.model), chosen.distortion ? " with lens distortion" : "", chosen.held_out, best);
  if (!simpler.empty()) text += fmt::format(", the simpler {} within {:.2f}", simpler, worse);
  return text;
}

}  // namespace

PairError error_of(const Frames& frames, const VerifiedPair& pair) {
  const std::vector<Distance> list = distances(frames, pair.inliers);
  PairError error;
  std::vector<double> pixels;
  double all = 0, weight = 0, held_out = 0, held_out_weight = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    all += list[i].squared;
    weight += list[i].weight;
    if (list[i].weight > 0) pixels.push_back(std::sqrt(list[i].squared / list[i].weight));
    if (!is_held_out(i / 2)) continue;
    held_out += list[i].squared;
    held_out_weight += list[i].weight;
  }
  if (pixels.empty()) return error;
  error.all = std::sqrt(all / weight);
  error.held_out = held_out_weight > 0 ? std::sqrt(held_out / held_out_weight) : error.all;
  std::nth_element(pixels.begin(), pixels.begin() + static_cast<std::ptrdiff_t>(pixels.size() / 2), pixels.end());
  error.median = pixels[pixels.size() / 2];
  return error;
}

namespace {

// Replaces the fits that are better with a lens distortion: by as much as the chosen one would have to be.
void try_distortion(const Fitter& fitter, std::size_t chosen, std::vector<Frames>& fitted,
                    std::vector<MosaicCandidate>& candidates) {
  for (std::size_t i = 0; i < fitted.size(); ++i) {
    std::optional<Frames> frames = fitter.with_distortion(fitted[i]);
    if (!frames) continue;
    const MosaicCandidate candidate = fitter.judged(*frames);
    if (candidate.held_out > distortion_gain * candidates[chosen].held_out) continue;
    fitted[i] = std::move(*frames);
    candidates[i] = candidate;
  }
}

}  // namespace

Choice choose_model(const Tree& tree, const std::vector<VerifiedPair>& pairs, const std::vector<ImageSize>& sizes,
                    const MosaicOptions& options, const ProgressSink& progress) {
  const Fitter fitter(tree, pairs, sizes);
  const bool is_forced = options.model != MosaicModel::automatic;
  std::vector<Frames> fitted;
  Choice choice;
  for (const MosaicModel model :
       {MosaicModel::similarity, MosaicModel::rotation, MosaicModel::affine, MosaicModel::homography}) {
    const bool is_start = is_forced && options.model == MosaicModel::homography && model == MosaicModel::affine;
    if (is_forced && options.model != model && !is_start) continue;
    report(progress, fmt::format("adjusting: {}", word(model)));
    const bool has_affine = !fitted.empty() && fitted.back().model == MosaicModel::affine;
    fitted.push_back(fitter.fit(model, has_affine ? &fitted.back() : nullptr));
    if (is_start) continue;
    choice.candidates.push_back(fitter.judged(fitted.back()));
  }
  if (fitted.size() > choice.candidates.size()) fitted.erase(fitted.begin());
  const auto choose = [&] {
    double best = far;
    for (const MosaicCandidate& one : choice.candidates) best = std::min(best, one.held_out);
    const auto chosen = std::find_if(choice.candidates.begin(), choice.candidates.end(),
                                     [&](const auto& one) { return is_as_good(one.held_out, best); });
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, chosen - choice.candidates.begin())) %
           choice.candidates.size();
  };
  std::size_t chosen = choose();
  if (options.distortion) {
    report(progress, "adjusting: lens distortion");
    try_distortion(fitter, chosen, fitted, choice.candidates);
    chosen = choose();
  }
  choice.uncertainty = fitter.uncertainty_of(fitted[chosen]);
  choice.frames = std::move(fitted[chosen]);
  choice.chosen = choice.candidates[chosen];
  choice.why = reason_of(choice.chosen, choice.candidates, is_forced);
  return choice;
}

}  // namespace octavo::mosaic
