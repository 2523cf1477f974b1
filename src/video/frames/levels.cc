#include "video/frames/levels.h"

#include <algorithm>
#include <cmath>

namespace octavo::video {
namespace {

// Y' = red R + (1 − red − blue) G + blue B.
struct Weights {
  std::string_view name;
  double red, blue;
};

// ITU-R BT.709, FCC 47 CFR 73.682, ITU-R BT.601 (twice), SMPTE 240M, ITU-R BT.2020 (twice).
constexpr std::array<Weights, 7> known{{{"bt709", 0.2126, 0.0722},
                                        {"fcc", 0.30, 0.11},
                                        {"bt470bg", 0.299, 0.114},
                                        {"smpte170m", 0.299, 0.114},
                                        {"smpte240m", 0.212, 0.087},
                                        {"bt2020nc", 0.2627, 0.0593},
                                        {"bt2020c", 0.2627, 0.0593}}};

const Weights* find(std::string_view name) {
  const auto* const found = std::find_if(known.begin(), known.end(), [&](const Weights& w) { return w.name == name; });
  return found == known.end() ? nullptr : found;
}

std::uint8_t nearest_byte(double byte) {
  return static_cast<std::uint8_t>(std::clamp(std::floor(byte + 0.5), 0.0, 255.0));
}

int fixed_point(double x) { return static_cast<int>(std::lround(x * 65536)); }

}  // namespace

std::uint8_t byte_of(unsigned sample, int depth, bool limited) {
  if (limited && depth >= 8) {
    const unsigned half = depth > 8 ? 1u << (depth - 9) : 0;
    return static_cast<std::uint8_t>(std::min((sample + half) >> (depth - 8), 255u));
  }
  const unsigned most = (1u << depth) - 1;
  return static_cast<std::uint8_t>((2 * 255 * std::min(sample, most) + most) / (2 * most));
}

std::uint8_t byte_in_range(unsigned sample, const ValueRange& range, bool limited) {
  const double low = limited ? 16 : 0, levels = limited ? 219 : 255;
  return nearest_byte(low + levels * (sample - range.low) / (range.high - range.low));
}

std::uint8_t chroma_in_range(unsigned sample, int depth, const ValueRange& range, bool limited) {
  const double middle = 1u << (depth - 1), levels = limited ? 219 : 255;
  return nearest_byte(128 + levels * (sample - middle) / (range.high - range.low));
}

const std::array<std::uint8_t, 256>& stretched_luma() {
  static const auto table = [] {
    std::array<std::uint8_t, 256> made{};
    for (int y = 0; y < 256; ++y) {
      const int inside = std::clamp(y, 16, 235) - 16;
      made[static_cast<std::size_t>(y)] = static_cast<std::uint8_t>((2 * 255 * inside + 219) / (2 * 219));
    }
    return made;
  }();
  return table;
}

void ColourMatrix::convert(std::uint8_t y, std::uint8_t cb, std::uint8_t cr, std::uint8_t* rgb) const {
  const int base = luma * (y - luma_offset) + 32768, u = cb - 128, v = cr - 128;
  const auto byte = [](int x) { return static_cast<std::uint8_t>(std::clamp(x >> 16, 0, 255)); };
  rgb[0] = byte(base + red_cr * v);
  rgb[1] = byte(base + green_cb * u + green_cr * v);
  rgb[2] = byte(base + blue_cb * u);
}

ColourMatrix colour_matrix(std::string_view name, bool limited) {
  const Weights* const found = find(name);
  const auto [_, red, blue] = found != nullptr ? *found : known.front();
  const double green = 1 - red - blue;
  const double luma = limited ? 255.0 / 219 : 1, chroma = limited ? 255.0 / 224 : 1;
  return {fixed_point(luma),
          limited ? 16 : 0,
          fixed_point(2 * (1 - red) * chroma),
          fixed_point(-2 * (1 - blue) * blue / green * chroma),
          fixed_point(-2 * (1 - red) * red / green * chroma),
          fixed_point(2 * (1 - blue) * chroma)};
}

bool is_colour_matrix(std::string_view name) { return find(name) != nullptr; }

}  // namespace octavo::video
