// How the frames of two clips correlate, cell by cell (frame_cells.h).

#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "video/signature/frame_cells.h"

namespace octavo {

/// Frames of both clips that may show the same.
using FramePairs = std::vector<std::pair<const FrameCells*, const FrameCells*>>;

/// Sums of products of two series of values without their means, and their correlation.
struct Products {
  double aa = 0, ab = 0, bb = 0;
  std::size_t count = 0;

  void add(double a, double b) {
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ++count;
  }
  void add(const Products& other) {
    aa += other.aa;
    ab += other.ab;
    bb += other.bb;
    count += other.count;
  }
  /// Whether both vary enough to be compared.
  [[nodiscard]] bool vary(double variance) const {
    const double least = variance * static_cast<double>(count);
    return count > 0 && aa >= least && bb >= least;
  }
  [[nodiscard]] double correlation() const { return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0; }
};

using BlockProducts = std::array<Products, CellGrid::block_count>;

/// `values` is not empty.
double median(std::vector<double> values);

/// The correlations of the images within each block, one for each pair of frames that both have texture there.
/// `blocks`: the block of each cell.
std::array<std::vector<double>, CellGrid::block_count> correlations_in_space(const FramePairs& pairs,
                                                                             const std::vector<std::size_t>& blocks);

/// Whether two frames show one image, by the blocks in which both have texture: at least half of them correlate, and
/// half of these nearly entirely. Of a photograph of the same scene from another place fewer do.
bool show_one_image(const FrameCells& a, const FrameCells& b, const std::vector<std::size_t>& blocks);

/// Of the changes in time within each block, at the places (indices of cells) that count.
BlockProducts products_in_time(const FramePairs& pairs, const std::vector<std::size_t>& blocks,
                               const std::vector<std::size_t>& places);

/// Places that change tell more of the time than those that stay: their weight is the deviation over the frames.
std::vector<double> weights_of(const std::vector<FrameCells>& query, const std::vector<FrameCells>& other,
                               const std::vector<std::size_t>& places);

/// The weighted correlation of the values of two frames; 1 if both are flat, 0 if one is.
double correlation(const std::vector<float>& a, const std::vector<float>& b, const std::vector<std::size_t>& places,
                   const std::vector<double>& weights);

}  // namespace octavo
