// The directional filters of FOAGDD, in the form that every device applies.
//
// Theory (Zhang and Sun 2020, §3): the first-order anisotropic Gaussian directional derivative
//   φ_θ(x, y) = −ρu/(2πσ²)·exp(−(ρu² + v²/ρ)/(2σ)),  u = x·cos θ + y·sin θ,  v = −x·sin θ + y·cos θ,
// x along the rows' index and y along the columns', −15…15 each; σ is a variance, as in the authors' code. It is odd
// under point reflection, so its mean is 0, and it splits into P, odd in x and even in y, and Q, even in x and odd in
// y. The direction π − θ has the same two parts: φ_(π−θ) = −P + Q. So a pair of directions needs two sums, A of P and B
// of Q, for both its responses |A + B| and |A − B|; and the four pixels at (±i, ±j) are added up once for all
// directions:
//   P·((I(i, j) − I(−i, −j)) + (I(i, −j) − I(−i, j))),  Q·((I(i, j) − I(−i, −j)) − (I(i, −j) − I(−i, j))).
// Taps that are below 1e-6 of the largest in every direction are left out: at σ = 1.5 all beyond 7 pixels. For K = 8
// that leaves 41 quadruples of 4 + 8 operations (a fused one counts as one), 14 pairs of 1 + 4, and 14 at the end: 576
// a pixel. The filters taken literally, 31×31 each, are 7688. Filters of low rank (4 to 5 for each P and Q at 1e-6, 6
// to 7 jointly) were counted too: about 700, and planes of intermediate results on top.

#pragma once

#include <vector>

#include "engine/maths/host_spelling.h"

namespace octavo {

#include "engine/foagdd/foagdd_layout.h"

/// K filters of one scale. Convolution or correlation: the absolute value of the response is the same.
struct FoagddFilter {
  int directions = 0;  ///< K
  int radius = 0;      ///< of the farthest tap, along rows or columns [pixel]
  /// First the taps straight below, which Q does not have, then those straight to the right, which P does not have,
  /// then the quadruples; each kind by row and column. The sums have this order.
  std::vector<FoagddTap> taps;
  int below = 0;  ///< number of taps of the first kind
  int aside = 0;  ///< number of taps of the second kind
  /// K for each tap: P of the directions 0…odd_parts − 1, then Q of the directions 1…even_parts.
  std::vector<float> weights;

  [[nodiscard]] int odd_parts() const { return (directions + 1) / 2; }  ///< number of sums A; θ = 0 has no Q
  [[nodiscard]] int even_parts() const { return directions / 2; }       ///< number of sums B; θ = π/2 has no P
};

/// The filter of one direction as an image, filter_side × filter_side weights, row by row: what `filter` computes, with
/// 0 for the taps that it leaves out.
inline constexpr int filter_side = 2 * farthest_tap + 1;
std::vector<float> image_of_filter(const FoagddFilter& filter, int direction);

/// The filters of a scale, in double from +, −, ×, ÷ and sqrt alone, rounded once.
FoagddFilter foagdd_filter(int directions, double sigma, double rho);

}  // namespace octavo
