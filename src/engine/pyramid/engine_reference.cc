#include "engine/pyramid/engine_reference.h"

#include "engine/core/scratch.h"
#include "engine/device/stage_clock.h"
#include "engine/pyramid/plane_views.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/sift/smoothed_octaves_reference.h"

namespace octavo {

namespace {

class ReferencePyramid : public PyramidEngine {
 public:
  ReferencePyramid(const ScaleSpaceOptions& scale_space, const PyramidOptions& options)
      : scale_space_(scale_space), options_(options) {}

  void compute(const ImageView& image, std::vector<StageTime>* times) override {
    StageClock clock(times);
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, scale_space_);
    gaussians_ = reference::smoothed_scale_space(image, scale_space_, plan).octaves;
    differences_.clear();
    differences_.resize(gaussians_.size());
    for (std::size_t o = 0; options_.differences && o < gaussians_.size(); ++o) {
      differences_[o].resize(gaussians_[o].size() - 1);
      for (std::size_t i = 0; i < differences_[o].size(); ++i) {
        reference::difference(gaussians_[o][i + 1], gaussians_[o][i], differences_[o][i]);
      }
    }
    clock.lap(pyramid_in_one_pass);
  }

  void fetch(const Take& take) override {
    for (std::size_t o = 0; o < gaussians_.size(); ++o) {
      std::vector<ImageView> gaussians;
      if (options_.gaussians) gaussians = views_of(gaussians_[o]);
      take(static_cast<int>(o), gaussians, views_of(differences_[o]));
    }
  }

  std::byte* room_for_image(std::size_t bytes) override {
    image_.resize(bytes);
    return image_.data();
  }

  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const override {
    const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, scale_space_);
    std::uint64_t bytes = reference::bytes_of_smoothed_scale_space(scale_space_, plan);
    for (const Size& size : plan.octaves) {
      const int differences = options_.differences ? plan.levels() - 1 : 0;
      bytes += static_cast<std::uint64_t>(differences) * Plane::bytes_of(size.width, size.height);
    }
    return {{bytes, 0}, {bytes + scratch_of_thread, 0}};
  }

 private:
  ScaleSpaceOptions scale_space_;
  PyramidOptions options_;
  std::vector<std::vector<Plane>> gaussians_, differences_;
  std::vector<std::byte> image_;
};

}  // namespace

std::unique_ptr<PyramidEngine> make_pyramid_reference(const ScaleSpaceOptions& scale_space,
                                                      const PyramidOptions& options) {
  return std::make_unique<ReferencePyramid>(scale_space, options);
}

}  // namespace octavo
