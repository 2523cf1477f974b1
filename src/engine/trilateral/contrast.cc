#include "engine/trilateral/contrast.h"

#include "engine/maths/host_spelling.h"
#include "engine/maths/scalar.h"

namespace octavo {

namespace {

using namespace maths;
#include "engine/trilateral/contrast_maths.h"

}  // namespace

void ContrastHistogram::add(const float* row, int width) {
  for (int x = 0; x < width; ++x) ++counts_[static_cast<std::size_t>(contrast_bin(row[x]))];
}

void ContrastHistogram::add(const ContrastHistogram& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
}

float ContrastHistogram::contrast() const {
  std::int64_t pixels = 0, counted = 0;
  for (const std::uint32_t count : counts_) pixels += count;
  int first = 0, last = 0;
  for (const std::uint32_t count : counts_) {
    counted += count;
    if (is_below_first_percentile(counted, pixels)) ++first;
    if (is_below_last_percentile(counted, pixels)) ++last;
  }
  return contrast_between(first, last);
}

float sigma_r_of_contrast(float contrast) { return contrast_fraction * contrast; }

float reference::contrast(const Plane& grey) {
  ContrastHistogram histogram;
  for (int y = 0; y < grey.height(); ++y) histogram.add(grey.row(y), grey.width());
  return histogram.contrast();
}

}  // namespace octavo
