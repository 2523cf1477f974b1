#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/keypoint.h"

// Extractors of features, and the features that stay in the memory of a GPU.

namespace OCTAVO_API octavo {

struct FeaturesOnGpu;  // the library's own representation; not public

/// Features where they lie, for other libraries that work there. They must not be written to.
struct FeatureMemory {
  const std::uint8_t* descriptors = nullptr;  ///< N×128, row by row; null if there are none
  const Keypoint* keypoints = nullptr;        ///< N; null if there are none
  /// Keeps the memory. When the last copy goes, it waits for all work of the GPU, so that kernels of other libraries
  /// that read the features are done.
  std::shared_ptr<const void> owner;
};

/// A handle to the features of an image, in the memory of the GPU that computed them. Features of the CPU and the
/// reference are in host memory. Features on a GPU can be matched there without a copy to the host. Their bytes are the
/// same as those of Features.
/// Copies of a handle share the features. The features never change. They exist as long as any copy of the handle, also
/// after the extractor is destroyed. Several threads may use copies at the same time.
class DeviceFeatures {
 public:
  /// A handle to no features: `size()` is 0.
  DeviceFeatures() = default;
  /// Keeps the features in host memory.
  explicit DeviceFeatures(Features features);
  /// For the library itself.
  explicit DeviceFeatures(std::shared_ptr<const FeaturesOnGpu> features);

  /// The number of keypoints.
  [[nodiscard]] std::size_t size() const;
  /// The GPU whose memory holds the features: "cuda:0", "opencl:0" …; "cpu" for host memory.
  [[nodiscard]] std::string device() const;

  /// Copies the features to host memory, in canonical order. Throws Error(out_of_memory) or Error(device_unavailable).
  [[nodiscard]] Features download() const;
  /// Copies the keypoints alone to host memory. Throws what `download` throws.
  [[nodiscard]] std::vector<Keypoint> keypoints() const;

  /// The addresses of the features, in the memory of device(): with CUDA in the primary context. All work on them is
  /// done. Throws Error(invalid_argument) on OpenCL, whose memory has no addresses.
  [[nodiscard]] FeatureMemory memory() const;

  /// For the library itself: null if the features are in host memory.
  [[nodiscard]] const FeaturesOnGpu* on_gpu() const { return on_gpu_.get(); }

 private:
  std::shared_ptr<const Features> on_host_;  // at most one of the two is not null
  std::shared_ptr<const FeaturesOnGpu> on_gpu_;
};

struct DetectorOnDevices;  // the library's own representation; not public
struct SiftOptions;        // octavo/sift_options.h

/// Identifies an image in flight; see Extractor::submit.
using Ticket = std::uint64_t;

/// Where the features of an image are kept.
enum class Keep {
  in_host_memory,
  on_device,  ///< in the memory of the GPU that found them; in host memory if the device is not a GPU
};

/// How long the caller leaves the pixels of a submitted image, and of its mask, as they are.
enum class Pixels {
  until_submitted,  ///< until `submit` returns, whose thread copies them for a GPU
  /// until the features are collected. With several GPUs a thread of each copies them, so `submit` returns at once and
  /// one thread of the caller keeps all GPUs busy; errors of the image's work are then thrown by `collect`
  until_collected,
};

/// Finds and describes the keypoints of images: those of SIFT, or of a detector that derives from this class (Foagdd).
/// An Extractor keeps its buffers, so the second image of a size needs no allocation. On a GPU each image in flight has
/// its own buffers, up to best_in_flight() images. One Extractor must not be shared between threads. It is cheap to
/// make one per thread. It can be used again after an error.
class Extractor {
 public:
  /// SIFT with the default options, on the default device. Throws Error(device_unavailable).
  explicit Extractor();
  /// SIFT. Callers include octavo/sift_options.h. Throws Error(invalid_option) or Error(device_unavailable).
  explicit Extractor(const SiftOptions& options, const DeviceOptions& device = {});
  ~Extractor();
  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;

  /// Returns the features of `image` in canonical order. With several GPUs the first does the work. `mask` (u8, one
  /// channel, the size of the image; null: none) keeps the keypoints whose nearest pixel in it is not 0. The mask does
  /// not change the pyramid. `times`, if given, receives the times of the stages. An image too small for a single
  /// octave has no features, which is not an error. Values are taken as they are: map_to_full_scale is for those of few
  /// bits, or in a unit of their own (octavo/image_view.h). Throws Error(invalid_argument) for an invalid image or
  /// mask, and Error(out_of_memory).
  Features extract(const ImageView& image, const ImageView* mask = nullptr, std::vector<StageTime>* times = nullptr);

  /// Returns the features of an image in the memory of a CUDA device. That device does the work. It must be one of this
  /// extractor's devices; otherwise the call throws Error(invalid_argument). Float pixels are not checked: one
  /// outside 0…1 counts as 0 or 1, what is nearer, and NaN as 0.
  Features extract(const DeviceImage& image, const ImageView* mask = nullptr);

