#include "multiview/places/staying.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>

#include "multiview/places/frame_share.h"

namespace octavo::places {
namespace {

// What noise and coding change of a keypoint; a small, coarse copy moves it by a pixel or two of 320.
constexpr double same_share = 0.0075;                         // [side of the frame]
constexpr double largest_turn = 17 * std::numbers::pi / 180;  // [radian] as that of static features of signatures
constexpr double largest_zoom = 1.3;                          // the same
constexpr double least_cosine = 0.8;  // of descriptors; those of different things have about 0.6

constexpr int cells = 8;  // along each side; the middle is half of a side
// Of the cells with keypoints of both frames, so many have one that stays where most of the frame does. A logo, a clock
// and lines of text fill less.
constexpr double least_filled = 0.5;

using Cells = std::array<bool, std::size_t{cells} * cells>;

std::size_t cell_of(const Share& share) {
  const auto along = [](double s) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(s * cells), 0, cells - 1));
  };
  return along(share.y) * cells + along(share.x);
}

bool is_inner(std::size_t cell) {
  return is_inner(
      Share{(static_cast<double>(cell % cells) + 0.5) / cells, (static_cast<double>(cell / cells) + 0.5) / cells});
}

Cells occupied(const SeenFrame& frame) {
  Cells result{};
  for (const Keypoint& keypoint : frame.features.keypoints) result[cell_of(share_of(keypoint, frame.size))] = true;
  return result;
}

// Whether the filled cells are most of the middle, or of what is around it.
bool fills(const Cells& filled, const Cells& in_a, const Cells& in_b, bool inner) {
  std::size_t all = 0, some = 0;
  for (std::size_t i = 0; i < filled.size(); ++i) {
    if (is_inner(i) != inner || !in_a[i] || !in_b[i]) continue;
    ++all;
    some += filled[i];
  }
  return some > 0 && static_cast<double>(some) >= least_filled * static_cast<double>(all);
}

bool are_alike(const SeenFrame& a, std::size_t i, const SeenFrame& b, std::size_t k) {
  const Keypoint &one = a.features.keypoints[i], &other = b.features.keypoints[k];
  const double zoom = (1.0 * other.scale / b.size.width) / (1.0 * one.scale / a.size.width);
  if (zoom > largest_zoom || zoom < 1 / largest_zoom) return false;
  if (std::abs(std::remainder(one.orientation - other.orientation, 2 * std::numbers::pi)) > largest_turn) return false;
  const auto p = a.features.descriptor(i), q = b.features.descriptor(k);
  const double pq = std::inner_product(p.begin(), p.end(), q.begin(), 0);
  const double pp = std::inner_product(p.begin(), p.end(), p.begin(), 0);
  const double qq = std::inner_product(q.begin(), q.end(), q.begin(), 0);
  return pq > 0 && pq >= least_cosine * std::sqrt(pp * qq);
}

}  // namespace

Staying staying_keypoints(const SeenFrame& a, const SeenFrame& b) {
  std::vector<std::size_t> order(b.features.size());  // from left to right
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto x_in_b = [&](std::size_t k) { return share_of(b.features.keypoints[k], b.size).x; };
  std::ranges::sort(order, {}, x_in_b);
  Staying staying{std::vector<bool>(a.features.size(), false), std::vector<bool>(b.features.size(), false)};
  Cells filled{};
  for (std::size_t i = 0; i < a.features.size(); ++i) {
    const Share share = share_of(a.features.keypoints[i], a.size);
    for (auto k = std::ranges::lower_bound(order, share.x - same_share, {}, x_in_b);
         k != order.end() && x_in_b(*k) <= share.x + same_share; ++k) {
      const double y = share_of(b.features.keypoints[*k], b.size).y;
      if (std::abs(y - share.y) > same_share || !are_alike(a, i, b, *k)) continue;
      staying.a[i] = staying.b[*k] = true;
      filled[cell_of(share)] = true;
    }
  }
  const Cells of_a = occupied(a), of_b = occupied(b);
  if (!fills(filled, of_a, of_b, true) || !fills(filled, of_a, of_b, false)) return staying;
  return {std::vector<bool>(a.features.size(), false), std::vector<bool>(b.features.size(), false)};
}

}  // namespace octavo::places
