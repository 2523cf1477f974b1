#include "engine/views/synthesis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/maths/double_precision.h"
#include "octavo/image.h"

namespace octavo {

namespace {

// Half of the taps of a Gaussian of unit sum, from the centre outwards. One tap without a blur.
std::vector<float> taps_of(double sigma) {
  std::vector<double> taps{1};
  double sum = 1;
  for (int i = 1; i <= std::ceil(3 * sigma); ++i) {
    taps.push_back(maths::exponential(-i * i / (2 * sigma * sigma)));
    sum += 2 * taps.back();
  }
  std::vector<float> rounded;
  for (const double tap : taps) rounded.push_back(static_cast<float>(tap / sum));
  return rounded;
}

template <class Sample>
void convert(const ImageView& image, float largest, CpuPool& pool, Image& floats) {
  pool.parallel_for(image.height, [&](int y, int) {
    auto* const to = reinterpret_cast<float*>(floats.row(y));
    for (int x = 0; x < image.width; ++x) {
      Sample sample;
      std::memcpy(&sample, image.row(y) + static_cast<std::ptrdiff_t>(sizeof(Sample)) * x, sizeof sample);
      to[x] = static_cast<float>(sample) / largest;
    }
  });
}

// A row of the turned image, before the tilt: bilinear, with its edge pixels beyond it.
class TurnedRow {
 public:
  explicit TurnedRow(const ImageView& grey) : grey_(grey), w_(grey.width), h_(grey.height) {}

  void fill(const ViewFrame& frame, int y, std::vector<float>& row) const {
    const double v = y + frame.top;
    const float right = static_cast<float>(w_ - 1), bottom = static_cast<float>(h_ - 1);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double u = static_cast<double>(i) + frame.left;
      const float px = std::min(std::max(static_cast<float>(frame.cosine * u + frame.sine * v), 0.0F), right);
      const float py = std::min(std::max(static_cast<float>(frame.cosine * v - frame.sine * u), 0.0F), bottom);
      const int x = std::min(static_cast<int>(px), std::max(0, w_ - 2));
      const int top = std::min(static_cast<int>(py), std::max(0, h_ - 2));
      const float fx = px - static_cast<float>(x), fy = py - static_cast<float>(top);
      const auto* const at = reinterpret_cast<const float*>(grey_.row(top)) + x;
      const auto* const below = reinterpret_cast<const float*>(grey_.row(std::min(top + 1, h_ - 1))) + x;
      const std::ptrdiff_t next = w_ > 1 ? 1 : 0;
      const float above = at[0] + fx * (at[next] - at[0]);
      const float under = below[0] + fx * (below[next] - below[0]);
      row[i] = above + fy * (under - above);
    }
  }

 private:
  const ImageView& grey_;
  int w_, h_;
};

}  // namespace

Image as_floats(const ImageView& grey, CpuPool& pool) {
  Image floats(grey.width, grey.height, 1, PixelType::f32);
  if (grey.type == PixelType::u8) convert<std::uint8_t>(grey, 255, pool, floats);
  if (grey.type == PixelType::u16) convert<std::uint16_t>(grey, 65535, pool, floats);
  if (grey.type == PixelType::f32) convert<float>(grey, 1, pool, floats);
  return floats;
}

Image synthesize(const ImageView& grey, const ViewFrame& frame, CpuPool& pool) {
  const std::vector<float> taps = taps_of(0.8 * std::sqrt(static_cast<double>(frame.tilt * frame.tilt - 1)));
  const auto radius = static_cast<int>(taps.size()) - 1;
  const TurnedRow turned(grey);
  Image view(frame.width, frame.height, 1, PixelType::f32);
  std::vector<std::vector<float>> rows(static_cast<std::size_t>(pool.threads()));
  pool.parallel_for(frame.height, [&](int y, int worker) {
    std::vector<float>& row = rows[static_cast<std::size_t>(worker)];
    const int last = (frame.width - 1) * frame.tilt;
    row.resize(static_cast<std::size_t>(last) + 1);
    turned.fill(frame, y, row);
    auto* const to = reinterpret_cast<float*>(view.row(y));
    for (int x = 0; x < frame.width; ++x) {
      const int centre = x * frame.tilt;
      const auto at = [&](int i) { return row[static_cast<std::size_t>(std::clamp(i, 0, last))]; };
      float sum = taps[0] * at(centre);
      for (int k = 1; k <= radius; ++k) sum += taps[static_cast<std::size_t>(k)] * (at(centre - k) + at(centre + k));
      to[x] = std::min(sum, 1.0F);
    }
  });
  return view;
}

Image view_mask(const ImageView& image, const ImageView* mask, const ViewFrame& frame, CpuPool& pool) {
  Image shown(frame.width, frame.height, 1, PixelType::u8);
  pool.parallel_for(frame.height, [&](int y, int) {
    for (int x = 0; x < frame.width; ++x) {
      const auto [px, py] = frame.in_image(x, y);
      const double nearest_x = std::floor(px + 0.5), nearest_y = std::floor(py + 0.5);
      bool is_shown = nearest_x >= 0 && nearest_y >= 0 && nearest_x < image.width && nearest_y < image.height;
      if (is_shown && mask != nullptr) {
        is_shown = mask->row(static_cast<int>(nearest_y))[static_cast<std::ptrdiff_t>(nearest_x)] != std::byte{0};
      }
      shown.row(y)[x] = is_shown ? std::byte{255} : std::byte{0};
    }
  });
  return shown;
}

}  // namespace octavo
