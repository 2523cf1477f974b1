// SIFT stage by stage. The device's engine computes the stages. Masks, canonical order and budgets are the same for all
// devices and are applied between the stages.

#include "engine/sift/detector_staged.h"

#include <algorithm>
#include <utility>

#include "engine/core/canonical_order.h"
#include "engine/device/stage_clock.h"
#include "engine/extract/best_first.h"
#include "engine/extract/selection.h"
#include "engine/scale_space/plan.h"
#include "engine/sift/keypoint.h"
#include "engine/sift/pooling.h"
#include "engine/sift/usual_keypoints.h"

namespace octavo {

namespace {

class StagedSiftDetector : public Detector {
 public:
  StagedSiftDetector(const SiftParts& parts, std::unique_ptr<SiftEngine> engine)
      : parts_(parts), engine_(std::move(engine)) {}

  void begin(const DetectorJob& job) override {
    times_.clear();
    StageClock watch(job.timed ? &times_ : nullptr);
    if (is_in_parts()) return describe_parts(job, watch);

    std::vector<Oriented> extrema = wanted(engine_->detect_for_visits(job.image), job.mask);
    if (parts_.budget.of_points) keep(chosen(extrema, job.image), extrema);
    watch.lap("scale space and extrema");

    Keypoints keypoints = keypoints_of_best(job.image, extrema, watch);
    if (!is_one_visit()) {
      keep(chosen(keypoints.points, job.image), keypoints.points);
      watch.lap("selection");
      keypoints = described(job.image, keypoints.points, watch);
    }
    features_ = in_canonical_order(keypoints);
    if (!parts_.budget.of_points) keep(job.image, features_);
    watch.lap("selection");
  }

  DetectedFeatures finish(std::vector<StageTime>* times) override {
    if (times) *times = times_;
    return {std::move(features_), nullptr};
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool) const override {
    MemoryNeed need = is_in_parts() ? engine_->memory_for_parts(image) : engine_->memory_for_visits(image);
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
    if (plan.octaves.empty()) return need;
    const Size first = plan.octaves.front();
    need.usual.host += bytes_of_point *
                       usual_keypoints(static_cast<std::size_t>(first.width) * static_cast<std::size_t>(first.height));
    return need;
  }

 private:
  // [byte] of the lists of `begin` for each keypoint: extrema in both of their lists, points before and after
  // orientation in vectors that doubled, the pairs that are sorted, and features.
  static constexpr std::size_t bytes_of_point = 2 * sizeof(Extremum) + 4 * sizeof(Oriented) + sizeof(Orientations) +
                                                sizeof(std::pair<Keypoint, Oriented>) + 2 * sizeof(Keypoint) +
                                                sizeof(std::size_t) + descriptor_length;

  // Whether points are described as soon as they are found: all are kept, and none reads images of other octaves.
  [[nodiscard]] bool is_in_parts() const {
    return parts_.budget.max_features == 0 && parts_.description.pool == 0 &&
           !has_orientation_windows(parts_.description);
  }

  // Whether points get their orientations and their descriptors in one visit: hardly any keypoint is dropped after it.
  [[nodiscard]] bool is_one_visit() const {
    const Budget& budget = parts_.budget;
    const bool is_one_each = parts_.description.upright || parts_.description.max_orientations == 1;
    return budget.max_features == 0 || budget.of_points || (budget.is_for_whole_image() && is_one_each);
  }

  struct Keypoints {
    std::vector<Oriented> points;
    std::vector<std::uint8_t> descriptors;  // of the points; empty if they have none yet
  };

  void describe_parts(const DetectorJob& job, StageClock& watch) {
    Keypoints all;
    engine_->detect_in_parts(job.image, [&](int octave, const std::vector<Extremum>& found) {
      std::vector<Oriented> points;
      add_wanted(octave, found, job.mask, points);
      watch.lap("scale space and extrema");
      add_described(with_orientations(std::move(points), watch), all, watch);
    });
    features_ = in_canonical_order(all);
    watch.lap("selection");
  }

  void add_described(const std::vector<Oriented>& points, Keypoints& all, StageClock& watch) {
    const std::size_t before = all.descriptors.size();
    all.descriptors.resize(before + points.size() * descriptor_length);
    engine_->describe(points, all.descriptors.data() + before);
    all.points.insert(all.points.end(), points.begin(), points.end());
    watch.lap("descriptor");
  }

  // Visits points; `work` gets some of them at a time.
  template <class Work>
  void visit(const ImageView& image, const std::vector<Oriented>& points, StageClock& watch, const Work& work) {
    engine_->visit(image, points, [&](const std::vector<std::size_t>& indices) {
      std::vector<Oriented> some;
      some.reserve(indices.size());
      for (const std::size_t i : indices) some.push_back(points[i]);
      watch.lap("scale space and extrema");
      work(std::move(some));
    });
  }

  Keypoints described(const ImageView& image, const std::vector<Oriented>& points, StageClock& watch) {
    Keypoints all;
    visit(image, points, watch, [&](const std::vector<Oriented>& some) { add_described(some, all, watch); });
    return all;
  }

  Features in_canonical_order(const Keypoints& all) const {
    std::vector<std::pair<Keypoint, std::size_t>> order;
    order.reserve(all.points.size());
    for (std::size_t i = 0; i < all.points.size(); ++i) order.emplace_back(keypoint_of(all.points[i], parts_), i);
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return canonically_before(a.first, b.first); });
    Features features;
    features.keypoints.reserve(order.size());
    features.descriptors.reserve(all.descriptors.size());
    for (const auto& [keypoint, i] : order) {
      features.keypoints.push_back(keypoint);
      const auto bytes = all.descriptors.begin() + static_cast<std::ptrdiff_t>(i * descriptor_length);
      features.descriptors.insert(features.descriptors.end(), bytes, bytes + descriptor_length);
    }
    return features;
  }

