// Views: an image of a plane, as a camera would see it from aside (Morel and Yu, "ASIFT: a new framework for fully
// affine invariant image comparison", SIAM Journal on Imaging Sciences 2(2), 2009). A camera far away maps a plane by
// an affinity. Without its scale and its turn, which SIFT finds by itself, that is a turn of the image by an angle and
// then a tilt t: the image is compressed t times along x, after a blur of σ = 0.8·√(t² − 1) pixels along x, with which
// a sharp image stays free of aliases. Two images of a plane that SIFT cannot match have views that it matches.

#pragma once

#include <array>
#include <vector>

#include "octavo/choices.h"
#include "octavo/image_view.h"

namespace octavo {

struct View {
  int tilt = 1;      ///< t ≥ 1
  double angle = 0;  ///< [radian] from +x towards +y, in [0, π)

  /// The image itself.
  [[nodiscard]] bool is_image() const { return tilt == 1; }
};

/// The image itself, then its views by ascending tilt and angle: few have the tilt 3 in 4 directions and 6 in 10; many
/// have 2 in 4, 4 in 8 and 8 in 16. The directions of a tilt divide half a turn evenly. Their numbers are even, since
/// many a plane is seen from straight aside or from straight below.
std::vector<View> views_of(Views views);

/// Where a view of an image of this size lies: the place v = (x, y) of the view shows the place
///   p = (c·(t·x + left) + s·(y + top), −s·(t·x + left) + c·(y + top)), c = cos(angle), s = sin(angle)
/// of the image. The view holds the whole turned image.
struct ViewFrame {
  ViewFrame(const View& view, int image_width, int image_height);

  /// Whether it is not much larger than the image, as the diagonal views of a strip are, which hold the strip's square:
  /// at most 4 times as many pixels, or a million. Views of images up to 13 times as long as wide all fit.
  [[nodiscard]] bool fits(int image_width, int image_height) const;

  [[nodiscard]] std::array<double, 2> in_image(double x, double y) const;
  /// ∂p/∂v, row by row. Its determinant is the tilt.
  [[nodiscard]] std::array<double, 4> jacobian() const;

  int tilt;
  double cosine, sine, left, top;
  int width, height;  ///< [pixel] of the view
};

}  // namespace octavo
