// Peaks as plain loops: the definition that every device must reproduce bit for bit.

#include "engine/maths/scalar.h"
#include "engine/peaks/peaks_on_host.h"
#include "engine/scale_space/scale_space_reference.h"

namespace octavo {

namespace {

using namespace maths;
#include "engine/peaks/peaks_maths.h"

std::vector<Peak> find(const ImageView& image, const PeaksOptions& options) {
  Plane grey;
  reference::grey(image, options.luma, grey);
  std::vector<Peak> peaks;
  for (int y = 1; y + 1 < image.height; ++y) {
    const float *above = grey.row(y - 1), *row = grey.row(y), *below = grey.row(y + 1);
    for (int x = 1; x + 1 < image.width; ++x) {
      const float around[] = {above[x - 1], above[x],     above[x + 1], row[x - 1],
                              row[x + 1],   below[x - 1], below[x],     below[x + 1]};
      const float strength = strength_of(row[x], around);
      if (strength > static_cast<float>(options.peak_threshold)) peaks.push_back({y, x, strength, 0});
    }
  }
  return peaks;
}

}  // namespace

FindPeaks find_peaks_by_reference(const PeaksOptions& options) {
  return [options](const ImageView& image) { return find(image, options); };
}

}  // namespace octavo
