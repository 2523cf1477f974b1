#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/choices.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/option_table.h"

namespace OCTAVO_API octavo {

/// The options of the trilateral filter. Source: P. Choudhury, J. Tumblin, "The trilateral filter for high contrast
/// images and meshes", EGSR 2003. The results are the same on every device. The option table has the ranges.
///
/// σ_r is the size of a small difference: 0.15 times the range of the gradient magnitudes over the image. A change of
/// contrast therefore does not change the filter. If σ_r is not above 2^-100 (a flat image), the output is the
/// input.
struct TrilateralOptions {
  double spatial_sigma = 1.6;  ///< σ_c [pixel]: deviation of the spatial weights
  TrilateralWindow trilateral_window = TrilateralWindow::power_of_two;
  /// [σ_c] A window is cut off at this distance from its centre. Beyond 5.77 the spatial weight is below 2^-24 of the
  /// centre's. The time grows with the square of it.
  double trilateral_truncate = 5.77;
  Luma luma = Luma::bt709;                                      ///< the luma of colour images
  TrilateralOrder trilateral_order = TrilateralOrder::windows;  ///< the time of a GPU alone depends on it

  friend bool operator==(const TrilateralOptions&, const TrilateralOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<TrilateralOptions>& option_table<TrilateralOptions>();

/// Throws Error(invalid_option) for the first option out of range. The error names the option, its value and the range.
void validate(const TrilateralOptions& options);

/// The amount of work that the filter did for an image.
struct TrilateralWork {
  /// The windows of one size.
  struct Windows {
    int level = 0;            ///< f [pixel]: the distance up to which the gradients around such a pixel are alike
    int reach = 0;            ///< [pixel] the extent of the window to each side
    int taps = 0;             ///< the number of pixels in the window, not cut at the edges of the image
    std::int64_t pixels = 0;  ///< the number of pixels with such a window
  };
  std::vector<Windows> windows;  ///< by size, from the smallest possible to the largest possible
  double taps = 0;               ///< the mean number of taps of a window
  int lanes = 1;                 ///< the number of pixels whose windows the device sums together
  double occupancy = 0;          ///< GPU threads that sum windows at a time, over those it can hold; 0: unknown
  double imbalance = 1;          ///< taps that lanes step through, over taps that count; 1: no lane waits for another
};

/// The trilateral filter: smooths an image along its gradients and keeps edges as steep as they are. A Trilateral keeps
/// its buffers, so the second image of a size needs no allocation but the result. One Trilateral must not be shared
/// between threads. It is cheap to make one per thread. It can be used again after an error.
class Trilateral {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable). With several devices the first does the work.
  explicit Trilateral(const TrilateralOptions& options = {}, const DeviceOptions& device = {});
  ~Trilateral();
  Trilateral(Trilateral&&) noexcept;
  Trilateral& operator=(Trilateral&&) noexcept;

  /// Filters an image. The result has the same size, channels and type. For colour images the luma Y is filtered to Y',
  /// and Y' − Y is added to red, green and blue, which keeps the differences between the channels. Alpha is copied.
  /// Values are rounded to the nearest sample and clipped to the range of the type. A flat image and an image of one
  /// pixel are returned unchanged. `times`, if given, receives the times of the steps. Throws Error(out_of_memory), and
  /// Error(invalid_argument) for an invalid image: one without pixels; NaN, infinity or float values outside 0…1; on a
  /// GPU, for σ ≥ 2.08 or TrilateralOrder::rows, more than 2^31 − 1 pixels.
  Image filter(const ImageView& image, std::vector<StageTime>* times = nullptr);

  /// The memory that `filter` takes for images of the shape of `image`, whose pixels are not read, and what is
  /// available. The result of `filter` is part of it. `filter` throws Error(out_of_memory) before the work if even the
  /// least is not available. Throws Error(invalid_argument) for a shape that is none of an image.
  [[nodiscard]] MemoryEstimate estimate(const ImageView& image) const;

  /// The work for the image that was filtered last; there must be one. It is counted on the host, which takes some
  /// milliseconds.
  TrilateralWork work();

  /// The name of the device: "cpu", "reference", "cuda:0", "opencl:0" …, never "auto".
  [[nodiscard]] const std::string& device() const;
  /// The instruction set in use, e.g. "avx512"; "scalar" for the reference; "cuda" or "opencl" for a GPU.
  [[nodiscard]] const std::string& isa() const;
  /// The largest number of CPU threads that it uses.
  [[nodiscard]] int threads() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
