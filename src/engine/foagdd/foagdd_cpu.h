// FOAGDD on the CPU. Tiles of the image stream from top to bottom: a row of responses enters, its products are summed
// along the row and kept in rings until the disc around a row is complete, and the measures of that row leave. Only the
// extended image and one integer per pixel stay in memory.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/core/plane.h"
#include "engine/device/cpu_isa.h"
#include "engine/device/cpu_pool.h"
#include "engine/foagdd/foagdd.h"

namespace octavo {

/// A filter whose taps are offsets within an image of a certain stride.
struct FoagddFilterOnImage {
  struct Distance {
    /// [float] From the centre to the pixel (i, j). The pixel (−i, −j) has the opposite offset.
    std::ptrdiff_t forward;
    std::ptrdiff_t backward;  ///< to (i, −j)
  };
  FoagddFilterOnImage(const FoagddFilter& filter, std::ptrdiff_t stride);

  const FoagddFilter* filter;
  std::vector<Distance> taps;
};

/// Measures pixels. It holds the rings, so each thread has one.
class FoagddMeasuresCpu {
 public:
  FoagddMeasuresCpu(const FoagddPlan& plan, Isa isa);

  /// The greatest number of columns of a region, and a multiple of every vector's length.
  static constexpr int most_columns = 128;

  /// [byte] of its buffers.
  [[nodiscard]] std::size_t bytes() const;

  /// The key of one pixel.
  std::int32_t run(const Plane& extended, const FoagddFilterOnImage& filter, int row, int column);

  /// The responses of `count` pixels of a row from `column` on, at most most_columns: the first `count` values of K
  /// rows, which are valid until the next call.
  const Plane& respond(const Plane& extended, const FoagddFilterOnImage& filter, int row, int column, int count);

  /// Computes reference::measures and writes the keys row by row to `keys`, in rows `stride` apart. Whole vectors are
  /// written: up to 15 keys beyond the end of a row.
  void run(const Plane& extended, const FoagddFilterOnImage& filter, const FoagddRegion& region, std::int32_t* keys,
           std::ptrdiff_t stride);

 private:
  float* ring_row(int half, int pair, int row);
  void measure(int row, int columns, std::int32_t* keys);

  Isa isa_;
  int directions_, pairs_;
  std::vector<int> disc_;  // half its width, by distance from the middle row
  // By half width: the number of rows of such sums that are kept; 0 if the disc has no such row.
  std::vector<int> depth_;
  std::vector<int> first_;  // by half width: the row of rings_ at which they begin
  Plane responses_, products_, rings_, square_;
  std::vector<const float*> disc_rows_;
};

/// The stride of the keys of a region [key]: its rows of whole vectors.
int key_stride_of(const FoagddRegion& region);

/// Computes reference::measures in tiles on the threads of the pool, as FoagddMeasuresCpu::run writes them.
/// `measures_of` gives the measuring object of a thread.
void measure_in_tiles(CpuPool& pool, const std::function<FoagddMeasuresCpu&(int thread)>& measures_of,
                      const Plane& extended, const FoagddFilterOnImage& filter, const FoagddRegion& region,
                      std::int32_t* keys);

std::unique_ptr<FoagddEngine> make_foagdd_cpu(const FoagddOptions& options, Isa isa, CpuPool pool);

}  // namespace octavo
