// The rows that enter the first octave: the image in grey, doubled if the plan says so. Included by files that Highway
// compiles once per instruction set. The loops are simple enough for the compiler to vectorise.

#if defined(OCTAVO_SOURCE_PER_ISA) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_SOURCE_PER_ISA
#undef OCTAVO_SOURCE_PER_ISA
#else
#define OCTAVO_SOURCE_PER_ISA
#endif

#include <algorithm>

#include "engine/maths/per_isa.h"
#include "engine/scale_space/grey.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
#include "engine/scale_space/pixel_maths.h"
}  // namespace scalar

template <class Sample>
void grey_row_of(const std::byte* row, int channels, int red_at, const LumaWeights& w, int x_begin, int x_end,
                 float* out) {
  using namespace scalar;
  if (channels < 3) {
    for (int x = x_begin; x < x_end; ++x)
      out[x - x_begin] = sample_at<Sample>(row, std::ptrdiff_t{x} * channels) * w.grey;
    return;
  }
  for (int x = x_begin; x < x_end; ++x) {
    const std::ptrdiff_t at = std::ptrdiff_t{x} * channels;
    out[x - x_begin] = luma_of(sample_at<Sample>(row, at + red_at), sample_at<Sample>(row, at + 1),
                               sample_at<Sample>(row, at + 2 - red_at), w.red, w.green, w.blue);
  }
}

/// Columns [x_begin, x_end) of row y of the image in grey, 0…white.
inline void grey_row(const ImageView& image, Luma luma, int y, int x_begin, int x_end, float* out, double white = 1) {
  const LumaWeights w = luma_weights(luma, image.type, white);
  const int red_at = red_sample(image.order);
  switch (image.type) {
    case PixelType::u8:
      return grey_row_of<std::uint8_t>(image.row(y), image.channels, red_at, w, x_begin, x_end, out);
    case PixelType::u16:
      return grey_row_of<std::uint16_t>(image.row(y), image.channels, red_at, w, x_begin, x_end, out);
    case PixelType::f32:
      return grey_row_of<float>(image.row(y), image.channels, red_at, w, x_begin, x_end, out);
  }
}

/// Columns [x_begin, x_end), both even, of row y of the image in grey, doubled along the row. `grey` has room for
/// (x_end − x_begin)/2 + 1 floats.
inline void doubled_row(const ImageView& image, Luma luma, int y, int x_begin, int x_end, float* grey, float* out) {
  const int first = x_begin / 2, count = (x_end - x_begin) / 2;
  const int available = std::min(count + 1, image.width - first);
  grey_row(image, luma, y, first, first + available, grey);
  if (available == count) grey[count] = grey[count - 1];
  for (int i = 0; i < count; ++i) {
    out[2 * i] = grey[i];
    out[2 * i + 1] = scalar::halfway(grey[i], grey[i + 1]);
  }
}

inline void halfway_between(const float* a, const float* b, int count, float* out) {
  for (int i = 0; i < count; ++i) out[i] = scalar::halfway(a[i], b[i]);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