  std::vector<Oriented> wanted(const std::vector<std::vector<Extremum>>& octaves, const ImageView* mask) const {
    std::vector<Oriented> points;
    std::size_t count = 0;
    for (const std::vector<Extremum>& found : octaves) count += found.size();
    points.reserve(count);
    for (std::size_t o = 0; o < octaves.size(); ++o) add_wanted(static_cast<int>(o), octaves[o], mask, points);
    return points;
  }

  void add_wanted(int octave, const std::vector<Extremum>& found, const ImageView* mask,
                  std::vector<Oriented>& points) const {
    for (const Extremum& e : found) {
      const Oriented point{octave, e, scale_of(e, parts_.scale_space), 0};
      const Keypoint k = keypoint_of(point, parts_);
      if (!mask || inside(*mask, k.x, k.y)) points.push_back(point);
    }
  }

  // The keypoints of the extrema. With a budget for the whole image, extrema that rank behind it get no shape and no
  // orientations: a point's keypoints have its rank. Most points have a keypoint or more, but not all.
  Keypoints keypoints_of_best(const ImageView& image, const std::vector<Oriented>& extrema, StageClock& watch) {
    const std::size_t budget =
        parts_.budget.is_for_whole_image() ? static_cast<std::size_t>(parts_.budget.max_features) : extrema.size();
    Keypoints keypoints;
    const auto add = [&](const std::vector<Oriented>& points) {
      visit(image, points, watch, [&](std::vector<Oriented> some) {
        some = with_orientations(std::move(some), watch);
        if (is_one_visit()) return add_described(some, keypoints, watch);
        keypoints.points.insert(keypoints.points.end(), some.begin(), some.end());
      });
    };
    if (extrema.size() <= budget) {
      add(extrema);
      return keypoints;
    }
    std::vector<float> scores;
    scores.reserve(extrema.size());
    for (const Oriented& e : extrema) scores.push_back(rank_score(keypoint_of(e, parts_), parts_.budget.rank));
    for (BestFirst best(std::move(scores)); keypoints.points.size() < budget && !best.is_empty();) {
      std::vector<Oriented> part;
      for (const std::size_t i : best.take(budget - keypoints.points.size())) part.push_back(extrema[i]);
      add(part);
    }
    return keypoints;
  }

  std::vector<Oriented> with_orientations(std::vector<Oriented> extrema, StageClock& watch) {
    if (parts_.description.affine) {
      engine_->fit_shapes(extrema);
      watch.lap("shape");
    }
    if (parts_.description.upright) return extrema;
    const std::vector<Orientations> orientations = engine_->orient(extrema);
    watch.lap("orientation");
    std::vector<Oriented> oriented;
    for (std::size_t i = 0; i < extrema.size(); ++i) {
      for (int k = 0; k < orientations[i].count; ++k) {
        oriented.push_back(extrema[i]);
        oriented.back().turns = orientations[i].turns[static_cast<std::size_t>(k)];
      }
    }
    return oriented;
  }

  // Drops the features that the budget does not keep. They are in canonical order.
  void keep(const ImageView& image, Features& features) const {
    const std::vector<std::size_t> indices = select(features.keypoints, image.width, image.height, parts_.budget);
    for (std::size_t i = 0; i < indices.size(); ++i) {
      features.keypoints[i] = features.keypoints[indices[i]];
      std::copy_n(features.descriptors.begin() + static_cast<std::ptrdiff_t>(indices[i] * descriptor_length),
                  descriptor_length, features.descriptors.begin() + static_cast<std::ptrdiff_t>(i * descriptor_length));
    }
    features.keypoints.resize(indices.size());
    features.descriptors.resize(indices.size() * descriptor_length);
  }

  // Indices ascend, so nothing unread is overwritten.
  static void keep(const std::vector<std::size_t>& indices, std::vector<Oriented>& points) {
    for (std::size_t i = 0; i < indices.size(); ++i) points[i] = points[indices[i]];
    points.resize(indices.size());
  }

  // Sorts into canonical order and returns the indices that the budget keeps.
  std::vector<std::size_t> chosen(std::vector<Oriented>& oriented, const ImageView& image) const {
    return select(sorted_keypoints(oriented), image.width, image.height, parts_.budget);
  }

  // Sorts into canonical order and returns the keypoints.
  std::vector<Keypoint> sorted_keypoints(std::vector<Oriented>& oriented) const {
    std::vector<std::pair<Keypoint, Oriented>> both;
    both.reserve(oriented.size());
    for (const Oriented& o : oriented) both.emplace_back(keypoint_of(o, parts_), o);
    std::sort(both.begin(), both.end(),
              [](const auto& a, const auto& b) { return canonically_before(a.first, b.first); });
    std::vector<Keypoint> keypoints;
    keypoints.reserve(both.size());
    for (std::size_t i = 0; i < both.size(); ++i) {
      keypoints.push_back(both[i].first);
      oriented[i] = both[i].second;
    }
    return keypoints;
  }

  SiftParts parts_;
  std::unique_ptr<SiftEngine> engine_;
  std::vector<StageTime> times_;
  Features features_;
};

}  // namespace

std::unique_ptr<Detector> make_sift_detector_staged(const SiftParts& parts, std::unique_ptr<SiftEngine> engine) {
  return std::make_unique<StagedSiftDetector>(parts, std::move(engine));
}

}  // namespace octavo
