// The public interface of the filter. The engine filters luma. The steps that all devices share are here: the checks of
// the arguments, and the conversion of filtered luma to an image.

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/core/check_image.h"
#include "engine/device/checked_images.h"
#include "engine/device/cpu_pool.h"
#include "engine/device/gpu_dry_run.h"
#include "engine/device/host_memory.h"
#include "engine/device/registry.h"
#include "engine/device/stage_clock.h"
#include "engine/maths/scalar.h"
#include "engine/scale_space/grey.h"
#include "engine/trilateral/trilateral.h"
#include "engine/trilateral/trilateral_work.h"
#include "octavo/image.h"
#include "octavo/trilateral.h"

namespace octavo {

namespace {

using namespace maths;
#include "engine/scale_space/pixel_maths.h"

// The sample nearest to a value of 0…top. Adding 1.5·2^23 leaves the rounded number in the low bits, which compilers
// can vectorise.
template <class Sample>
Sample sample_of(float value, float top) {
  const float clipped = std::min(std::max(value, 0.0f), top);
  if constexpr (std::is_same_v<Sample, float>) {
    return clipped;
  } else {
    return static_cast<Sample>(float_bits_to_int(clipped + 12582912.0f) - 0x4b400000);
  }
}

// Writes a row of the image with the luma `filtered`, 0…1.
template <class Sample, int channels>
void image_row_of(const std::byte* from, int width, int red_at, const LumaWeights& w, const float* filtered,
                  std::byte* to) {
  const float top = std::is_same_v<Sample, float> ? 1.0f : static_cast<float>(static_cast<Sample>(-1));
  constexpr std::ptrdiff_t bytes = channels * static_cast<std::ptrdiff_t>(sizeof(Sample));
  for (int x = 0; x < width; ++x) {
    Sample samples[channels];
    std::memcpy(samples, from + x * bytes, bytes);
    if constexpr (channels < 3) {
      samples[0] = sample_of<Sample>(filtered[x] * top, top);
    } else {
      const auto sample = [&](int i) { return static_cast<float>(samples[i]); };
      const float added =
          (filtered[x] - luma_of(sample(red_at), sample(1), sample(2 - red_at), w.red, w.green, w.blue)) * top;
      for (int i = 0; i < 3; ++i) samples[i] = sample_of<Sample>(sample(i) + added, top);
    }
    std::memcpy(to + x * bytes, samples, bytes);
  }
}

template <class Sample>
void image_row_of(const ImageView& image, const LumaWeights& w, int y, const float* filtered, std::byte* to) {
  switch (image.channels) {
    case 1:
      return image_row_of<Sample, 1>(image.row(y), image.width, red_sample(image.order), w, filtered, to);
    case 2:
      return image_row_of<Sample, 2>(image.row(y), image.width, red_sample(image.order), w, filtered, to);
    case 3:
      return image_row_of<Sample, 3>(image.row(y), image.width, red_sample(image.order), w, filtered, to);
    default:
      return image_row_of<Sample, 4>(image.row(y), image.width, red_sample(image.order), w, filtered, to);
  }
}

void image_row(const ImageView& image, Luma luma, int y, const float* filtered, std::byte* to) {
  const LumaWeights w = luma_weights(luma, image.type);
  switch (image.type) {
    case PixelType::u8:
      return image_row_of<std::uint8_t>(image, w, y, filtered, to);
    case PixelType::u16:
      return image_row_of<std::uint16_t>(image, w, y, filtered, to);
    case PixelType::f32:
      return image_row_of<float>(image, w, y, filtered, to);
  }
}

}  // namespace

class Trilateral::Impl {
 public:
  Impl(const TrilateralOptions& options, const ResolvedDevice& device)
      : luma_(options.luma),
        engine_(make_trilateral_engine(options, device)),
        plan_(plan_trilateral(options)),
        pool_(device.cpu_pool()),
        device_(device.name()),
        isa_(device.isa_name()),
        threads_(device.threads()) {}

  Image filter(const ImageView& image, std::vector<StageTime>* times) {
    check_image(image);
    require_memory(image);
    Image out(image.width, image.height, image.channels, image.type, image.order);
    engine_->filter(image, filtered_, times);
    StageClock clock(times);
    constexpr int rows = 32;
    pool_.parallel_for((image.height + rows - 1) / rows, [&](int i, int) {
      for (int y = i * rows; y < std::min((i + 1) * rows, image.height); ++y) {
        image_row(image, luma_, y, filtered_.row(y), out.row(y));
      }
    });
    clock.lap("image");
    return out;
  }

  [[nodiscard]] MemoryEstimate estimate(const ImageView& image) const {
    return estimate_on(device_, engine_->gpu(), memory_for(image));
  }

  TrilateralWork work() {
    engine_->fetch_levels(levels_);
    return trilateral_work(levels_, plan_, engine_->schedule());
  }

  [[nodiscard]] const std::string& device() const { return device_; }
  [[nodiscard]] const std::string& isa() const { return isa_; }
  [[nodiscard]] int threads() const { return threads_; }

 private:
  [[nodiscard]] MemoryNeed memory_for(const ImageView& image) const {
    check_image_shape(image);
    const std::uint64_t result = static_cast<std::uint64_t>(image.width) * static_cast<std::uint64_t>(image.height) *
                                 static_cast<std::uint64_t>(image.channels) * bytes_of(image.type);
    const MemoryBytes images{result + Plane::bytes_of(image.width, image.height), 0};  // and filtered_
    return engine_->memory_for(image) + MemoryNeed{images, images};
  }

  // The buffers are kept, so only images that are larger than those before need more.
  void require_memory(const ImageView& image) {
    if (checked_.cover(image, false)) return;
    const std::uint64_t bytes = memory_for(image).least.host;
    require_host_memory(bytes, checked_bytes_, "an image of " + size_text(image) + " pixels");
    checked_.add(image, false);
    checked_bytes_ = std::max(checked_bytes_, bytes);
  }

  CheckedImages checked_;
  std::uint64_t checked_bytes_ = 0;
  Luma luma_;
  std::unique_ptr<TrilateralEngine> engine_;
  TrilateralPlan plan_;
  CpuPool pool_;
  std::string device_, isa_;
  int threads_;
  Plane filtered_;
  TrilateralLevels levels_;
};

Trilateral::Trilateral(const TrilateralOptions& options, const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(options, resolve_device(device))) {}
Trilateral::~Trilateral() = default;
Trilateral::Trilateral(Trilateral&&) noexcept = default;
Trilateral& Trilateral::operator=(Trilateral&&) noexcept = default;

Image Trilateral::filter(const ImageView& image, std::vector<StageTime>* times) { return impl_->filter(image, times); }
MemoryEstimate Trilateral::estimate(const ImageView& image) const { return impl_->estimate(image); }
TrilateralWork Trilateral::work() { return impl_->work(); }
const std::string& Trilateral::device() const { return impl_->device(); }
const std::string& Trilateral::isa() const { return impl_->isa(); }
int Trilateral::threads() const { return impl_->threads(); }

}  // namespace octavo
