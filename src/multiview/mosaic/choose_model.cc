// The choice between models by matches that were held out from their estimation. A model with more parameters always
// explains the matches from which it is made better, but not those that it has not seen (cross-validation; Stone,
// 1974). The simplest model that predicts them nearly as well as the best is taken: it errs least between the matches
// and over many images.

#include "multiview/mosaic/choose_model.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "multiview/geometry/visible_part.h"
#include "multiview/mosaic/adjustment.h"
#include "multiview/mosaic/known_lenses.h"
#include "multiview/mosaic/projection.h"
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
// The same of a focal length for each image of a turning camera; a guess.
constexpr double own_focal_gain = 0.7;

// What the deviations of a lens's numbers may be (LensDeviation), of the distortion also a fifth of itself; the places
// of matches are not known better than the least error. A number that is less certain is not fitted: with hardly any
// motion between the images, an error of a tenth of a pixel would bend the whole mosaic. A distortion of 0.02 moves
// the corners by 2 % of half the diagonal; a deviation of 0.5 of the logarithm is a factor of 1.6 of the focal length.
// A lens that pairs know (KnownLenses) is seen by the number of matches that it explains: half of itself is enough.
// All are guesses that the tests of lenses hold (lens_test.cc).
constexpr double largest_radial_deviation = 0.02, largest_focal_deviation = 0.5;
constexpr double least_error = 0.05;  // [pixel]

// Where a turning camera explains the images nearly as well as the best model, it is one: its hand moves a little, and
// near things are displaced by a few pixels, which a model with more parameters bends the images to follow. Its error
// may be a factor of the best one's and some more [pixel]; of a wide view, which a plane would draw bowed, also a part
// of half the diagonal, but not if the camera would have to zoom from image to image as well. Neither is a narrow view
// one, nor a wide one by this part, if a similarity or an affine map shows it better: scans with a few pixels of
// perspective. Of a wide view that it explains twice as well as these, the part is larger: near things that
// homographies follow one by one, as a lawn before the feet, lead to a plane that cannot be drawn. Of wide panoramas,
// rendered and real, that need it a turning camera has at most 0.28 of the error of these maps; of perspective tiles,
// pages and flights 0.95 and more. Guesses, with which hand-held panoramas are turning cameras, and scans, posters and
// made tiles are not.
constexpr double turning_factor = 2, turning_more = 0.5, turning_part = 0.005;
constexpr double clearly_turning = 0.5, clear_factor = 5, clear_part = 0.015;
constexpr double wide_view = 50 * std::numbers::pi / 180;

bool is_as_good(double held_out, double best) { return held_out <= as_good_factor * best + as_good_more; }

bool is_held_out(std::size_t i) { return i % held_out_of == held_out_of - 1; }

// The matches that are used of a pair, of many images and of few; of all pairs where models are compared, but for the
// least of each. They bound time and memory; not tuned.
constexpr std::size_t many_branches = 40, most_of_many = 120, most_of_few = 300;
constexpr std::size_t most_to_compare = 60'000, least_of_each = 30;

// The inliers of the used pairs of the tree's group that are not held out, at most so many of each pair.
std::vector<PairPoints> training(const Tree& tree, const std::vector<VerifiedPair>& pairs, std::size_t most) {
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

// Least squares of the similarity or the affine map that takes `from` to `to`; two points determine no affine map.
// By Eigen: OpenCV gives large matrices to LAPACK, where there is one, whose threads may add in another order each
// time.
cv::Matx33d linear_fit(MosaicModel model, const std::vector<cv::Point2d>& from, const std::vector<cv::Point2d>& to) {
  const bool is_similarity = model == MosaicModel::similarity || from.size() < 3;
  Eigen::MatrixXd left = Eigen::MatrixXd::Zero(2 * std::ssize(from), is_similarity ? 4 : 6);
  Eigen::VectorXd right(left.rows());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const cv::Point2d& p = from[i];
    const auto u = static_cast<Eigen::Index>(2 * i), v = u + 1;
    if (is_similarity) {
      left.row(u) << p.x, -p.y, 1, 0;
      left.row(v) << p.y, p.x, 0, 1;
    } else {
      left.row(u) << p.x, p.y, 1, 0, 0, 0;
      left.row(v) << 0, 0, 0, p.x, p.y, 1;
    }
    right[u] = to[i].x;
    right[v] = to[i].y;
  }
  const Eigen::VectorXd n = left.completeOrthogonalDecomposition().solve(right);
  if (is_similarity) return {n[0], -n[1], n[2], n[1], n[0], n[3], 0, 0, 1};
  return {n[0], n[1], n[2], n[3], n[4], n[5], 0, 0, 1};
}