  /// Describes keypoints that the caller gives, in any order: of another detector, of another image, or of a grid.
  ///
  /// A keypoint is x, y and scale (σ, in pixels of the image) and, with OrientationFrom::keypoint, an orientation; any
  /// finite angle is allowed. It is described in the Gaussian image of the scale space whose blur is nearest to its
  /// scale in ratio (Lowe 2004, §5), at the pixel of that image nearest to (x, y), in a window of its own scale. Layer
  /// l of octave o has the blur σ0·2^(o + l/S), so it takes the scales from 2^(−0.5/S) to 2^(0.5/S) times that; a scale
  /// between two layers goes to the coarser. If octave and layer of the keypoint agree with its scale, they decide at
  /// the boundary between two layers. A window at the edge of the image is cut off there. Where the window has no
  /// gradient at all, the descriptor is 128 zeros.
  ///
  /// With OrientationFrom::image the orientations are those of an extraction, with the options `upright` and
  /// `max_orientations`. Options of detection and selection (thresholds, budgets) have no effect. Keypoints that cannot
  /// be described are in Description::left_out with the reason. They are no error.
  ///
  /// The keypoints of an extraction by the same options give its features again, byte by byte. Only an upright
  /// keypoint that lies exactly between two pixels may get the other one (x and y are rounded). Keypoints of views are
  /// described in the image, if their ellipses are not too long for it.
  ///
  /// With several GPUs the first does the work. The work has buffers of its own, beside those of `extract`. Foagdd
  /// describes as if `describe` were set, at scales that its one Gaussian image has: `descriptor_scale` times or
  /// divided by up to √2. Throws Error(invalid_argument) for an invalid image or for a detector without descriptors,
  /// and Error(out_of_memory).
  Description describe(const ImageView& image, std::span<const Keypoint> keypoints,
                       OrientationFrom from = OrientationFrom::keypoint);

  /// Works like `extract`, and leaves the features on the device.
  DeviceFeatures extract_on_device(const ImageView& image, const ImageView* mask = nullptr);
  /// Works like `extract` for an image on a CUDA device, and leaves the features on the device.
  DeviceFeatures extract_on_device(const DeviceImage& image, const ImageView* mask = nullptr);

  /// Starts the extraction of an image and returns a ticket for `collect`. `image` and `mask` need not outlive the
  /// call, unless `pixels` says so: then they are unchanged until the features are collected or the extractor is
  /// destroyed. On a GPU the call returns before the work is done, and the uploads, work and downloads of consecutive
  /// images overlap. With several GPUs, the GPU with the fewest images in flight takes the image. On the CPU and the
  /// reference the call does the work before it returns. Any number of images may be submitted. With best_in_flight()
  /// images in flight, the call waits until an earlier one is done. CUDA reads packed rows in pinned memory
  /// (cudaHostAlloc, cudaHostRegister) directly, which is the fastest. An error that is known at once is thrown here,
  /// and there is no ticket. `collect` throws later errors. Features that are never collected are kept until the
  /// extractor is destroyed. The destructor abandons the images in flight.
  Ticket submit(const ImageView& image, const ImageView* mask = nullptr, Keep keep = Keep::in_host_memory,
                Pixels pixels = Pixels::until_submitted);

  /// Starts the extraction of an image in the memory of a CUDA device, with the conditions of `extract`. The image is
  /// read in the order of its stream: work enqueued on that stream after this call may overwrite or free the image. Any
  /// other code must not change it until the ticket is collected.
  Ticket submit(const DeviceImage& image, const ImageView* mask = nullptr, Keep keep = Keep::in_host_memory);

  /// Waits for the features of a submitted image and returns them. Tickets can be collected in any order, each once.
  /// Throws the error of that image, or Error(invalid_argument) for a ticket that does not exist or is already
  /// collected.
  Features collect(Ticket ticket);

  /// Works like `collect`, without a copy: the features are on the device if the image was submitted with
  /// Keep::on_device, otherwise in host memory.
  DeviceFeatures collect_on_device(Ticket ticket);

  /// Waits for the images in flight and frees all buffers. The next image allocates new ones. Features that are not
  /// collected yet are kept.
  void release();

  /// Tells the memory that images of the shape of `image` (sides, channels, type; its pixels are not read), with or
  /// without a mask, take on each device, in the order of device(). Nothing is allocated. `extract` and `submit` do the
  /// same before the work, and throw Error(out_of_memory) if even the least is not available. Throws
  /// Error(invalid_argument) for sides and channels that `extract` refuses, and Error(out_of_memory) for an image that
  /// no GPU can hold (more than about 10^9 pixels).
  [[nodiscard]] std::vector<MemoryEstimate> estimate(const ImageView& image, bool masked = false) const;

  /// Tells the memory that `describe` takes for this number of keypoints of an image of the shape of `image`. See
  /// `estimate`. Throws Error(invalid_argument) as `describe` does.
  [[nodiscard]] MemoryEstimate estimate_description(const ImageView& image, std::size_t keypoints) const;

  /// The number of images in flight that keeps the devices busy; 1 if `submit` does the work before it returns.
  [[nodiscard]] int best_in_flight() const;

  /// The name of the device: "cpu", "reference", "cuda:0", "opencl:0" …, never "auto". Several GPUs are
  /// "cuda:0,cuda:1".
  [[nodiscard]] const std::string& device() const;
  /// The instruction set in use, e.g. "avx512"; "scalar" for the reference; "cuda" or "opencl" for a GPU. With several
  /// GPUs it is that of the first.
  [[nodiscard]] const std::string& isa() const;
  /// The largest number of CPU threads that it uses.
  [[nodiscard]] int threads() const;

 protected:
  /// Makes an extractor with another detector than SIFT.
  explicit Extractor(DetectorOnDevices detector);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
