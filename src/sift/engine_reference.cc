#include "sift/engine_reference.h"

#include <utility>

#include "scale_space/scale_space_reference.h"
#include "sift/extrema.h"
#include "sift/stages_reference.h"
#include "sift/trilateral_octaves_reference.h"

namespace octavo {

namespace {

class ReferenceEngine : public SiftEngine {
 public:
  explicit ReferenceEngine(const SiftOptions& options) : options_(options) {}

  std::vector<std::vector<Extremum>> detect(const ImageView& image) override {
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, options_);
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