class Fitter {
 public:
  Fitter(const Tree& tree, const std::vector<VerifiedPair>& pairs, const Cameras& cameras)
      : tree_(tree),
        pairs_(pairs),
        sizes_(cameras.sizes),
        exact_(training(tree, pairs, tree.branches.size() > many_branches ? most_of_many : most_of_few)) {
    training_ = exact_.size() * most_of_many <= most_to_compare
                    ? exact_
                    : training(tree, pairs, std::max(least_of_each, most_to_compare / exact_.size()));
    std::vector<double> units;
    std::vector<std::vector<double>> known;  // of each of these
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const double unit = half_diagonal(sizes_[i]);
      unit_.push_back(unit);
      group_.push_back(0);
      if (!is_member(static_cast<int>(i))) continue;
      const auto same = std::find_if(units.begin(), units.end(), [&](double u) { return std::abs(u - unit) < 1; });
      group_.back() = static_cast<int>(same - units.begin());
      known.resize(std::max(known.size(), static_cast<std::size_t>(group_.back()) + 1));
      if (same == units.end()) units.push_back(unit);
      if (const auto focal = cameras.focal_lengths[i]) {
        known[static_cast<std::size_t>(group_.back())].push_back(std::log(*focal / unit));
      }
    }
    groups_ = units.size();
    for (std::vector<double>& of_size : known) {
      const auto middle = of_size.begin() + std::ssize(of_size) / 2;
      std::nth_element(of_size.begin(), middle, of_size.end());
      known_log_focal_.push_back(of_size.empty() ? std::optional<double>() : *middle);
    }
    lenses_ = known_lenses(tree, pairs, sizes_, group_, groups_);
  }

  // The points of the image that has fewest.
  [[nodiscard]] std::size_t fewest_points() const {
    std::vector<std::size_t> count(sizes_.size());
    for (const PairPoints& pair : exact_) {
      for (const int image : {pair.a, pair.b}) count[static_cast<std::size_t>(image)] += pair.in_a.size();
    }
    std::erase(count, std::size_t{0});  // those of no member
    return std::ranges::min(count);
  }

  // The frames of a model without distortion, from those of an earlier fit if they fit these images. `simpler` may
  // hold those of the affine model.
  Frames fit(MosaicModel model, const Frames* simpler, const std::vector<Frames>& earlier) const {
    if (std::optional<Frames> frames = beginning(model, earlier)) {
      adjust(*frames, training_, tree_.root, usual_huber, to_compare);
      return model == MosaicModel::rotation ? with_expected_focal_length(*frames) : *frames;
    }
    Frames best;
    double best_cost = 0;
    const auto attempt = [&](Frames frames) {
      const double cost = adjust(frames, training_, tree_.root, usual_huber, to_compare);
      if (!best.base.empty() && cost >= best_cost) return;
      best = std::move(frames);
      best_cost = cost;
    };
    if (model == MosaicModel::rotation) {
      for (Frames& frames : turning_cameras(false)) attempt(std::move(frames));
      best = with_expected_focal_length(best);
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
  std::optional<Frames> with_distortion(Frames frames, const std::vector<Frames>& earlier) const {
    frames.distortion = true;
    const auto before = std::ranges::find(earlier, frames.model, &Frames::model);
    if (lenses_ && frames.group == group_ && frames.model != MosaicModel::similarity &&
        frames.model != MosaicModel::affine) {
      frames = with_known_lenses(frames);
    } else if (before != earlier.end() && before->radial.size() == frames.radial.size()) {
      frames.radial = before->radial;
    }
    while (frames.held_radial.size() < frames.radial.size()) {
      Frames fitted = frames;
      adjust(fitted, training_, tree_.root, usual_huber, to_compare);
      const std::vector<int> uncertain = uncertain_distortions(fitted);
      if (uncertain.empty()) return fitted;
      frames.held_radial.insert(frames.held_radial.end(), uncertain.begin(), uncertain.end());
    }
    return {};
  }

  // The frames that fit best of those that begin with the lenses that pairs know.
  Frames with_known_lenses(const Frames& frames) const {
    const bool turns = frames.model == MosaicModel::rotation;
    std::vector<Frames> starts =
        turns ? turning_cameras(false, true) : std::vector{chain(frames.model, 0, false, true)};
    starts.push_back(frames);
    starts.back().radial = lenses_->radial;
    std::vector<double> cost;
    for (Frames& start : starts) cost.push_back(adjust(start, training_, tree_.root, usual_huber, to_compare));
    const Frames& best = starts[static_cast<std::size_t>(std::ranges::min_element(cost) - cost.begin())];
    return turns ? with_expected_focal_length(best) : best;
  }

  // The frames of turning cameras with the focal length of EXIF data, or else a usual one, held, for the sizes whose
  // matches do not determine theirs; these frames themselves if there are no such sizes, or if they predict held-out
  // matches better.
  Frames with_expected_focal_length(const Frames& frames) const {
    const std::vector<double> deviation = deviation_of(frames).log_focal;
    Frames usual = frames;
    for (std::size_t g = 0; g < deviation.size(); ++g) {
      if (deviation[g] <= largest_focal_deviation) continue;
      usual.log_focal[g] = known_log_focal_[g].value_or(usual_log_focal);
      usual.held_focal.push_back(static_cast<int>(g));
    }
    if (usual.held_focal.empty()) return frames;
    adjust(usual, training_, tree_.root, usual_huber, to_compare);
    return is_as_good(judged(usual).held_out, judged(frames).held_out) ? usual : frames;
  }

  // The frames of turning cameras with a focal length for each image, if they predict held-out matches clearly better:
  // one that zooms between two images.
  Frames with_own_focal_lengths(const Frames& shared) const {
    Frames own;
    double least = 0;
    for (Frames& frames : turning_cameras(true)) {
      const double cost = adjust(frames, training_, tree_.root, usual_huber, to_compare);
      if (!own.base.empty() && cost >= least) continue;
      own = std::move(frames);
      least = cost;
    }
    return judged(own).held_out <= own_focal_gain * judged(shared).held_out ? own : shared;
  }

  // Adjusts frames to the end.
  void place(Frames& frames) const { adjust(frames, exact_, tree_.root, usual_huber); }

  // Whether a plane can show the images of these frames: each corner lies in front of the reference's plane, and is
  // drawn at most so many times as large as the reference.
  bool is_drawable(const Frames& frames) const {
    constexpr double largest = 8;  // a camera that turns by 70° draws its middle so large; a guess
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (!is_member(static_cast<int>(i))) continue;
      const cv::Matx33d frame = frames.frame(i);
      for (const cv::Vec3d& corner : corners_of(i)) {
        if (!((frame * corner)[2] > 0)) return false;
        const cv::Matx22d slope = planes::local_affinity(frame, {corner[0], corner[1]});
        if (!(std::abs(cv::determinant(slope)) <= largest * largest)) return false;
      }
    }
    return true;
  }

  // Whether these frames of turning cameras, which predict held-out matches within so many pixels, explain the images
  // where the best model predicts them within `best`, and the best of the models that cannot turn within `flat`.
  bool is_turning(const Frames& frames, double held_out, double best, double flat, bool is_drawable) const {
    if (!frames.held_focal.empty()) return false;
    const bool is_wide = view_of(frames) >= wide_view;
    if (held_out <= turning_factor * best + turning_more) return is_wide || held_out < flat;
    if (!is_wide || held_out >= flat) return false;
    const double unit = unit_[static_cast<std::size_t>(tree_.root)];
    const bool is_clear = held_out <= clearly_turning * flat && held_out <= clear_factor * best;
    return is_clear || !is_drawable ? held_out <= clear_part * unit
                                    : frames.group == group_ && held_out <= turning_part * unit;
  }

  std::vector<double> uncertainty_of(const Frames& frames) const {
    return uncertainty(frames, exact_, tree_.root, usual_huber, sizes_);
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

  // The sizes whose fitted distortion the matches do not determine: the worst, and those that are about as uncertain.
  [[nodiscard]] std::vector<int> uncertain_distortions(const Frames& fitted) const {
    constexpr double about = 0.5;  // of the worst; it bounds the fits where each image has a lens of its own; not tuned
    const std::vector<double> deviation = deviation_of(fitted).radial;
    std::vector<double> ratio(deviation.size());
    for (std::size_t g = 0; g < ratio.size(); ++g) {
      const double k = fitted.radial[g];
      const bool is_known = lenses_ && fitted.group == group_ && lenses_->radial[g] != 0;
      // No lens is at the end of the range: other errors than its own put it there.
      const bool is_at_end = k <= least_radial || k >= largest_radial;
      ratio[g] = is_at_end ? far : deviation[g] / std::max(largest_radial_deviation, std::abs(k) / (is_known ? 2 : 5));
    }
    for (const int held : fitted.held_radial) ratio[static_cast<std::size_t>(held)] = 0;
    const double least = std::max(1.0, about * *std::ranges::max_element(ratio));
    std::vector<int> list;
    for (std::size_t g = 0; g < ratio.size(); ++g) {
      if (ratio[g] > least) list.push_back(static_cast<int>(g));
    }
    return list;
  }

  // The frames of an earlier fit without its distortion. None where its reference or its focal lengths are others, or
  // were not known.
  [[nodiscard]] std::optional<Frames> beginning(MosaicModel model, const std::vector<Frames>& earlier) const {
    const auto before = std::ranges::find(earlier, model, &Frames::model);
    if (before == earlier.end() || before->group != group_ || !before->held_focal.empty()) return {};
    if (before->base[static_cast<std::size_t>(tree_.root)] != cv::Matx33d::eye()) return {};
    Frames frames = *before;
    frames.distortion = false;
    frames.radial.assign(groups_, 0);
    frames.held_radial.clear();
    return frames;
  }

  // The pairs of the tree, one after the other from its root; with the lenses that they know.
  Frames chain(MosaicModel model, double log_focal, bool has_own = false, bool has_lenses = false) const {
    Frames frames{model, has_lenses, {}, group_, std::vector<double>(groups_, log_focal), std::vector<double>(groups_),
                  unit_};
    if (has_lenses) frames.radial = lenses_->radial;
    frames.base.assign(sizes_.size(), cv::Matx33d::eye());
    if (has_own) {
      int members = 0;
      for (std::size_t i = 0; i < sizes_.size(); ++i) frames.group[i] = is_member(static_cast<int>(i)) ? members++ : 0;
      frames.log_focal.assign(static_cast<std::size_t>(members), log_focal);
      frames.radial.assign(static_cast<std::size_t>(members), 0);
    }
    for (const Tree::Branch& branch : tree_.branches) {
      const VerifiedPair& pair = pairs_[branch.pair];
      const bool parent_is_b = pair.report.b == branch.parent;
      const auto parent = static_cast<std::size_t>(branch.parent), child = static_cast<std::size_t>(branch.child);
      const auto& from = parent_is_b ? pair.inliers.in_a : pair.inliers.in_b;
      const auto& to = parent_is_b ? pair.inliers.in_b : pair.inliers.in_a;
      const cv::Matx33d pixels = parent_is_b ? pair.b_from_a : pair.b_from_a.inv();
      const cv::Matx33d normalised =
          has_lenses ? lenses_->parent_from_child[static_cast<std::size_t>(&branch - tree_.branches.data())]
                     : normalised_from_pixel(sizes_[parent]) * pixels * normalised_from_pixel(sizes_[child]).inv();
      if (model == MosaicModel::homography) {
        frames.base[child] = frames.base[parent] * normalised;
        frames.base[child] = frames.base[child] * (1 / std::cbrt(std::abs(cv::determinant(frames.base[child]))));
        if (frames.base[child](2, 2) < 0) frames.base[child] = -1.0 * frames.base[child];
      } else if (model == MosaicModel::rotation) {
        const double f = std::exp(frames.log_focal[static_cast<std::size_t>(frames.group[parent])]);
        double& of_child = frames.log_focal[static_cast<std::size_t>(frames.group[child])];
        // K_parent⁻¹·H = λ·R·K_child⁻¹: the columns of R have one length.
        const cv::Matx33d seen =
            cv::Matx33d(1 / f, 0, 0, 0, 1 / f, 0, 0, 0, 1) * (normalised(2, 2) < 0 ? -1.0 : 1.0) * normalised;
        if (has_own) of_child = std::log(2 * cv::norm(seen.col(2)) / (cv::norm(seen.col(0)) + cv::norm(seen.col(1))));
        const double g = std::exp(of_child);
        frames.base[child] = frames.base[parent] * nearest_rotation(seen * cv::Matx33d(g, 0, 0, 0, g, 0, 0, 0, 1));
      } else {
        frames.base[child] = frames.base[parent] * linear_fit(model, from, to);
      }
    }
    return frames;
  }

  [[nodiscard]] std::array<cv::Vec3d, 4> corners_of(std::size_t i) const {
    const double x = sizes_[i].width / 2.0 / unit_[i], y = sizes_[i].height / 2.0 / unit_[i];
    return {cv::Vec3d(-x, -y, 1), cv::Vec3d(x, -y, 1), cv::Vec3d(x, y, 1), cv::Vec3d(-x, y, 1)};
  }

  // The angle [radian] of the cone around the mean direction that holds all corners of turning cameras' images.
  double view_of(const Frames& frames) const {
    std::vector<cv::Vec3d> rays;
    cv::Vec3d mean(0, 0, 0);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (!is_member(static_cast<int>(i))) continue;
      for (const cv::Vec3d& corner : corners_of(i)) {
        mean += rays.emplace_back(cv::normalize(frames.frame(i) * corner));
      }
    }
    double least = 1;
    for (const cv::Vec3d& ray : rays) least = std::min(least, ray.dot(mean) / cv::norm(mean));
    return 2 * std::acos(std::clamp(least, -1.0, 1.0));
  }

  // The loss [pixel²] of the matches in frames that are not adjusted.
  double loss_of(const Frames& frames) const {
    double sum = 0;
    for (const PairPoints& pair : training_) {
      for (const Distance& distance : distances(frames, pair)) {
        const double r = std::sqrt(distance.squared);
        sum += r <= usual_huber ? r * r : usual_huber * (2 * r - usual_huber);
      }
    }
    return sum;
  }

  // Turning cameras to begin with, those of least loss first: their focal lengths are scanned from wide angle to
  // telephoto, and that of EXIF data is tried, since an adjustment that begins far from the right one ends in another
  // minimum.
  std::vector<Frames> turning_cameras(bool has_own, bool has_lenses = false) const {
    // In halves of the diagonal: 11 mm to 350 mm before a frame of 36 × 24 mm, in steps of a factor of 1.19.
    constexpr double shortest = 0.5, longest = 16;
    constexpr int steps = 20;
    constexpr std::size_t tried = 2;  // the adjustments that begin there; not tuned
    std::vector<double> starts;
    const auto of_root = static_cast<std::size_t>(group_[static_cast<std::size_t>(tree_.root)]);
    if (known_log_focal_[of_root]) starts.push_back(*known_log_focal_[of_root]);
    for (int k = 0; k <= steps; ++k) starts.push_back(std::log(shortest) + std::log(longest / shortest) * k / steps);
    std::ranges::sort(starts);
    std::vector<Frames> list;
    std::vector<double> loss;
    for (const double log_focal : starts) {
      list.push_back(chain(MosaicModel::rotation, log_focal, has_own, has_lenses));
      loss.push_back(loss_of(list.back()));
    }
    std::vector<std::size_t> minima;
    for (std::size_t k = 0; k < loss.size(); ++k) {
      const bool is_minimum = (k == 0 || loss[k] <= loss[k - 1]) && (k + 1 == loss.size() || loss[k] < loss[k + 1]);
      if (is_minimum) minima.push_back(k);
    }
    std::stable_sort(minima.begin(), minima.end(), [&](std::size_t x, std::size_t y) { return loss[x] < loss[y]; });
    std::vector<Frames> best;
    for (std::size_t k = 0; k < std::min(tried, minima.size()); ++k) best.push_back(std::move(list[minima[k]]));
    return best;
  }

  const Tree& tree_;
  const std::vector<VerifiedPair>& pairs_;
  const std::vector<ImageSize>& sizes_;
  std::vector<PairPoints> exact_, training_;  // to place the images, and to compare models
  std::vector<int> group_;
  std::vector<double> unit_;
  std::size_t groups_ = 0;
  std::optional<KnownLenses> lenses_;
  std::vector<std::optional<double>> known_log_focal_;  // of each size, by EXIF data
};

