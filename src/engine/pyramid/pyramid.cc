// The public interface of pyramids: the checks of the arguments, grey on the host, and the planes as images.

#include "octavo/pyramid.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/core/check_image.h"
#include "engine/device/checked_images.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/device/host_memory.h"
#include "engine/pyramid/engine.h"
#include "engine/pyramid/engine_cpu.h"
#include "engine/pyramid/engine_gpu.h"
#include "engine/pyramid/engine_reference.h"
#include "engine/scale_space/grey_on_host.h"
#include "engine/scale_space/plan.h"
#include "engine/sift/sift_parts.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {

namespace {

ScaleSpaceOptions checked_scale_space(const SiftOptions& options) {
  validate(options);
  return scale_space_of(options);
}

PyramidOptions with_grey(PyramidOptions options, GreyOn grey) {
  if (grey == GreyOn::host) options.grey = grey;
  return options;
}

std::unique_ptr<PyramidEngine> make_pyramid_engine(const ScaleSpaceOptions& scale_space, const PyramidOptions& options,
                                                   const ResolvedDevice& device) {
  if (device.is_gpu()) return make_pyramid_gpu(scale_space, options, device.open_gpu(), device.cpu_pool());
  if (device.kind == DeviceKind::cpu) return make_pyramid_cpu(scale_space, options, device.isa, device.cpu_pool());
  return make_pyramid_reference(scale_space, options);
}

}  // namespace

class Pyramid::Impl {
 public:
  Impl(const ScaleSpaceOptions& scale_space, const ResolvedDevice& device, const PyramidOptions& options)
      : scale_space_(scale_space),
        options_(options),
        engine_(make_pyramid_engine(scale_space, options, device)),
        pool_(device.cpu_pool()),
        grey_(scale_space.luma, device.isa, device.cpu_pool(),
              [this](std::size_t bytes) { return engine_->room_for_image(bytes); }),
        device_(device.name()),
        isa_(device.isa_name()),
        threads_(device.threads()) {}

  void compute(const ImageView& image, std::vector<StageTime>* times) {
    check_image(image);
    is_computed_ = false;
    require_memory(image);
    engine_->compute(options_.grey == GreyOn::host ? grey_.of(image, times) : image, times);
    is_computed_ = true;
  }

  std::vector<PyramidOctave> fetch() {
    if (!is_computed_) throw Error(ErrorCode::invalid_argument, "there is no pyramid: no image was computed");
    std::vector<PyramidOctave> octaves;
    engine_->fetch([&](int octave, std::span<const ImageView> gaussians, std::span<const ImageView> differences) {
      PyramidOctave& one = octaves.emplace_back();
      one.octave = scale_space_.first_octave + octave;
      for (const auto& [views, images] :
           {std::pair(gaussians, &one.gaussians), std::pair(differences, &one.differences)}) {
        for (const ImageView& view : views) images->push_back(copy_of(view));
      }
    });
    const ScaleSpacePlan plan = plan_scale_space(width_, height_, scale_space_);
    for (std::size_t o = 0; o < octaves.size(); ++o) {
      octaves[o].width = plan.octaves[o].width;
      octaves[o].height = plan.octaves[o].height;
    }
    return octaves;
  }

  [[nodiscard]] MemoryEstimate estimate(const ImageView& image) const {
    MemoryEstimate estimate = estimate_on(device_, engine_->gpu(), memory_for(image));
    estimate.octaves = static_cast<int>(plan_scale_space(image.width, image.height, scale_space_).octaves.size());
    return estimate;
  }

  [[nodiscard]] double sigma(int level) const { return sigma_of_level(scale_space_, level); }
  [[nodiscard]] const std::string& device() const { return device_; }
  [[nodiscard]] const std::string& isa() const { return isa_; }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const {
    check_image_shape(image);
    if (options_.grey == GreyOn::device) return engine_->memory_for(image);
    return engine_->memory_for(GreyOnHost::shape_of(image)) + GreyOnHost::memory_for(image);
  }

  // The buffers are kept, so only images that are larger than those before need more.
  void require_memory(const ImageView& image) {
    width_ = image.width;
    height_ = image.height;
    if (checked_.cover(image, false)) return;
    const std::uint64_t bytes = memory_for(image).least.host;
    require_host_memory(bytes, checked_bytes_, "an image of " + size_text(image) + " pixels");
    checked_.add(image, false);
    checked_bytes_ = std::max(checked_bytes_, bytes);
  }

  Image copy_of(const ImageView& view) {
    constexpr int rows = 64;
    Image copy(view.width, view.height, 1, PixelType::f32);
    pool_.parallel_for((view.height + rows - 1) / rows, [&](int i, int) {
      for (int y = i * rows; y < std::min((i + 1) * rows, view.height); ++y) {
        std::memcpy(copy.row(y), view.row(y), sizeof(float) * static_cast<std::size_t>(view.width));
      }
    });
    return copy;
  }

  ScaleSpaceOptions scale_space_;
  PyramidOptions options_;
  std::unique_ptr<PyramidEngine> engine_;
  CpuPool pool_;
  GreyOnHost grey_;
  std::string device_, isa_;
  int threads_;
  bool is_computed_ = false;
  int width_ = 0, height_ = 0;  // of the last image
  CheckedImages checked_;
  std::uint64_t checked_bytes_ = 0;
};

Pyramid::Pyramid(const SiftOptions& scale_space, const DeviceOptions& device, const PyramidOptions& options)
    : impl_(std::make_unique<Impl>(checked_scale_space(scale_space), resolve_device(device),
                                   with_grey(options, scale_space.grey))) {}
Pyramid::~Pyramid() = default;
Pyramid::Pyramid(Pyramid&&) noexcept = default;
Pyramid& Pyramid::operator=(Pyramid&&) noexcept = default;

void Pyramid::compute(const ImageView& image, std::vector<StageTime>* times) { impl_->compute(image, times); }
std::vector<PyramidOctave> Pyramid::fetch() { return impl_->fetch(); }
std::vector<PyramidOctave> Pyramid::make(const ImageView& image) {
  compute(image);
  return fetch();
}
MemoryEstimate Pyramid::estimate(const ImageView& image) const { return impl_->estimate(image); }
double Pyramid::sigma(int level) const { return impl_->sigma(level); }
const std::string& Pyramid::device() const { return impl_->device(); }
const std::string& Pyramid::isa() const { return impl_->isa(); }
int Pyramid::threads() const { return impl_->threads(); }

}  // namespace octavo
