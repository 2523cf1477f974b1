// Where an image lies in another clip's frame, to a fraction of a pixel. Features of frames that are not shown at the
// same time fit a place that lies off by what the camera moves meanwhile, and at that place images correlate best at
// that false time. So both are told together (Lucas and Kanade 1981): at each time a least-squares fit of the place.

#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "video/signature/frame_cells.h"

namespace octavo {

/// By how much the cells of the other clip's frames should lie elsewhere: CellSlopes says in which directions. [pixel]
using PlaceOffset = std::array<double, std::tuple_size_v<CellSlopes>>;

/// A frame whose cells lie elsewhere; nothing changes where it has no slopes.
FrameCells moved(FrameCells frame, const PlaceOffset& offset);

/// Fits one offset to pairs of frames: normalised to the same mean and deviation, they differ by the slopes times it.
class PlaceFit {
 public:
  /// Frames of the query and of the other clip, at the places (indices of cells) that count, by their weights. Frames
  /// of one grey say nothing.
  void add(const FrameCells& query, const FrameCells& other, const std::vector<std::size_t>& places,
           const std::vector<double>& weights);

  void add(const PlaceFit& other);

  /// A frame of the query without a partner, which counts as one that has nothing in common with it.
  void add_unlike();

  /// The best offset; 0 in all directions if the frames do not tell it, or if it is farther than slopes reach.
  [[nodiscard]] PlaceOffset offset() const;

  /// What the offset leaves unexplained of a frame, the mean, 0…2.
  [[nodiscard]] double unexplained(const PlaceOffset& offset) const;

 private:
  static constexpr std::size_t size = std::tuple_size_v<PlaceOffset>;
  std::array<std::array<double, size>, size> slopes_{};  // sums of products of slopes,
  std::array<double, size> differences_{};               // of slopes and differences,
  double squares_ = 0;                                   // and of squares of differences
  double frames_ = 0;
};

}  // namespace octavo