std::string reason_of(const MosaicCandidate& chosen, const std::vector<MosaicCandidate>& all,
                      const MosaicOptions& options) {
  if (options.model != MosaicModel::automatic) return fmt::format("the model {} was asked for", word(chosen.model));
  if (needs_turning_camera(options.projection)) {
    return fmt::format("the projection {} was asked for, which is for a turning camera", word(options.projection));
  }
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

// Fits of several models, and how good they are.
struct Fits {
  std::vector<Frames> frames;
  std::vector<MosaicCandidate> candidates;  // of each
};

// Fits the model that is wanted, or all.
Fits fit_models(const Fitter& fitter, MosaicModel wanted, const std::vector<Frames>& earlier,
                const ProgressSink& progress) {
  // Three points, which are set by hand, agree with an affine map wherever they are, and nearly with a turning camera.
  constexpr std::size_t fewest = 4;
  const bool is_similarity = wanted == MosaicModel::automatic && fitter.fewest_points() < fewest;
  Fits fits;
  std::optional<Frames> affine;  // a homography starts from it
  for (const MosaicModel model :
       {MosaicModel::similarity, MosaicModel::rotation, MosaicModel::affine, MosaicModel::homography}) {
    const bool is_start = wanted == MosaicModel::homography && model == MosaicModel::affine;
    if (wanted != MosaicModel::automatic && wanted != model && !is_start) continue;
    if (is_similarity && model != MosaicModel::similarity) continue;
    report(progress, fmt::format("adjusting: {}", word(model)));
    Frames frames = fitter.fit(model, affine ? &*affine : nullptr, earlier);
    if (model == MosaicModel::affine) affine = frames;
    if (is_start) continue;
    fits.candidates.push_back(fitter.judged(frames));
    fits.frames.push_back(std::move(frames));
  }
  return fits;
}

// The first fit that is about as good as the best, or that a turning camera explains.
std::size_t chosen_of(const Fitter& fitter, const Fits& fits) {
  double best = far, flat = far;
  bool is_drawable = true;
  for (const Frames& frames : fits.frames) {
    if (frames.model == MosaicModel::homography) is_drawable = fitter.is_drawable(frames);
  }
  for (const MosaicCandidate& one : fits.candidates) {
    best = std::min(best, one.held_out);
    const bool is_flat = one.model == MosaicModel::similarity || one.model == MosaicModel::affine;
    if (is_flat) flat = std::min(flat, one.held_out);
  }
  for (std::size_t i = 0; i < fits.frames.size(); ++i) {
    const double held_out = fits.candidates[i].held_out;
    const Frames& frames = fits.frames[i];
    const bool turns =
        frames.model == MosaicModel::rotation && fitter.is_turning(frames, held_out, best, flat, is_drawable);
    if (turns || is_as_good(held_out, best)) return i;
  }
  return 0;
}

// Focal lengths of their own take as long as all the rest: they are tried where a simpler model is not good enough.
void try_own_focal_lengths(const Fitter& fitter, Fits& fits, std::size_t chosen) {
  const auto rotation = std::ranges::find(fits.frames, MosaicModel::rotation, &Frames::model);
  if (rotation == fits.frames.end() || fits.frames[chosen].model < MosaicModel::rotation) return;
  *rotation = fitter.with_own_focal_lengths(*rotation);
  fits.candidates[static_cast<std::size_t>(rotation - fits.frames.begin())] = fitter.judged(*rotation);
}

// Replaces the fits that are clearly better with a lens distortion.
void try_distortion(const Fitter& fitter, Fits& fits, const std::vector<Frames>& earlier) {
  // No lens makes a model so many times as far off as another one; a guess, which saves time.
  constexpr double hopeless = 10;
  const double best = std::ranges::min(fits.candidates, {}, &MosaicCandidate::held_out).held_out;
  for (std::size_t i = 0; i < fits.frames.size(); ++i) {
    if (fits.candidates[i].held_out > hopeless * std::max(best, least_error)) continue;
    std::optional<Frames> frames = fitter.with_distortion(fits.frames[i], earlier);
    if (!frames) continue;
    const MosaicCandidate candidate = fitter.judged(*frames);
    if (candidate.held_out > distortion_gain * fits.candidates[i].held_out) continue;
    fits.frames[i] = std::move(*frames);
    fits.candidates[i] = candidate;
  }
}

}  // namespace

