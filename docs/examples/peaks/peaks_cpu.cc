// Peaks with vectors and threads. Highway compiles the first half of this file once for each instruction set.

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/core/plane.h"
#include "engine/peaks/peaks_on_host.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/peaks/peaks_cpu.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// The two above must come first.
#include "engine/maths/per_isa.h"
#include "engine/scale_space/source_per_isa.h"

HWY_BEFORE_NAMESPACE();
namespace octavo::HWY_NAMESPACE {

namespace vector {
#include "engine/peaks/peaks_maths.h"
}  // namespace vector

/// Row y of the image in grey.
void grey_row_of_peaks(const ImageView& image, Luma luma, int y, float* out) {
  grey_row(image, luma, y, 0, image.width, out);
}

/// The strengths of columns 1…width − 2 of row y, whole vectors: planes may be read and written a little beyond.
void strength_row(const Plane& grey, int y, float* out) {
  const vector::FloatTag reals;
  const auto at = [&](int row, int column) { return hwy::HWY_NAMESPACE::LoadU(reals, grey.row(row) + column); };
  for (int x = 1; x + 1 < grey.width(); x += static_cast<int>(hwy::HWY_NAMESPACE::Lanes(reals))) {
    const vector::float_v around[] = {at(y - 1, x - 1), at(y - 1, x),     at(y - 1, x + 1), at(y, x - 1),
                                      at(y, x + 1),     at(y + 1, x - 1), at(y + 1, x),     at(y + 1, x + 1)};
    hwy::HWY_NAMESPACE::StoreU(vector::strength_of(at(y, x), around), reals, out + x);
  }
}

}  // namespace octavo::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace octavo {

HWY_EXPORT(grey_row_of_peaks);
HWY_EXPORT(strength_row);

namespace {

class PeaksCpu {
 public:
  PeaksCpu(const PeaksOptions& options, Isa isa, CpuPool pool)
      : options_(options), isa_(std::move(isa)), pool_(std::move(pool)) {}

  std::vector<Peak> find(const ImageView& image) {
    grey_.resize(image.width, image.height);
    const auto grey_row = pick(HWY_DISPATCH_TABLE(grey_row_of_peaks), isa_);
    pool_.parallel_for(image.height, [&](int y, int) { grey_row(image, options_.luma, y, grey_.row(y)); });

    // Each row has a list of its own, so the order of threads cannot show.
    std::vector<std::vector<Peak>> of_row(static_cast<std::size_t>(image.height));
    strengths_.resize(image.width, pool_.threads());
    pool_.parallel_for(std::max(image.height - 2, 0), [&](int i, int worker) {
      find_in_row(i + 1, strengths_.row(worker), of_row[static_cast<std::size_t>(i + 1)]);
    });
    std::vector<Peak> peaks;
    for (const std::vector<Peak>& row : of_row) peaks.insert(peaks.end(), row.begin(), row.end());
    return peaks;
  }

 private:
  void find_in_row(int y, float* strengths, std::vector<Peak>& peaks) const {
    pick(HWY_DISPATCH_TABLE(strength_row), isa_)(grey_, y, strengths);
    for (int x = 1; x + 1 < grey_.width(); ++x) {
      if (strengths[x] > static_cast<float>(options_.peak_threshold)) peaks.push_back({y, x, strengths[x], 0});
    }
  }

  PeaksOptions options_;
  Isa isa_;
  CpuPool pool_;
  Plane grey_;
  Plane strengths_;  // a row for each worker
};

}  // namespace

FindPeaks find_peaks_on_cpu(const PeaksOptions& options, const Isa& isa, CpuPool pool) {
  const auto peaks = std::make_shared<PeaksCpu>(options, isa, std::move(pool));
  return [peaks](const ImageView& image) { return peaks->find(image); };
}

}  // namespace octavo
#endif
