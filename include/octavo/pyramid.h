#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/sift_options.h"

namespace OCTAVO_API octavo {

/// What a Pyramid makes, beside the options of its scale space.
struct PyramidOptions {
  bool gaussians = true;         ///< the results include the Gaussian images
  bool differences = true;       ///< the differences are made, and the results include them
  GreyOn grey = GreyOn::device;  ///< or SiftOptions::grey: the host, if one of them says so
};

/// The images of one octave (octavo/image.h). All have one channel f32 and the same size.
struct PyramidOctave {
  int octave = 0;                  ///< −1 is the doubled image, 0 the image itself
  int width = 0, height = 0;       ///< [pixel of the octave]
  std::vector<Image> gaussians;    ///< S + 3, from the least blur; empty if they are not wanted
  std::vector<Image> differences;  ///< S + 2; difference i is Gaussian image i + 1 less image i; empty likewise
};

/// Makes the Gaussian images of SIFT's scale space and their differences (Lowe 2004, §3), without a search for
/// keypoints. The bytes are the same on every device; they are those in which an Extractor with these options finds its
/// keypoints. Of SiftOptions those from `first_octave` to `assumed_blur`, `smoothing` with its own options, and `luma`
/// have an effect. A Pyramid keeps its buffers, so the second image of a size needs no allocation but the results. One
/// Pyramid must not be shared between threads. It can be used again after an error.
class Pyramid {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable). With several devices the first does the work.
  explicit Pyramid(const SiftOptions& scale_space = {}, const DeviceOptions& device = {},
                   const PyramidOptions& options = {});
  ~Pyramid();
  Pyramid(Pyramid&&) noexcept;
  Pyramid& operator=(Pyramid&&) noexcept;

  /// Makes the pyramid of an image and leaves it where it is made, in the memory of a GPU or of the host. Returns when
  /// the work is done. `times`, if given, receives the times of the stages: "grey on the host" with GreyOn::host; on a
  /// GPU "upload", "grey", "blurs" and "differences"; otherwise one stage for all work, since it is one pass. An image
  /// too small for a single octave has no octaves. Throws Error(out_of_memory), and Error(invalid_argument) for an
  /// invalid image.
  void compute(const ImageView& image, std::vector<StageTime>* times = nullptr);

  /// The pyramid of the image that was computed last, from the finest octave to the coarsest, as images in host memory.
  /// Throws Error(invalid_argument) if there is none, and Error(out_of_memory).
  [[nodiscard]] std::vector<PyramidOctave> fetch();

  /// Computes and fetches.
  std::vector<PyramidOctave> make(const ImageView& image);

  /// The memory that `compute` takes for images of the shape of `image`, whose pixels are not read, and what is
  /// available. The results of `fetch` are not part of it. `compute` throws Error(out_of_memory) before the work if
  /// even the least is not available. Throws Error(invalid_argument) for a shape that is none of an image.
  [[nodiscard]] MemoryEstimate estimate(const ImageView& image) const;

  /// The blur of Gaussian image `level` of an octave, 0 … S + 2 [pixel of the octave]: σ0·2^(level/S). With
  /// Smoothing::repeated the blur beyond the octave's first image, √level·σ0.
  [[nodiscard]] double sigma(int level) const;

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
