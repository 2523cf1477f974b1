#include "engine/match/distinct.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include "engine/match/matches.h"

namespace octavo {

namespace {

double squared(double x) { return x * x; }

bool are_near(const Keypoint& a, const Keypoint& b, double radius) {
  return squared(double{a.x} - double{b.x}) + squared(double{a.y} - double{b.y}) <= squared(radius);
}

std::uint32_t distance2_of(std::span<const std::uint8_t, descriptor_length> a,
                           std::span<const std::uint8_t, descriptor_length> b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < descriptor_length; ++i) {
    const std::int32_t difference = a[i] - b[i];
    sum += difference * difference;
  }
  return static_cast<std::uint32_t>(sum);
}

// The features whose keypoints lie in one cell of a grid over the image, in their order.
struct Tile {
  std::vector<std::int32_t> indices;
  std::vector<std::uint8_t> descriptors;
  std::vector<NearestTwo> of_a;  // by indices within the tile
};

// A tile's two nearest tell the nearest elsewhere, unless both are where the nearest of all tiles is. With tiles that
// are small beside the image this is rare, and few features must be looked at once more.
std::vector<Tile> tiles_of(const Features& features) {
  constexpr double features_per_tile = 2048;
  const int side =
      std::clamp(static_cast<int>(std::sqrt(static_cast<double>(features.size()) / features_per_tile)), 1, 8);
  const auto [left, right] = std::ranges::minmax(features.keypoints, {}, &Keypoint::x);
  const auto [top, bottom] = std::ranges::minmax(features.keypoints, {}, &Keypoint::y);
  const auto cell = [side](float at, float low, float high) {
    return high > low ? std::clamp(static_cast<int>((at - low) / (high - low) * static_cast<float>(side)), 0, side - 1)
                      : 0;
  };
  std::vector<Tile> tiles(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Keypoint& k = features.keypoints[i];
    const int at = cell(k.y, top.y, bottom.y) * side + cell(k.x, left.x, right.x);
    Tile& tile = tiles[static_cast<std::size_t>(at)];
    tile.indices.push_back(static_cast<std::int32_t>(i));
    const auto descriptor = features.descriptor(i);
    tile.descriptors.insert(tile.descriptors.end(), descriptor.begin(), descriptor.end());
  }
  return tiles;
}

// The neighbours of `a`, of which the second lies elsewhere than the nearest.
class DistinctSearch {
 public:
  DistinctSearch(const Features& a, const Features& b, double radius) : a_(a), b_(b), radius_(radius) {}

  Neighbours run(NearestSearch& search, bool both) {
    std::vector<Tile> tiles = tiles_of(b_);
    std::vector<Descriptors> sets;
    for (const Tile& tile : tiles) sets.emplace_back(tile.descriptors);
    Neighbours all;
    if (both) all.of_b.resize(b_.size(), -1);
    std::size_t t = 0;
    search.search(a_.descriptors, sets, both, [&](const Neighbours& of_tile) {
      Tile& tile = tiles[t++];
      tile.of_a = of_tile.of_a;
      for (std::size_t i = 0; i < of_tile.of_b.size(); ++i) {
        all.of_b[static_cast<std::size_t>(tile.indices[i])] = of_tile.of_b[i];
      }
    });
    for (std::size_t i = 0; i < a_.size(); ++i) all.of_a.push_back(two_of(i, tiles));
    return all;
  }

 private:
  [[nodiscard]] NearestTwo two_of(std::size_t i, const std::vector<Tile>& tiles) const {
    NearestTwo nearest;
    for (const Tile& tile : tiles) {
      const NearestTwo& two = tile.of_a[i];
      if (two.index[0] >= 0) offer(nearest, two.distance2[0], tile.indices[static_cast<std::size_t>(two.index[0])]);
    }
    if (nearest.index[0] < 0) return nearest;
    nearest.index[1] = -1;
    nearest.distance2[1] = std::numeric_limits<std::uint32_t>::max();
    for (const Tile& tile : tiles) offer_elsewhere(nearest, tile.of_a[i], tile);
    for (const Tile& tile : tiles) look_again(nearest, i, tile);
    return nearest;
  }

  // Whether the feature of b lies elsewhere than the nearest.
  [[nodiscard]] bool is_elsewhere(const NearestTwo& nearest, std::int32_t index) const {
    return !are_near(b_.keypoints[static_cast<std::size_t>(index)],
                     b_.keypoints[static_cast<std::size_t>(nearest.index[0])], radius_);
  }

  void offer_elsewhere(NearestTwo& nearest, const NearestTwo& two, const Tile& tile) const {
    for (int k = 0; k < 2; ++k) {
      if (two.index[k] < 0) return;
      const std::int32_t index = tile.indices[static_cast<std::size_t>(two.index[k])];
      if (is_elsewhere(nearest, index)) return offer(nearest, two.distance2[k], index);
    }
  }

  // All of a tile, if both of its nearest are where the nearest of all is and a farther one may be the second.
  void look_again(NearestTwo& nearest, std::size_t i, const Tile& tile) const {
    const NearestTwo& two = tile.of_a[i];
    if (two.index[1] < 0 || two.distance2[1] > nearest.distance2[1]) return;
    for (const std::int32_t local : two.index) {
      if (is_elsewhere(nearest, tile.indices[static_cast<std::size_t>(local)])) return;
    }
    for (const std::int32_t index : tile.indices) {
      if (!is_elsewhere(nearest, index)) continue;
      offer(nearest, distance2_of(a_.descriptor(i), b_.descriptor(static_cast<std::size_t>(index))), index);
    }
  }

  const Features &a_, &b_;
  double radius_;
};

// Of matches with both ends in the same squares of two pixels the nearest stays.
std::vector<Match> without_duplicates(std::vector<Match> matches, const Features& a, const Features& b) {
  std::ranges::stable_sort(matches, {}, &Match::distance2);
  std::set<std::tuple<int, int, int, int>> known;
  std::erase_if(matches, [&](const Match& match) {
    const auto square = [](float at) { return static_cast<int>(std::floor(at / 2)); };
    const Keypoint &p = a.keypoints[static_cast<std::size_t>(match.a)],
                   &q = b.keypoints[static_cast<std::size_t>(match.b)];
    return !known.emplace(square(p.x), square(p.y), square(q.x), square(q.y)).second;
  });
  std::ranges::sort(matches, {}, &Match::a);
  return matches;
}

}  // namespace

std::vector<Match> match_distinct(NearestSearch& search, const Features& a, const Features& b,
                                  const MatchOptions& options) {
  if (a.size() == 0 || b.size() == 0) return {};
  const Neighbours neighbours = DistinctSearch(a, b, options.distinct_radius).run(search, options.mutual);
  const auto is_same = [&](std::int32_t i, std::int32_t j) {
    return j >= 0 && are_near(a.keypoints[static_cast<std::size_t>(i)], a.keypoints[static_cast<std::size_t>(j)],
                              options.distinct_radius);
  };
  return without_duplicates(select_matches(neighbours, options, is_same), a, b);
}

}  // namespace octavo
