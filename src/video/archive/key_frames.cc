#include "video/archive/key_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>

namespace octavo {

namespace {

constexpr double interval = 2;       // [second] that a key frame stands for
constexpr double stands_long = 0.8;  // [second] A frame that is shown for so long says something of its own.
constexpr std::size_t most_features = 160;
constexpr std::size_t cells = 4;  // in a row, and in a column

double score_of(const FrameSignature& frame) {
  return static_cast<double>(std::min(frame.features.size(), most_features)) * (frame.until - frame.seconds);
}

bool stands(const FrameSignature& frame) { return frame.until - frame.seconds >= stands_long; }

// [1/64 pixel]
std::size_t cell_at(std::uint16_t place, std::uint16_t side) {
  return std::min<std::size_t>(cells * place / std::max<std::size_t>(1, std::size_t{64} * side), cells - 1);
}

}  // namespace

std::vector<std::uint32_t> key_frames(const ClipSignature& clip) {
  std::vector<std::uint32_t> keys;
  double of_interval = -1;
  for (std::uint32_t i = 0; i < clip.frames.size(); ++i) {
    const FrameSignature& frame = clip.frames[i];
    if (frame.features.empty()) continue;
    const double number = std::floor(frame.seconds / interval);
    if (keys.empty() || number != of_interval) {
      keys.push_back(i);
      of_interval = number;
    } else if (stands(frame) && stands(clip.frames[keys.back()])) {
      keys.push_back(i);
    } else if (score_of(frame) > score_of(clip.frames[keys.back()])) {
      keys.back() = i;
    }
  }
  return keys;
}

std::vector<ListedFeature> listed_features(const FrameSignature& frame) {
  struct Place {
    std::size_t rank;  // in its cell
    int scale;
    std::uint32_t feature;
  };
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < frame.features.size(); ++i) places.push_back({0, frame.features[i].scale, i});
  const auto coarsest_first = [](const Place& p) { return std::tuple(p.rank, -p.scale, p.feature); };
  std::ranges::sort(places, {}, coarsest_first);
  std::array<std::size_t, cells * cells> in_cell{};
  for (Place& place : places) {
    const SignatureFeature& feature = frame.features[place.feature];
    place.rank = in_cell[cell_at(feature.y, frame.height) * cells + cell_at(feature.x, frame.width)]++;
  }
  std::ranges::sort(places, {}, coarsest_first);
  places.resize(std::min(places.size(), most_features));
  std::ranges::sort(places, {}, &Place::feature);
  std::vector<ListedFeature> listed;
  for (const Place& place : places) {
    const SignatureFeature& one = frame.features[place.feature];
    listed.push_back({.word = one.word, .code = one.code[0], .scale = one.scale, .orientation = one.orientation});
  }
  return listed;
}

}  // namespace octavo
