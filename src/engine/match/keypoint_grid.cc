#include "engine/match/keypoint_grid.h"

#include <algorithm>
#include <cmath>

namespace octavo {

namespace {

// Fewer keypoints per cell mean many cells along a line, more mean many keypoints to test.
constexpr double keypoints_per_cell = 8;

bool finite(const Keypoint& k) { return std::isfinite(k.x) && std::isfinite(k.y); }

}  // namespace

KeypointGrid::KeypointGrid(std::span<const Keypoint> keypoints, double side) {
  std::size_t count = 0;
  for (const Keypoint& k : keypoints) {
    if (!finite(k)) continue;
    if (count++ == 0) {
      x_.low = x_.high = k.x;
      y_.low = y_.high = k.y;
    }
    x_.low = std::min<double>(x_.low, k.x);
    x_.high = std::max<double>(x_.high, k.x);
    y_.low = std::min<double>(y_.low, k.y);
    y_.high = std::max<double>(y_.high, k.y);
  }
  if (count > 0) {
    const double width = x_.high - x_.low, height = y_.high - y_.low;
    const double cells = static_cast<double>(count) / keypoints_per_cell;
    side = std::max({side, std::sqrt(width * height / cells), width / cells, height / cells});
  }
  x_.side = y_.side = side;

  // Counting sort by cell.
  const auto cell = [&](const Keypoint& k) {
    return static_cast<std::size_t>(x_.cell(k.x)) * y_.cells() + y_.cell(k.y);
  };
  starts_.assign(static_cast<std::size_t>(x_.cells()) * y_.cells() + 1, 0);
  members_.resize(count);
  for (const Keypoint& k : keypoints) {
    if (finite(k)) ++starts_[cell(k)];
  }
  for (std::size_t c = 1; c < starts_.size(); ++c) starts_[c] += starts_[c - 1];
  for (std::size_t i = keypoints.size(); i-- > 0;) {
    const Keypoint& k = keypoints[i];
    if (finite(k)) members_[--starts_[cell(k)]] = {k.x, k.y, static_cast<std::int32_t>(i)};
  }
}

void KeypointGrid::find_in_column(int column, double y_low, double y_high, const GuideRegion& region,
                                  std::vector<std::int32_t>& found) const {
  if (y_low > y_.high || y_high < y_.low) return;
  const std::size_t first = static_cast<std::size_t>(column) * y_.cells();
  const std::int32_t begin = starts_[first + y_.cell(y_low)];
  const std::int32_t end = starts_[first + y_.cell(y_high) + 1];
  for (std::int32_t i = begin; i < end; ++i) {
    const Member& member = members_[i];
    if (region.contains(member.x, member.y)) found.push_back(member.index);
  }
}

void KeypointGrid::find(const GuideRegion& region, std::vector<std::int32_t>& found) const {
  found.clear();
  if (!region.exists()) return;
  const auto [p, q, n] = region.shape();
  // The searched cells reach a little beyond the region, so that rounding does not exclude a keypoint of the region.
  const double reach = region.radius() + 1e-9 * (std::abs(n) + std::abs(x_.low) + std::abs(x_.high) + std::abs(y_.low) +
                                                 std::abs(y_.high) + region.radius());
  if (region.model() == Guide::Model::homography) {
    if (p + reach < x_.low || p - reach > x_.high) return;
    for (int c = x_.cell(p - reach); c <= x_.cell(p + reach); ++c) {
      find_in_column(c, q - reach, q + reach, region, found);
    }
    return;
  }
  // |p·x + q·y + n| ≤ reach for some x of the column: q·y lies between −n ∓ reach less the extremes of p·x.
  for (int c = 0; c < x_.cells(); ++c) {
    const double left = p * (x_.low + c * x_.side), right = p * (x_.low + (c + 1) * x_.side);
    const double low = -n - reach - std::max(left, right), high = -n + reach - std::min(left, right);
    if (q > 0) {
      find_in_column(c, low / q, high / q, region, found);
    } else if (q < 0) {
      find_in_column(c, high / q, low / q, region, found);
    } else if (low <= 0 && high >= 0) {
      find_in_column(c, y_.low, y_.high, region, found);
    }
  }
}

}  // namespace octavo
