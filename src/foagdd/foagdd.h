// FOAGDD corners: what a device must offer, and what all devices share.
//
// The image in grey, 0…255, is extended by 7 pixels (the edge's pixels repeated, then their neighbours, as a mirror
// would) and by zeros beyond. Its responses to the filters of σ = 1.5 (filters.h) give each pixel a measure: M_ab is
// the sum of the products of the responses in the directions a and b over a disc, the measure det M / tr M
// (foagdd_maths.h). A candidate is a pixel whose measure exceeds the threshold and those of its 5×5 neighbourhood, or
// equals them. It is a corner if its measures of the larger scales exceed the threshold too; these are computed at
// candidates alone.
//
// Sums have one order. Of a filter: the order of its taps, each product fused. Of the disc: t_0 = p(0),
// t_1 = (p(−1) + p(1)) + p(0), t_n = t_(n−1) + (p(−n) + p(n)) along a row; then the rows' t, of the half width that the
// row has, from the outermost inwards: (t(−r) + t(r)), + (t(−r+1) + t(r−1)), … + t(0).

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/plane.h"
#include "foagdd/filters.h"
#include "maths/host_spelling.h"
#include "octavo/device.h"
#include "octavo/foagdd_options.h"
#include "octavo/image.h"
#include "sift/engine.h"
#include "sift/extraction.h"

namespace octavo {

/// A corner sits on a pixel.
struct FoagddPoint {
  std::int32_t row = 0;
  std::int32_t column = 0;
  std::int32_t key = 0;  ///< of its measure at σ = 1.5, see foagdd_maths.h

  friend bool operator==(const FoagddPoint&, const FoagddPoint&) = default;
};

/// Some pixels of the image.
struct FoagddRegion {
  int row_begin, row_end;  ///< the end is the row after the last
  int column_begin, column_end;
};

/// What follows from the options, once.
struct FoagddPlan {
  int directions;         ///< K
  int window;             ///< [pixel]
  Luma luma;              ///< of the grey image
  int threshold_key;      ///< measures above it count
  std::vector<int> disc;  ///< half the disc's width [pixel], by distance from its middle row
  std::vector<FoagddFilter> scales;

  [[nodiscard]] int reach() const { return window / 2; }                            ///< of the disc [pixel]
  [[nodiscard]] int products() const { return directions * (directions + 1) / 2; }  ///< of two directions
};

/// The options are valid.
FoagddPlan plan_foagdd(const FoagddOptions& options);

// Words for kernels and hosts alike.
#include "foagdd/foagdd_layout.h"

/// Whether an image is large enough for a corner.
inline bool has_corners(int width, int height) { return width >= 2 * corner_border && height >= 2 * corner_border; }

/// Whose measures decide on corners. The image is large enough.
inline FoagddRegion measured_region(int width, int height) {
  return {measured_border, height - measured_border + 1, measured_border, width - measured_border + 1};
}

/// Base-10 logarithm of the measure that a key stands for; key > 0.
float log10_of_measure(std::int32_t key);

/// Usable after an error.
class FoagddEngine {
 public:
  virtual ~FoagddEngine() = default;

  /// Starts on an image; on a GPU it returns before the work is done. Masks count, `keep` does not.
  virtual void begin(const ExtractionJob& job) = 0;

  /// The corners of the image begun last, row by row. `times`, if given, gets the stages' times appended, where the job
  /// was to be timed.
  virtual std::vector<FoagddPoint> finish(std::vector<StageTime>* times) = 0;

  /// Where the image begun last is on a GPU, until another is begun; or nowhere.
  virtual std::optional<PixelsOnGpu> pixels_on_gpu() { return std::nullopt; }

  /// Both at once.
  std::vector<FoagddPoint> detect(const ImageView& image, std::vector<StageTime>* times = nullptr) {
    begin({.image = image, .timed = times != nullptr});
    return finish(times);
  }
};

/// An engine that works on the calling thread.
class FoagddHostEngine : public FoagddEngine {
 public:
  void begin(const ExtractionJob& job) final;
  std::vector<FoagddPoint> finish(std::vector<StageTime>* times) final;

 protected:
  /// The corners of a valid image, row by row. `times`, if given, gets the stages' times appended.
  virtual std::vector<FoagddPoint> corners(const ImageView& image, std::vector<StageTime>* times) = 0;

 private:
  std::vector<FoagddPoint> found_;
  std::vector<StageTime> times_;
};

/// The engine of a device. Throws Error(invalid_option) or Error(device_unavailable).
std::unique_ptr<FoagddEngine> make_foagdd_engine(const FoagddOptions& options, const DeviceOptions& device);

}  // namespace octavo
