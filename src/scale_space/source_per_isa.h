// The rows that enter the first octave: the image in grey, doubled where asked for. Included by files that Highway compiles
// once per instruction set. The loops are simple enough for the compiler to vectorise.

#if defined(OCTAVO_SOURCE_PER_ISA) == defined(HWY_TARGET_TOGGLE)
#ifdef OCTAVO_SOURCE_PER_ISA
#undef OCTAVO_SOURCE_PER_ISA
#else
#define OCTAVO_SOURCE_PER_ISA
#endif

#include <algorithm>

#include "maths/per_isa.h"
#include "scale_space/grey.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace scalar {
#include "scale_space/pixel_maths.h"
}  // namespace scalar

template <class Sample>
void grey_row_of(const std::byte* row, int channels, const LumaWeights& w, int x_begin, int x_end, float* out) {
  using namespace scalar;
  if (channels < 3) {
    for (int x = x_begin; x < x_end; ++x) out[x - x_begin] = sample_at<Sample>(row, std::ptrdiff_t{x} * channels) * w.grey;
    return;
  }
  for (int x = x_begin; x < x_end; ++x) {
    const std::ptrdiff_t at = std::ptrdiff_t{x} * channels;
    out[x - x_begin] = luma_of(sample_at<Sample>(row, at), sample_at<Sample>(row, at + 1), sample_at<Sample>(row, at + 2),
                               w.red, w.green, w.blue);
  }
}

/// Columns [x_begin, x_end) of row y of the image in grey.
inline void grey_row(const ImageView& image, Luma luma, int y, int x_begin, int x_end, float* out) {
  const LumaWeights w = luma_weights(luma, image.type);
  switch (image.type) {
    case PixelType::u8: return grey_row_of<std::uint8_t>(image.row(y), image.channels, w, x_begin, x_end, out);
    case PixelType::u16: return grey_row_of<std::uint16_t>(image.row(y), image.channels, w, x_begin, x_end, out);
    case PixelType::f32: return grey_row_of<float>(image.row(y), image.channels, w, x_begin, x_end, out);
  }
}

/// Columns [x_begin, x_end) of a grey row doubled along itself, where the image is `width` pixels wide. Both even.
/// `grey` has room for (x_end − x_begin)/2 + 2 floats.
inline void doubled_row(const ImageView& image, Luma luma, int y, int x_begin, int x_end, float* grey, float* out) {
  using namespace scalar;
  const int first = x_begin / 2, last = x_end / 2;
  const int from = std::max(first - 1, 0), to = std::min(last + 1, image.width);
  grey_row(image, luma, y, from, to, grey + (from - (first - 1)));
  if (first == 0) grey[0] = grey[1];
  if (last == image.width) grey[last - first + 1] = grey[last - first];
  for (int i = 0; i < last - first; ++i) {
    out[2 * i] = quarter_way(grey[i + 1], grey[i]);
    out[2 * i + 1] = quarter_way(grey[i + 1], grey[i + 2]);
  }
}

inline void quarter_way_between(const float* near_row, const float* far_row, int count, float* out) {
  for (int i = 0; i < count; ++i) out[i] = scalar::quarter_way(near_row[i], far_row[i]);
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
