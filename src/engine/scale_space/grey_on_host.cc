#include "engine/scale_space/grey_on_host.h"

#include <cstdint>
#include <utility>

#include "engine/device/stage_clock.h"
#include "engine/scale_space/grey_image_cpu.h"

namespace octavo {

GreyOnHost::GreyOnHost(Luma luma, const Isa& isa, CpuPool pool, Room room)
    : luma_(luma), isa_(isa), pool_(std::move(pool)), room_(std::move(room)) {}

ImageView GreyOnHost::shape_of(const ImageView& image) {
  if (image.channels == 1) return image;
  const auto stride = static_cast<std::ptrdiff_t>(image.width) * static_cast<std::ptrdiff_t>(bytes_of(image.type));
  return {nullptr, image.width, image.height, 1, image.type, stride};
}

MemoryNeed GreyOnHost::memory_for(const ImageView& image) {
  if (image.channels == 1) return {};
  const MemoryBytes grey{static_cast<std::uint64_t>(shape_of(image).stride) * static_cast<std::uint64_t>(image.height),
                         0};
  return {grey, grey};
}

ImageView GreyOnHost::of(const ImageView& image, std::vector<StageTime>* times) {
  if (image.channels == 1) return image;
  StageClock clock(times);
  ImageView grey = shape_of(image);
  std::byte* const pixels = room_(static_cast<std::size_t>(memory_for(image).least.host));
  grey_image(image, luma_, isa_, pool_, pixels);
  grey.data = pixels;
  clock.lap("grey on the host");
  return grey;
}

}  // namespace octavo
