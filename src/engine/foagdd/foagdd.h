// FOAGDD corners: the interface of a device, and the parts that all devices share.
//
// The image in grey, 0…255, is extended by 7 mirrored pixels (the edge's pixels repeated, then their neighbours) and by
// zeros beyond. Its responses to the filters of σ = 1.5 (filters.h) give each pixel a measure: M_ab is the sum of the
// products of the responses in the directions a and b over a disc, and the measure is det M / tr M (foagdd_maths.h). A
// candidate is a pixel whose measure exceeds the threshold and is the greatest, or equal to the greatest, of its 5×5
// neighbourhood. It is a corner if its measures at the larger scales also exceed the threshold. These are computed at
// candidates alone.
//
// Sums have one order. A filter is summed in the order of its taps, and each product is fused. The disc is summed along
// rows first: t_0 = p(0), t_1 = (p(−1) + p(1)) + p(0), t_n = t_(n−1) + (p(−n) + p(n)). Then the t of the rows, each
// with the half width of its row, are added from the outermost row inwards: (t(−r) + t(r)), + (t(−r+1) + t(r−1)), … +
// t(0).

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/core/plane.h"
#include "engine/device/image_on_gpu.h"
#include "engine/device/registry.h"
#include "engine/extract/detector.h"
#include "engine/foagdd/filters.h"
#include "engine/maths/host_spelling.h"
#include "octavo/device.h"
#include "octavo/foagdd.h"
#include "octavo/image_view.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A corner, at a pixel.
struct FoagddPoint {
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t key = 0;  ///< of its measure at σ = 1.5, see foagdd_maths.h

  friend bool operator==(const FoagddPoint&, const FoagddPoint&) = default;
};

/// A rectangle of pixels of the image.
struct FoagddRegion {
  int row_begin, row_end;  ///< row_end is one past the last row
  int column_begin, column_end;
};

/// The parameters that depend on the options alone, computed once.
struct FoagddPlan {
  int directions;         ///< K
  int window;             ///< [pixel]
  Luma luma;              ///< of the grey image
  bool round_grey;        ///< to whole numbers
  int threshold_key;      ///< the key of the threshold; a measure must exceed it
  std::vector<int> disc;  ///< half the disc's width [pixel], by distance from its middle row
  std::vector<FoagddFilter> scales;

  [[nodiscard]] int reach() const { return window / 2; }                            ///< of the disc [pixel]
  [[nodiscard]] int products() const { return directions * (directions + 1) / 2; }  ///< of two directions
};

/// σ of a scale [pixel²], which counts from 1.
inline double sigma_of_scale(int scale) { return 1.5 * scale; }

/// The plan for valid options.
FoagddPlan plan_foagdd(const FoagddOptions& options);

/// True if an image is large enough for a corner.
inline bool has_corners(int width, int height) { return width >= 2 * corner_border && height >= 2 * corner_border; }

/// Photographs have about one corner for every 300 pixels.
constexpr std::size_t usual_corners(int width, int height) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(height) / 300 + 64;
}

/// The pixels whose measures decide on corners. The image is large enough.
inline FoagddRegion measured_region(int width, int height) {
  return {measured_border, height - measured_border + 1, measured_border, width - measured_border + 1};
}

/// Base-10 logarithm of the measure with this key; key > 0.
float log10_of_measure(std::int32_t key);

/// The key of the same pixel at half the contrast; it may be below 0. The measure grows with the contrast to the power
/// 2K − 2.
std::int32_t key_at_half_contrast(std::int32_t key, int directions);

/// The interface of a device. Usable after an error.
class FoagddEngine {
 public:
  virtual ~FoagddEngine() = default;

  /// Starts an image. On a GPU it returns before the work is done. The mask is applied; `keep` is ignored.
  virtual void begin(const DetectorJob& job) = 0;

  /// The corners of the last image that was begun, row by row. If the job was timed, the times of the stages are
  /// appended to `times`, unless that is null.
  virtual std::vector<FoagddPoint> finish(std::vector<StageTime>* times) = 0;

  /// The memory that it takes for images of the shape of `image`, whose pixels are not read.
  [[nodiscard]] virtual MemoryNeed memory_for(const ImageView& image, bool masked) const = 0;
  /// True if it keeps that memory for the next image.
  [[nodiscard]] virtual bool keeps_memory() const { return true; }

  /// Calls `begin` and `finish`.
  std::vector<FoagddPoint> detect(const ImageView& image, std::vector<StageTime>* times = nullptr) {
    begin({.image = image, .timed = times != nullptr});
    return finish(times);
  }
};

/// An engine that works on the calling thread.
class FoagddHostEngine : public FoagddEngine {
 public:
  void begin(const DetectorJob& job) final;
  std::vector<FoagddPoint> finish(std::vector<StageTime>* times) final;

 protected:
  /// The corners of a valid image, row by row. The times of the stages are appended to `times`, if that is not null.
  virtual std::vector<FoagddPoint> corners(const ImageView& image, std::vector<StageTime>* times) = 0;

 private:
  std::vector<FoagddPoint> found_;
  std::vector<StageTime> times_;
};

/// The engine of a device. Throws Error(invalid_option) or Error(device_unavailable).
std::unique_ptr<FoagddEngine> make_foagdd_engine(const FoagddOptions& options, const ResolvedDevice& device);
std::unique_ptr<FoagddEngine> make_foagdd_engine(const FoagddOptions& options, const DeviceOptions& device);

}  // namespace octavo
