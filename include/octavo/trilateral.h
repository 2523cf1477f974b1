#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/stage_time.h"
#include "octavo/trilateral_options.h"

namespace octavo {

/// How much work an image was.
struct TrilateralWork {
  /// Pixels whose window has this size.
  struct Windows {
    int level = 0;            ///< f: how far [pixel] the gradients around such a pixel are alike
    int reach = 0;            ///< [pixel] to each side
    int taps = 0;             ///< pixels in the window, wherever the image ends
    std::int64_t pixels = 0;  ///< how many have it
  };
  std::vector<Windows> windows;  ///< from the smallest to the largest that there can be
  double taps = 0;               ///< mean of a window
  int lanes = 1;                 ///< pixels that the device takes through their windows together
  double occupancy = 0;          ///< threads of a GPU that sum windows at a time, over those it can hold; 0: not told
  double imbalance = 1;          ///< taps that lanes go through over taps that count; 1: no lane waits for another
};

/// The trilateral filter: smooths an image along its gradients and leaves edges as steep as they are. Holds its
/// buffers, so the second image of a size costs no allocation but the result. Not shared between threads; cheap to make
/// one per thread. Usable after an error.
class Trilateral {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable). Of several devices the first does the work.
  explicit Trilateral(const TrilateralOptions& options = {}, const DeviceOptions& device = {});
  ~Trilateral();
  Trilateral(Trilateral&&) noexcept;
  Trilateral& operator=(Trilateral&&) noexcept;

  /// The image filtered: of its size, channels and type. Of colour images the luma Y is filtered to Y', and Y' − Y is
  /// added to red, green and blue, so that differences between channels stay; alpha is copied. Values are rounded to
  /// the nearest sample and clipped to its range. A flat image comes out as it is, as does an image of one pixel.
  /// `times`, if given, receives the steps' times. Throws Error(invalid_argument) for an image that cannot be used (one
  /// without pixels; NaN, infinity and float values outside 0…1; on a GPU, from σ = 2.08 on, more than 2^31 − 1
  /// pixels), Error(out_of_memory).
  Image filter(const ImageView& image, std::vector<StageTime>* times = nullptr);

  /// How much work the image filtered last was; there must be one. Counted on the host, in some milliseconds.
  TrilateralWork work();

  /// "cpu", "reference", "cuda:0", "opencl:0" …, never "auto".
  [[nodiscard]] const std::string& device() const;
  /// The instruction set in use, e.g. "avx512"; "scalar" for the reference; "cuda" or "opencl" for a GPU.
  [[nodiscard]] const std::string& isa() const;
  /// The CPU threads it uses at most.
  [[nodiscard]] int threads() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
