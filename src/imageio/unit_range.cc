// Float pictures come in any range: reflectances in 0…1, but also heights in metres or counts of photons. Features
// depend on contrast alone, so a linear map of the whole picture loses nothing.

#include "imageio/unit_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "imageio/decoders.h"

namespace octavo::imageio {
namespace {

/// Calls `visit(sample, is_colour)` for every sample.
template <class Visit>
void for_each_sample(Image& image, Visit visit) {
  const int channels = image.channels();
  const int colours = channels == 2 || channels == 4 ? channels - 1 : channels;
  for (int y = 0; y < image.height(); ++y) {
    auto* sample = reinterpret_cast<float*>(image.row(y));
    for (int x = 0; x < image.width(); ++x) {
      for (int c = 0; c < channels; ++c) visit(*sample++, c < colours);
    }
  }
}

}  // namespace

void map_to_unit_range(Image& image) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for_each_sample(image, [&](float sample, bool is_colour) {
    if (!is_colour) return;
    if (!std::isfinite(sample)) throw DecodeError("it holds a sample that is infinite or not a number");
    low = std::min<double>(low, sample);
    high = std::max<double>(high, sample);
  });
  const bool fits = low >= 0 && high <= 1;
  const double scale = high > low ? 1 / (high - low) : 0;
  for_each_sample(image, [&](float& sample, bool is_colour) {
    if (is_colour && !fits) sample = static_cast<float>((sample - low) * scale);
    if (!is_colour) sample = sample >= 0 ? std::min(sample, 1.0f) : 0;  // NaN becomes 0
  });
}

}  // namespace octavo::imageio
