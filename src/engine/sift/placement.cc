#include "engine/sift/placement.h"

#include <algorithm>
#include <cmath>

#include "engine/maths/double_precision.h"
#include "engine/maths/scalar.h"
#include "engine/sift/affine.h"
#include "engine/sift/keypoint.h"

namespace octavo {

using namespace maths;
#include "engine/sift/frame_maths.h"

namespace {

constexpr double ln2 = 0.693147180559945309417;

// Scales of an extraction are rounded, and may lie beyond a boundary by this factor.
constexpr double slack = 1 + 1e-5;

// A number of turns in [0, 1).
struct Turns {
  float nearest;
  bool is_ambiguous;  // another number gives the same angle in radians
};

Turns turns_of(float angle) {
  const double turns = angle / static_cast<double>(radians_of(1));
  float nearest = static_cast<float>(turns - std::floor(turns));
  if (nearest >= 1) nearest = 0;
  // Neighbours: the rounding to radians moves a number of turns by less than a unit.
  int matches = 0;
  float first = nearest;
  for (const float t : {nearest, std::nextafter(nearest, -1.0f), std::nextafter(nearest, 2.0f)}) {
    if (t < 0 || t >= 1 || radians_of(t) != angle) continue;
    if (matches++ == 0) first = t;
  }
  return {first, matches > 1};
}

// A pixel along a side of `size` pixels, and the other one if the place is exactly between two.
struct Pixels {
  int nearest, other;
};

Pixels pixels_at(float place, int size) {
  const float below = std::floor(place);
  const bool is_between = place - below == 0.5f;
  const auto inside = [&](float at) { return static_cast<int>(std::clamp(at, 0.0f, static_cast<float>(size - 1))); };
  const int nearest = inside(std::nearbyint(place));  // of two the even one
  return {nearest, !is_between ? nearest : inside(nearest == inside(below) ? below + 1 : below)};
}

}  // namespace

Placement::Placement(const SiftParts& parts, int width, int height)
    : scale_space_(parts.scale_space),
      description_(parts.description),
      plan_(plan_scale_space(width, height, parts.scale_space)),
      width_(width),
      height_(height) {
  const int levels = static_cast<int>(plan_.octaves.size()) * scale_space_.layers;
  for (int m = 0; m <= levels; ++m) {
    boundaries_.push_back(scale_space_.sigma *
                          exponential(ln2 * (scale_space_.first_octave + (m + 0.5) / scale_space_.layers)));
  }
}

std::optional<int> Placement::level_named_by(const Keypoint& k) const {
  const int octaves = static_cast<int>(plan_.octaves.size());
  if (k.layer < 1 || k.layer > scale_space_.layers) return std::nullopt;
  if (k.octave < scale_space_.first_octave || k.octave >= scale_space_.first_octave + octaves) return std::nullopt;
  const int level = (k.octave - scale_space_.first_octave) * scale_space_.layers + k.layer - 1;
  const std::size_t m = static_cast<std::size_t>(level);
  if (k.scale < boundaries_[m] / slack || k.scale > boundaries_[m + 1] * slack) return std::nullopt;
  return level;
}

std::variant<int, NotDescribed> Placement::level_of(const Keypoint& k) const {
  if (plan_.octaves.empty()) return NotDescribed::no_level;
  if (k.scale < boundaries_.front() / slack) return NotDescribed::scale_too_small;
  if (k.scale > boundaries_.back() * slack) return NotDescribed::scale_too_large;
  if (const std::optional<int> named = level_named_by(k)) return *named;
  const auto above = std::upper_bound(boundaries_.begin(), boundaries_.end(), static_cast<double>(k.scale));
  return std::clamp(static_cast<int>(above - boundaries_.begin()) - 1, 0, static_cast<int>(boundaries_.size()) - 2);
}

namespace {

// Sets the shape and the orientation to those of a keypoint's ellipse: A = σ·S·R, so that A·Aᵀ = σ²·S·Sᵀ. A
// matrix that has no ellipse leaves a circle. Returns false if the ellipse is longer than an extraction's: windows have
// room for those alone.
bool take_ellipse(const Keypoint& k, Oriented& at) {
  const double area = double{k.a11} * k.a22 - double{k.a12} * k.a21;
  const double xx = (double{k.a11} * k.a11 + double{k.a12} * k.a12) / area;
  const double yy = (double{k.a21} * k.a21 + double{k.a22} * k.a22) / area;
  const double xy = (double{k.a11} * k.a21 + double{k.a12} * k.a22) / area;
  if (!(area > 0) || !std::isfinite(xx) || !std::isfinite(yy)) return true;
  if (xx + yy > (longest_shape + 1 / longest_shape) * slack) return false;
  const double root = std::sqrt(yy), sigma = std::sqrt(area);
  at.shape = {static_cast<float>(1 / root), static_cast<float>(xy / root), static_cast<float>(root)};
  const double across = (root * k.a11 - xy / root * k.a21) / sigma, down = k.a21 / root / sigma;
  const float turns = angle_in_turns(static_cast<float>(down), static_cast<float>(across));
  at.turns = turns < 1 ? turns : 0;
  return true;
}

bool is_along(float at, int size) { return at >= -0.5f && static_cast<double>(at) <= size - 0.5; }

bool is_finite(const Keypoint& k, bool has_angle) {
  return std::isfinite(k.x) && std::isfinite(k.y) && std::isfinite(k.scale) &&
         (!has_angle || std::isfinite(k.orientation));
}

}  // namespace

std::variant<Placed, NotDescribed> Placement::place(const Keypoint& k, OrientationFrom from) const {
  const bool has_angle = from == OrientationFrom::keypoint;
  if (!is_finite(k, has_angle)) return NotDescribed::not_finite;
  if (!is_along(k.x, width_) || !is_along(k.y, height_)) return NotDescribed::outside;
  const std::variant<int, NotDescribed> level = level_of(k);
  if (const auto* reason = std::get_if<NotDescribed>(&level)) return *reason;

  const int octave = std::get<int>(level) / scale_space_.layers;
  const Size& size = plan_.octaves[static_cast<std::size_t>(octave)];
  const float to_octave = exp2_int(-(scale_space_.first_octave + octave));  // a power of two: nothing is rounded
  const Pixels row = pixels_at(k.y * to_octave, size.height), column = pixels_at(k.x * to_octave, size.width);
  const Turns turns = has_angle ? turns_of(k.orientation) : Turns{0, false};
  Placed placed;
  placed.at = {.octave = octave,
               .extremum = {.layer = std::get<int>(level) % scale_space_.layers + 1,
                            .row = row.nearest,
                            .column = column.nearest,
                            .row_offset = k.y * to_octave - static_cast<float>(row.nearest),
                            .column_offset = k.x * to_octave - static_cast<float>(column.nearest)},
               .scale = k.scale * to_octave,
               .turns = turns.nearest};
  placed.other_row = row.other;
  placed.other_column = column.other;
  // Upright keypoints all have the angle 0, which tells nothing of their place.
  const bool tells_place = has_angle && !description_.upright && !description_.affine;
  placed.is_ambiguous =
      tells_place && (turns.is_ambiguous || row.other != row.nearest || column.other != column.nearest);
  const bool takes_ellipse = has_angle && description_.affine && has_ellipse(k);
  if (takes_ellipse && !take_ellipse(k, placed.at)) return NotDescribed::shape_too_long;
  return placed;
}

Keypoint Placement::reported(Keypoint k, const Oriented& at, OrientationFrom from) const {
  const bool is_reduced = k.orientation >= 0 && k.orientation < radians_of(1);
  if (from == OrientationFrom::image || !is_reduced) k.orientation = radians_of(at.turns);
  if (from == OrientationFrom::image && description_.affine) set_ellipse(k, at);
  k.octave = scale_space_.first_octave + at.octave;
  k.layer = at.extremum.layer;
  return k;
}

std::vector<Oriented> possible_pixels(const Placed& placed) {
  std::vector<Oriented> pixels{placed.at};
  const auto also = [&](int row, int column) {
    Oriented other = placed.at;
    other.extremum.row_offset += static_cast<float>(other.extremum.row - row);
    other.extremum.column_offset += static_cast<float>(other.extremum.column - column);
    other.extremum.row = row;
    other.extremum.column = column;
    if (std::none_of(pixels.begin(), pixels.end(), [&](const Oriented& o) { return o.extremum == other.extremum; })) {
      pixels.push_back(other);
    }
  };
  const Extremum& e = placed.at.extremum;
  also(e.row, placed.other_column);
  also(placed.other_row, e.column);
  also(placed.other_row, placed.other_column);
  return pixels;
}

std::optional<float> turns_that_give(float angle, const Orientations& orientations) {
  for (int i = 0; i < orientations.count; ++i) {
    const float turns = orientations.turns[static_cast<std::size_t>(i)];
    if (radians_of(turns) == angle) return turns;
  }
  return std::nullopt;
}

}  // namespace octavo
