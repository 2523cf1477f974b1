// The trilateral filter: the interface of a device, and the parts that all devices share. P. Choudhury, J. Tumblin,
// "The trilateral filter for high contrast images and meshes", EGSR 2003; windows as in Sawada's SIFT with this filter
// (2024). These two are the sources below.
//
// The steps for a grey image I:
//  1. Gradients: gx = I(x+1, y) − I(x, y), gy = I(x, y+1) − I(x, y), 0 at the last column and row; g = √(gx² + gy²).
//     σ_r = 0.15·(max g − min g). From here on grey values and gradients are scaled (trilateral_maths.h): u = I·k, the
//     gradients are those of u, and σ_r is 0.849….
//  2. A pixel's level f is the largest f for which the g of all pixels at most f away, in x and in y, lie between
//     g − σ_r and g + σ_r. It is at most ⌊log2 min(W, H)⌋, and at most the first level with the largest window.
//  3. Gradients are smoothed: the mean of those in a square of ±⌊(⌊σ_c⌋ − 1)/2⌋ pixels (so only for σ_c ≥ 3), weights
//     exp(−d²/2σ_c²)·exp(−(g_q − g_p)²/2σ_r²). Outside pixels are skipped.
//  4. The window of level f reaches ⌊2^f / 2⌋ pixels (or f) to each side, at most ⌊tσ_c⌋ (t: `truncate`).
//  5. out = I + ΣDw/Σw / k, clipped to 0…1, with D = u_q − (u_p + Gy·n + Gx·m) and w = exp(−(m² + n²)/2σ_c²)·2^(−D²).
//     The sums are over the pixels of the window that lie in the image and at most tσ_c away.
//
// A tap 5.77σ_c away has a spatial weight below 2^-24 of the centre's. The windows of the sources have no such bound,
// but the pixels beyond it have no visible effect: on photographs they change a grey value by less than 2^-20 at t =
// 5.77. The weights, which have a relative error of 1e-4, change one by less than 2e-5.
//
// Sums have one order, both in a window and in a square of gradients. First each row is summed from left to right, each
// of its sums starting at 0 (a tap is y = D·D + E(m) fused, w = 2^(−y), Σw + w, ΣDw + D·w fused; E(m) = m²·log2 e /
// 2σ_c²). Then the rows are added from top to bottom, from 0 (W(n) times the row's sum, fused; W(n) = exp(−n²/2σ_c²)).
// A tap of weight 0 changes nothing, so a device may include pixels outside if it gives them a value far from all
// others. Rows are independent sums, so several threads may share a window.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/core/plane.h"
#include "engine/device/registry.h"
#include "engine/maths/host_spelling.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/trilateral.h"

namespace octavo {

// Shared by kernels and hosts.
#include "engine/trilateral/trilateral_layout.h"

/// The parameters that depend on the options alone, computed once. Tables are indexed by the distance along x or y,
/// from 0 to the reach of the largest window or square.
struct TrilateralPlan {
  Luma luma;                       ///< of the grey image
  int certified;                   ///< 0: windows double from level to level
  int reach;                       ///< [pixel] ⌊tσ_c⌋
  int smoothing;                   ///< [pixel] half the square in which gradients are smoothed
  std::vector<float> exponent;     ///< E(m)
  std::vector<float> row_weight;   ///< W(n)
  std::vector<std::int32_t> disc;  ///< half the width [pixel] of a disc of radius tσ_c in row n
  TrilateralOrder order;           ///< of the pixels on a GPU

  /// The kernels' parameters for an image of this size.
  [[nodiscard]] TrilateralShape shape(int width, int height) const;
};

/// The plan for valid options.
TrilateralPlan plan_trilateral(const TrilateralOptions& options);

/// A level for each pixel, rows packed.
struct TrilateralLevels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> level;

  friend bool operator==(const TrilateralLevels&, const TrilateralLevels&) = default;
};

/// The distribution of pixels over the lanes of a device. The pixels of a tile are processed in order of their levels,
/// the highest first, `lanes` at a time through the largest window among them. If `runs` is set, groups of `lanes`
/// neighbours in a row with one level are processed before the others.
struct TrilateralSchedule {
  int tile_width = 1, tile_height = 1;
  int lanes = 1;
  bool runs = false;
  bool whole_image = false;  ///< there are no tiles: all pixels of the image are one tile
  double occupancy = 0;      ///< see GpuKernel; 0 if the device has no such number
};

class TrilateralEngine {
 public:
  virtual ~TrilateralEngine() = default;

  /// Filters an image in grey, 0…1. The image is valid. The times of the steps are appended to `times`, if that is not
  /// null.
  virtual void filter(const ImageView& image, Plane& out, std::vector<StageTime>* times = nullptr) = 0;

  /// The levels of the last filtered image.
  virtual void fetch_levels(TrilateralLevels& out) = 0;

  [[nodiscard]] virtual TrilateralSchedule schedule() const = 0;

  /// The memory that `filter` takes, beside `out`, for images of the shape of `image`, whose pixels are not read.
  [[nodiscard]] virtual MemoryNeed memory_for(const ImageView& image) const = 0;

  /// The GPU that it works on; null if that is none.
  [[nodiscard]] virtual const Gpu* gpu() const { return nullptr; }
};

/// The engine of a device. Throws Error(invalid_option) or Error(device_unavailable).
std::unique_ptr<TrilateralEngine> make_trilateral_engine(const TrilateralOptions& options,
                                                         const ResolvedDevice& device);
std::unique_ptr<TrilateralEngine> make_trilateral_engine(const TrilateralOptions& options, const DeviceOptions& device);

}  // namespace octavo