Choice choose_model(const Tree& tree, const std::vector<VerifiedPair>& pairs, const Cameras& cameras,
                    const MosaicOptions& options, std::vector<Frames>& earlier, const ProgressSink& progress) {
  const Fitter fitter(tree, pairs, cameras);
  const bool is_asked_for = options.model == MosaicModel::automatic && needs_turning_camera(options.projection);
  Fits fits = fit_models(fitter, is_asked_for ? MosaicModel::rotation : options.model, earlier, progress);
  try_own_focal_lengths(fitter, fits, chosen_of(fitter, fits));
  if (options.distortion) {
    report(progress, "adjusting: lens distortion");
    try_distortion(fitter, fits, earlier);
  }
  const std::size_t chosen = chosen_of(fitter, fits);
  fitter.place(fits.frames[chosen]);
  fits.candidates[chosen] = fitter.judged(fits.frames[chosen]);
  Choice choice;
  choice.uncertainty = fitter.uncertainty_of(fits.frames[chosen]);
  choice.frames = fits.frames[chosen];
  choice.chosen = fits.candidates[chosen];
  choice.candidates = std::move(fits.candidates);
  for (Frames& frames : fits.frames) {
    std::erase_if(earlier, [&](const Frames& other) { return other.model == frames.model; });
    earlier.push_back(std::move(frames));
  }
  choice.why = reason_of(choice.chosen, choice.candidates, options);
  return choice;
}

}  // namespace octavo::mosaic
