#pragma once

// Groups of things that show one place. A single wrong link must not join two places.

#include <cstddef>
#include <span>
#include <vector>

namespace octavo::places {

/// Two frames that show one place.
struct Link {
  std::size_t a = 0, b = 0;  ///< the frames, a < b
  std::size_t strength = 0;  ///< the number of inliers
  bool is_sure = false;      ///< PlaceEvidence::is_sure
};

struct Groups {
  std::vector<std::vector<std::size_t>> members;  ///< of each group, ascending; by their first member
  std::vector<std::size_t> joins;                 ///< the links that joined them, the strongest first
};

/// The groups of `count` things. `owners` tells the thing that each frame is of; the frames of one thing are of one
/// place. Links join groups, the strongest first. One link is enough if it is sure, or if one of the groups is a single
/// thing; otherwise two links are needed that have no frame in common.
Groups groups_of(std::size_t count, std::span<const std::size_t> owners, std::span<const Link> links);

}  // namespace octavo::places
