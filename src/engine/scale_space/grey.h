// Grey images from 0 to `white`: Y = wr·R + wg·G + wb·B (ITU-R BT.709 or BT.601) of 8-bit, 16-bit or float pixels. The
// weights include the division by the largest sample value, so that each pixel of any type costs three operations.

#pragma once

#include <cstdint>
#include <cstring>

#include "octavo/choices.h"
#include "octavo/image_view.h"

namespace octavo {

struct LumaWeights {
  float red, green, blue;  ///< of a colour pixel
  float grey;              ///< of a grey pixel
};

inline LumaWeights luma_weights(Luma luma, PixelType type, double white = 1) {
  const double top = (type == PixelType::u8 ? 255 : type == PixelType::u16 ? 65535 : 1) / white;
  const bool bt709 = luma == Luma::bt709;
  return {static_cast<float>((bt709 ? 0.2126 : 0.299) / top), static_cast<float>((bt709 ? 0.7152 : 0.587) / top),
          static_cast<float>((bt709 ? 0.0722 : 0.114) / top), static_cast<float>(1 / top)};
}

/// The index of red among the samples of a colour pixel; that of blue is 2 less this.
constexpr int red_sample(ChannelOrder order) { return order == ChannelOrder::rgb ? 0 : 2; }

/// One sample as a float, exactly. `samples` need not be aligned.
template <class Sample>
float sample_at(const std::byte* samples, std::ptrdiff_t index) {
  Sample s;
  std::memcpy(&s, samples + index * static_cast<std::ptrdiff_t>(sizeof(Sample)), sizeof(Sample));
  return static_cast<float>(s);
}

}  // namespace octavo
