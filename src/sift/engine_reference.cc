#include "sift/engine_reference.h"

#include <algorithm>
#include <utility>

#include "core/scratch.h"
#include "scale_space/scale_space_reference.h"
#include "sift/extrema.h"
#include "sift/stages_reference.h"
#include "sift/trilateral_octaves_reference.h"
#include "trilateral/trilateral_reference.h"

namespace octavo {

namespace {

class ReferenceEngine : public SiftEngine {
 public:
  explicit ReferenceEngine(const SiftOptions& options) : options_(options) {}

  std::vector<std::vector<Extremum>> detect(const ImageView& image) override {
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, options_);
    octaves_.clear();
    ExtremumLimits limits = extremum_limits(options_);
    if (options_.smoothing == Smoothing::trilateral) {
      reference::TrilateralScaleSpace space = reference::trilateral_scale_space(image, options_, plan);
      octaves_ = std::move(space.octaves);
      limits = limits_of_contrast(limits, space.contrast);
    } else {
      octaves_ = reference::scale_space(image, options_.luma, plan);
    }
    std::vector<std::vector<Extremum>> found;
    for (const auto& levels : octaves_) found.push_back(reference::extrema(levels, limits));
    return found;
  }

  std::vector<Orientations> orient(const std::vector<Oriented>& extrema) override {
    std::vector<Orientations> found;
    for (const Oriented& o : extrema) {
      found.push_back(orientations_of(reference::orientation_histogram(level_of(o), o.extremum, o.scale),
                                      options_.max_orientations));
    }
    return found;
  }

  void describe(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) override {
    for (const Oriented& o : keypoints) {
      reference::finish_descriptor(reference::descriptor_histogram(level_of(o), o), options_.descriptor, descriptors);
      descriptors += descriptor_length;
    }
  }

  const Plane& level(int octave, int layer) override {
    return octaves_[static_cast<std::size_t>(octave)][static_cast<std::size_t>(layer)];
  }

  // The images of all octaves are kept. Beside them are the planes of the step that makes an image.
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, options_);
    const bool trilateral = options_.smoothing == Smoothing::trilateral;
    std::uint64_t kept = 0, most = 0;
    for (const Size& size : plan.octaves) {
      kept += static_cast<std::uint64_t>(plan.levels()) * Plane::bytes_of(size.width, size.height);
      most = std::max(most, kept + (trilateral ? reference::bytes_of_trilateral(size.width, size.height)
                                               : reference::bytes_of_blur(size.width, size.height)));
    }
    const MemoryBytes least{most, 0}, usual{most + scratch_of_thread, 0};
    return {least, usual};
  }

 private:
  const Plane& level_of(const Oriented& o) { return level(o.octave, o.extremum.layer); }

  SiftOptions options_;
  std::vector<std::vector<Plane>> octaves_;
};

}  // namespace

std::unique_ptr<SiftEngine> make_reference_engine(const SiftOptions& options) {
  return std::make_unique<ReferenceEngine>(options);
}

}  // namespace octavo
