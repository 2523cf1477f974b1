#include "engine/sift/engine_reference.h"

#include <utility>

#include "engine/core/scratch.h"
#include "engine/sift/extrema.h"
#include "engine/sift/smoothed_octaves_reference.h"
#include "engine/sift/stages_reference.h"

namespace octavo {

namespace {

class ReferenceEngine : public SiftEngine {
 public:
  explicit ReferenceEngine(const SiftParts& parts) : parts_(parts) {}

  void smooth(const ImageView& image) override {
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
    octaves_.clear();
    reference::SmoothedScaleSpace space = reference::smoothed_scale_space(image, parts_.scale_space, plan);
    octaves_ = std::move(space.octaves);
    pooling_ = pooling_of(parts_, static_cast<int>(octaves_.size()));
    contrast_ = space.contrast;
  }

  std::vector<std::vector<Extremum>> detect(const ImageView& image) override {
    smooth(image);
    ExtremumLimits limits = parts_.limits;
    if (parts_.scale_space.smoothing == Smoothing::trilateral) limits = limits_of_contrast(limits, contrast_);
    std::vector<std::vector<Extremum>> found;
    for (const auto& levels : octaves_) found.push_back(reference::extrema(levels, limits));
    return found;
  }

  void fit_shapes(std::vector<Oriented>& extrema) override {
    for (Oriented& o : extrema) {
      const ShapeWindow window = shape_window(pooling_, o);
      const Plane& image = level(window.octave, window.layer);
      o.shape = affine_shape([&](const Shape& shape) { return reference::second_moments(image, window, shape); });
    }
  }

  std::vector<Orientations> orient(const std::vector<Oriented>& extrema) override {
    std::vector<Orientations> found;
    for (const Oriented& o : extrema) {
      found.push_back(orientations_of(has_orientation_windows(parts_.description)
                                          ? votes_of_windows(o)
                                          : reference::orientation_histogram(level_of(o), o.extremum, o.scale),
                                      pooling_.smoothings, parts_.description.max_orientations));
    }
    return found;
  }

  void describe(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) override {
    for (const Oriented& o : keypoints) {
      if (pooling_.sizes > 0) {
        reference::finish_pooled(pooled_bytes(o), parts_.description.descriptor, descriptors);
      } else {
        reference::finish_descriptor(reference::descriptor_histogram(level_of(o), o), parts_.description.descriptor,
                                     descriptors);
      }
      descriptors += descriptor_length;
    }
  }

  const Plane& level(int octave, int layer) override {
    return octaves_[static_cast<std::size_t>(octave)][static_cast<std::size_t>(layer)];
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, parts_.scale_space);
    const std::uint64_t bytes = reference::bytes_of_smoothed_scale_space(parts_.scale_space, plan);
    const MemoryBytes least{bytes, 0}, usual{bytes + scratch_of_thread, 0};
    return {least, usual};
  }

  [[nodiscard]] MemoryNeed memory_for_description(const ImageView& image, std::size_t) const override {
    return memory_for(image);
  }

 private:
  const Plane& level_of(const Oriented& o) { return level(o.octave, o.extremum.layer); }

  OrientationHistogram votes_of_windows(const Oriented& extremum) {
    OrientationHistogram votes{};
    for (int i = 0; i < pooling_.orientation_sizes; ++i) {
      const WindowFrame window = orientation_window(pooling_, extremum, i);
      reference::add_votes(level(window.octave, window.layer), window, votes);
    }
    return votes;
  }

  PooledBytes pooled_bytes(const Oriented& keypoint) {
    PooledBytes sums{};
    for (int i = 0; i < pooling_.sizes; ++i) {
      const WindowFrame window = window_frame(pooling_, keypoint, i);
      std::array<std::uint8_t, descriptor_length> bytes;
      reference::finish_descriptor(reference::descriptor_histogram(level(window.octave, window.layer), window),
                                   DescriptorKind::sift, bytes.data());
      for (std::size_t k = 0; k < bytes.size(); ++k) sums[k] += bytes[k];
    }
    return sums;
  }

  SiftParts parts_;
  PoolingRecord pooling_{};
  std::vector<std::vector<Plane>> octaves_;
  float contrast_ = 1;
};

}  // namespace

std::unique_ptr<SiftEngine> make_reference_engine(const SiftParts& parts) {
  return std::make_unique<ReferenceEngine>(parts);
}

}  // namespace octavo
