#pragma once

// From stored samples to bytes, and from Y'CbCr to RGB, in whole numbers.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "octavo/image_view.h"

namespace octavo::video {

/// A sample of `depth` bits (1…16) as a byte. Samples of a limited range keep their place, 16·2^(depth − 8) becomes 16;
/// those of a full range keep their share of the largest one. Both are rounded half up.
std::uint8_t byte_of(unsigned sample, int depth, bool limited);

/// A sample of luma, grey or a colour where `range` becomes black and white, that is 0 and 255, or 16 and 235 if the
/// bytes are to be of a limited range. Rounded half up and clipped to 0…255.
std::uint8_t byte_in_range(unsigned sample, const ValueRange& range, bool limited);
/// A sample of chroma of `depth` bits (9…16), with the contrast that byte_in_range gives luma.
std::uint8_t chroma_in_range(unsigned sample, int depth, const ValueRange& range, bool limited);

/// The bytes 16…235 stretched to 0…255, rounded half up; what lies outside is clipped.
const std::array<std::uint8_t, 256>& stretched_luma();

/// 0.2126 R + 0.7152 G + 0.0722 B (ITU-R BT.709) in units of 2^-16, rounded half up.
inline std::uint8_t luma_of(unsigned red, unsigned green, unsigned blue) {
  return static_cast<std::uint8_t>((13933 * red + 46871 * green + 4732 * blue + 32768) >> 16);
}

/// The weights of a colour matrix, from Y', Cb − 128 and Cr − 128 to bytes of RGB, in units of 2^-16.
struct ColourMatrix {
  int luma, luma_offset, red_cr, green_cb, green_cr, blue_cb;
  /// Writes red, green and blue, rounded and clipped.
  void convert(std::uint8_t y, std::uint8_t cb, std::uint8_t cr, std::uint8_t* rgb) const;
};

/// By FFmpeg's name: bt709, fcc, bt470bg, smpte170m, smpte240m, bt2020nc, bt2020c. Another name gives bt709.
ColourMatrix colour_matrix(std::string_view name, bool limited);
/// Whether colour_matrix knows the name.
bool is_colour_matrix(std::string_view name);

}  // namespace octavo::video
