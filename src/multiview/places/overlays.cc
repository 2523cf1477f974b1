#include "multiview/places/overlays.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "multiview/places/staying.h"

namespace octavo::places {
namespace {

constexpr double beside = 0.02;   // [longer side] from keypoints that stay: they belong together
constexpr int enough_beside = 2;  // keypoints that stay, so near to one

// Noise and what lies behind make some keypoints of an overlay come and go. Those between others belong to it too.
std::vector<bool> with_those_between(const std::vector<bool>& stays, const SeenFrame& frame) {
  const double near = beside * std::max(frame.size.width, frame.size.height);
  std::vector<bool> result = stays;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const Keypoint& one = frame.features.keypoints[i];
    int count = 0;
    for (std::size_t k = 0; k < stays.size() && !result[i]; ++k) {
      const Keypoint& other = frame.features.keypoints[k];
      if (stays[k] && std::abs(one.x - other.x) <= near && std::abs(one.y - other.y) <= near) {
        result[i] = ++count == enough_beside;
      }
    }
  }
  return result;
}

void take_out(Features& frame, const std::vector<bool>& stays) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    if (stays[i]) continue;
    frame.keypoints[kept] = frame.keypoints[i];
    std::copy_n(frame.descriptors.begin() + static_cast<std::ptrdiff_t>(i * descriptor_length), descriptor_length,
                frame.descriptors.begin() + static_cast<std::ptrdiff_t>(kept * descriptor_length));
    ++kept;
  }
  frame.keypoints.resize(kept);
  frame.descriptors.resize(kept * descriptor_length);
}

}  // namespace

std::vector<Match> without_overlays(const SeenFrame& a, const SeenFrame& b, const std::vector<Match>& matches) {
  const Staying staying = staying_keypoints(a, b);
  const std::vector<bool> of_a = with_those_between(staying.a, a), of_b = with_those_between(staying.b, b);
  std::vector<Match> others;
  std::ranges::copy_if(matches, std::back_inserter(others), [&](const Match& match) {
    return !of_a[static_cast<std::size_t>(match.a)] && !of_b[static_cast<std::size_t>(match.b)];
  });
  return others;
}

void take_out_overlays(std::span<Features* const> frames, ImageSize size) {
  const auto add = [](std::vector<bool>& sum, const std::vector<bool>& more) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum[i] || more[i];
  };
  std::vector<std::vector<bool>> stays;
  for (const Features* frame : frames) stays.emplace_back(frame->size(), false);
  for (std::size_t i = 1; i < frames.size(); ++i) {
    const Staying staying = staying_keypoints({*frames[i - 1], size}, {*frames[i], size});
    add(stays[i - 1], staying.a);
    add(stays[i], staying.b);
  }
  for (std::size_t i = 0; i < frames.size(); ++i) {
    take_out(*frames[i], with_those_between(stays[i], {*frames[i], size}));
  }
}

}  // namespace octavo::places
