#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "octavo/image_view.h"
#include "octavo/keypoint.h"

namespace octavo::refine {

/// [σ] from one sample of a patch to the next. Of 0.25, 0.35 and 0.5 it gave the best poses and homographies
/// (docs/evaluation.md).
inline constexpr double sample_step = 0.35;
inline constexpr int template_half = 10;  ///< [samples] half a side of what is found again: 3.5 σ
inline constexpr int patch_half = 16;     ///< [samples] the same of what is seen of an image, room for its moves
inline constexpr int patch_side = 2 * patch_half + 1;

/// What an image shows around a keypoint, in the keypoint's own frame: turned, scaled and, for an ellipse, stretched.
/// Row by row, from the least value of the patch, 0, to its greatest, 255.
using Patch = std::array<std::uint8_t, patch_side * patch_side>;

/// Whether a keypoint has a frame: a scale, and finite numbers.
bool has_frame(const Keypoint& keypoint);

/// An image of which patches are taken.
class PatchImage {
 public:
  /// Throws Error(invalid_argument) for an invalid image.
  explicit PatchImage(const ImageView& image);

  /// The patch around a keypoint with a frame. Beyond the edges the image goes on as at the edge.
  [[nodiscard]] Patch around(const Keypoint& keypoint) const;

 private:
  std::vector<cv::Mat> levels_;  // CV_16U; each is half as large as the one before, (0, 0) of all is the same point
};

}  // namespace octavo::refine
