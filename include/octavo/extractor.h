#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "octavo/device.h"
#include "octavo/device_features.h"
#include "octavo/device_image.h"
#include "octavo/image.h"
#include "octavo/keypoint.h"
#include "octavo/sift_options.h"
#include "octavo/stage_time.h"

namespace octavo {

struct Extractions;  // how the library extracts on a device; not public

/// An image in flight, see Extractor::submit.
using Ticket = std::uint64_t;

/// Where the features of an image are to be left.
enum class Keep {
  in_host_memory,
  on_device,  ///< in the memory of the GPU that found them; in host memory where the device is no GPU
};

/// Finds and describes the keypoints of images: SIFT's, or those of a detector that builds on this class (Foagdd).
/// Holds its buffers, so the second image of a size costs no allocation; on a GPU each image in flight has buffers of
/// its own, for best_in_flight() images at most. Not shared between threads; cheap to make one per thread. Usable after
/// an error.
class Extractor {
 public:
  /// Throws Error(invalid_option) or Error(device_unavailable).
  explicit Extractor(const SiftOptions& options = {}, const DeviceOptions& device = {});
  ~Extractor();
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;

  /// The features of `image`, in canonical order; of several GPUs the first does the work. `mask` (u8, one channel, the
  /// image's size; null: none) keeps the keypoints whose nearest pixel is not 0 in it; the pyramid ignores it. `times`,
  /// if given, receives the stages' times. Images too small for a single octave have no features; that is no error.
  /// Throws Error(invalid_argument) for an image or mask that cannot be used, Error(out_of_memory).
  Features extract(const ImageView& image, const ImageView* mask = nullptr, std::vector<StageTime>* times = nullptr);

  /// The same for an image on a CUDA device, which must be one that this extractor works on; that one does the work.
  /// Throws Error(invalid_argument) where it is not. Float pixels are not checked: one outside 0…1 makes the features
  /// of this image meaningless.
  Features extract(const DeviceImage& image, const ImageView* mask = nullptr);

  /// The same, but the features stay on the device.
  DeviceFeatures extract_on_device(const ImageView& image, const ImageView* mask = nullptr);
  DeviceFeatures extract_on_device(const DeviceImage& image, const ImageView* mask = nullptr);

  /// Starts on an image and returns; `image` and `mask` need not outlive the call. On a GPU the uploads, work and
  /// downloads of consecutive images overlap; several GPUs share the images, whichever has the fewest takes the next;
  /// elsewhere the work is done at once. Any number of images may be in flight; beyond best_in_flight() it waits until
  /// an earlier one is done. CUDA reads packed rows in pinned memory (cudaHostAlloc, cudaHostRegister) from where they
  /// lie, which is the fastest. Throws what shows at once, and then no ticket is given out; the rest comes out of
  /// `collect`. What is never collected is kept until the extractor goes, which abandons what is in flight.
  Ticket submit(const ImageView& image, const ImageView* mask = nullptr, Keep keep = Keep::in_host_memory);

  /// The same for an image on a CUDA device, as above. The image is read in the order of its stream: work that the
  /// stream is given after this call may overwrite or free it; everybody else waits until the ticket was collected.
  Ticket submit(const DeviceImage& image, const ImageView* mask = nullptr, Keep keep = Keep::in_host_memory);

  /// The features of a submitted image, once for each ticket, in any order. Waits for them. Throws what went wrong with
  /// that image, or Error(invalid_argument) for a ticket that was not given out or was collected already.
  Features collect(Ticket ticket);

  /// The same, without a copy: on the device where they were to be kept there, otherwise in host memory.
  DeviceFeatures collect_on_device(Ticket ticket);

  /// How many images in flight keep its devices busy; 1 where `submit` does the work at once.
  [[nodiscard]] int best_in_flight() const;

  /// "cpu", "reference", "cuda:0", "opencl:0" …, never "auto"; several GPUs as "cuda:0,cuda:1".
  [[nodiscard]] const std::string& device() const;
  /// The instruction set in use, e.g. "avx512"; "scalar" for the reference; "cuda" or "opencl" for a GPU (the first).
  [[nodiscard]] const std::string& isa() const;
  /// The CPU threads it uses at most.
  [[nodiscard]] int threads() const;

 protected:
  /// Another detector's extractions, one for each device. A type of its own: braces always mean SiftOptions.
  struct Detector {
    explicit Detector(const std::vector<Extractions>& on_each_device) : on_each(on_each_device) {}
    const std::vector<Extractions>& on_each;
  };
  explicit Extractor(const Detector& detector);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
