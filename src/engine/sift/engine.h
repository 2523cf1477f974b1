// The interface of a device that extracts SIFT stage by stage: the stages that read pixels. Masks, budgets and
// canonical order are the same for all devices and are in detector_staged.cc.

#pragma once

#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "engine/core/plane.h"
#include "engine/device/registry.h"
#include "engine/extract/oriented.h"
#include "engine/sift/orientation.h"
#include "engine/sift/sift_parts.h"
#include "octavo/device.h"
#include "octavo/image_view.h"

namespace octavo {

class SiftEngine {
 public:
  virtual ~SiftEngine() = default;

  /// Builds the part of a valid image's scale space that `orient` and `describe` read: images 1…S of each octave.
  virtual void smooth(const ImageView& image) = 0;

  /// Builds the scale space of a valid image and finds its extrema: one sorted list per octave.
  virtual std::vector<std::vector<Extremum>> detect(const ImageView& image) = 0;

  /// Takes the extrema of some rows of an octave, sorted.
  using TakeFound = std::function<void(int octave, const std::vector<Extremum>& found)>;

  /// The same part by part. While `take` works on a part, `orient` and `describe` serve its points, with windows of
  /// their own size. The scale space is never in memory as a whole, if that is possible.
  virtual void detect_in_parts(const ImageView& image, const TakeFound& take) {
    const std::vector<std::vector<Extremum>> found = detect(image);
    for (std::size_t o = 0; o < found.size(); ++o) take(static_cast<int>(o), found[o]);
  }

  /// Finds the extrema of a valid image as `detect` does. Afterwards windows are served in visits alone, so that large
  /// images need not stay.
  virtual std::vector<std::vector<Extremum>> detect_for_visits(const ImageView& image) { return detect(image); }

  /// Takes the indices of some points.
  using TakePoints = std::function<void(const std::vector<std::size_t>& indices)>;

  /// Visits points of that image, each once, some at a time. While `take` works on some, `fit_shapes`, `orient` and
  /// `describe` serve them.
  virtual void visit(const ImageView&, const std::vector<Oriented>& points, const TakePoints& take) {
    std::vector<std::size_t> all(points.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    take(all);
  }

  /// Sets the shapes of points of the last image (affine.h).
  virtual void fit_shapes(std::vector<Oriented>& extrema) = 0;

  /// The orientations of points of the last image, which need not be extrema. `orientations[i]` belongs to
  /// `extrema[i]`, whose `turns` are not set yet. Points may be equal. At most 2^24 of them.
  virtual std::vector<Orientations> orient(const std::vector<Oriented>& extrema) = 0;

  /// The descriptors (N×128) of keypoints of the last image.
  virtual void describe(const std::vector<Oriented>& keypoints, std::uint8_t* descriptors) = 0;

  /// A Gaussian image of the last image's scale space: octave counted from 0, layer 1…S.
  [[nodiscard]] virtual const Plane& level(int octave, int layer) = 0;

  /// The memory that `detect` takes for images of the shape of `image`, whose pixels are not read.
  [[nodiscard]] virtual MemoryNeed memory_for(const ImageView& image) const = 0;

  /// The memory that `detect_in_parts` takes for such images.
  [[nodiscard]] virtual MemoryNeed memory_for_parts(const ImageView& image) const { return memory_for(image); }

  /// The memory that `detect_for_visits` and visits take for such images.
  [[nodiscard]] virtual MemoryNeed memory_for_visits(const ImageView& image) const { return memory_for(image); }

  /// The memory that `smooth` takes for such images, and `orient` and `describe` for up to this number of points at a
  /// time, beside the lists of the caller.
  [[nodiscard]] virtual MemoryNeed memory_for_description(const ImageView& image, std::size_t points) const = 0;
};

/// A function that tells the number of octaves of an image by its width and height.
std::function<int(int width, int height)> octaves_of(const ScaleSpaceOptions& scale_space);

/// The engine of a device, for parts of options that are valid and find keypoints.
std::unique_ptr<SiftEngine> make_engine(const SiftParts& parts, const ResolvedDevice& device);
/// The engine of a device by its name. Throws Error(invalid_option) or Error(device_unavailable).
std::unique_ptr<SiftEngine> make_engine(const SiftOptions& options, const DeviceOptions& device);

}  // namespace octavo
