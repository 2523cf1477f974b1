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

    std::vector<Oriented> extrema = wanted(engine_->detect(job.image), job.mask);
    if (parts_.budget.of_points) keep(chosen(extrema, job.image), extrema);
    watch.lap("scale space and extrema");

    std::vector<Oriented> oriented = keypoints_of_best(extrema, watch);
    features_ = {};
    if (parts_.budget.of_points) {
      sorted_keypoints(oriented);
    } else {
      keep(chosen(oriented, job.image), oriented);
    }
    for (const Oriented& o : oriented) features_.keypoints.push_back(keypoint_of(o, parts_));
    watch.lap("selection");

    features_.descriptors.resize(features_.size() * descriptor_length);
    engine_->describe(oriented, features_.descriptors.data());
    watch.lap("descriptor");
  }

  DetectedFeatures finish(std::vector<StageTime>* times) override {
    if (times) *times = times_;
    return {std::move(features_), nullptr};
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image, bool) const override {
    MemoryNeed need = is_in_parts() ? engine_->memory_for_parts(image) : engine_->memory_for(image);
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

  void describe_parts(const DetectorJob& job, StageClock& watch) {
    std::vector<Oriented> all;
    std::vector<std::uint8_t> descriptors;
    engine_->detect_in_parts(job.image, [&](int octave, const std::vector<Extremum>& found) {
      std::vector<Oriented> points;
      add_wanted(octave, found, job.mask, points);
      watch.lap("scale space and extrema");
      points = with_orientations(std::move(points), watch);
      descriptors.resize((all.size() + points.size()) * descriptor_length);
      engine_->describe(points, descriptors.data() + all.size() * descriptor_length);
      all.insert(all.end(), points.begin(), points.end());
      watch.lap("descriptor");
    });
    features_ = in_canonical_order(all, descriptors);
    watch.lap("selection");
  }

  Features in_canonical_order(const std::vector<Oriented>& points, const std::vector<std::uint8_t>& descriptors) const {
    std::vector<std::pair<Keypoint, std::size_t>> order;
    order.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) order.emplace_back(keypoint_of(points[i], parts_), i);
    std::sort(order.begin(), order.end(),
              [](const auto& a, const auto& b) { return canonically_before(a.first, b.first); });
    Features features;
    features.keypoints.reserve(order.size());
    features.descriptors.reserve(descriptors.size());
    for (const auto& [keypoint, i] : order) {
      features.keypoints.push_back(keypoint);
      const auto bytes = descriptors.begin() + static_cast<std::ptrdiff_t>(i * descriptor_length);
      features.descriptors.insert(features.descriptors.end(), bytes, bytes + descriptor_length);
    }
    return features;
  }

  std::vector<Oriented> wanted(const std::vector<std::vector<Extremum>>& octaves, const ImageView* mask) const {
    std::vector<Oriented> points;
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
  std::vector<Oriented> keypoints_of_best(const std::vector<Oriented>& extrema, StageClock& watch) {
    const std::size_t budget =
        parts_.budget.is_for_whole_image() ? static_cast<std::size_t>(parts_.budget.max_features) : extrema.size();
    if (extrema.size() <= budget) return with_orientations(extrema, watch);
    std::vector<float> scores;
    scores.reserve(extrema.size());
    for (const Oriented& e : extrema) scores.push_back(rank_score(keypoint_of(e, parts_), parts_.budget.rank));
    std::vector<Oriented> oriented;
    for (BestFirst best(std::move(scores)); oriented.size() < budget && !best.is_empty();) {
      std::vector<Oriented> part;
      for (const std::size_t i : best.take(budget - oriented.size())) part.push_back(extrema[i]);
      part = with_orientations(std::move(part), watch);
      oriented.insert(oriented.end(), part.begin(), part.end());
    }
    return oriented;
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
