#include "engine/scale_space/grey_image_cpu.h"

#include <algorithm>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/scale_space/grey_image_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two includes above must come first.
#include "engine/scale_space/source_per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

template <class Sample>
void round_row(const float* grey, int width, float top, std::byte* out) {
  for (int x = 0; x < width; ++x) {
    const auto sample = static_cast<Sample>(static_cast<int>(std::min(grey[x], top) + 0.5f));
    std::memcpy(out + x * static_cast<std::ptrdiff_t>(sizeof sample), &sample, sizeof sample);
  }
}

// `grey` has room for a row.
void grey_image_row(const ImageView& image, Luma luma, int y, float* grey, std::byte* out) {
  const double top = image.type == PixelType::u8 ? 255 : image.type == PixelType::u16 ? 65535 : 1;
  grey_row(image, luma, y, 0, image.width, grey, top);
  switch (image.type) {
    case PixelType::u8:
      return round_row<std::uint8_t>(grey, image.width, static_cast<float>(top), out);
    case PixelType::u16:
      return round_row<std::uint16_t>(grey, image.width, static_cast<float>(top), out);
    case PixelType::f32:
      std::memcpy(out, grey, sizeof(float) * static_cast<std::size_t>(image.width));
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(grey_image_row);

void grey_image(const ImageView& image, Luma luma, const Isa& isa, CpuPool& pool, std::byte* out) {
  constexpr int rows = 32;
  const auto write_row = pick(HWY_DISPATCH_TABLE(grey_image_row), isa);
  const std::size_t row_bytes = static_cast<std::size_t>(image.width) * bytes_of(image.type);
  pool.parallel_for((image.height + rows - 1) / rows, [&](int i, int) {
    std::vector<float> grey(static_cast<std::size_t>(image.width));
    for (int y = i * rows; y < std::min((i + 1) * rows, image.height); ++y) {
      write_row(image, luma, y, grey.data(), out + static_cast<std::size_t>(y) * row_bytes);
    }
  });
}

}  // namespace octavo
#endif
