#include "octavo/matcher.h"

#include <string>

#include "octavo/error.h"

namespace octavo {

namespace {

Point position(const Features& features, std::int32_t index, const char* name) {
  if (index < 0 || static_cast<std::size_t>(index) >= features.size()) {
    throw Error(ErrorCode::invalid_argument, "a match names keypoint " + std::to_string(index) + " of " + name +
                                                 ", which has " + std::to_string(features.size()));
  }
  const Keypoint& k = features.keypoints[static_cast<std::size_t>(index)];
  return {k.x, k.y};
}

}  // namespace

PointPairs point_pairs(const Features& a, const Features& b, std::span<const Match> matches) {
  PointPairs pairs;
  pairs.a.reserve(matches.size());
  pairs.b.reserve(matches.size());
  for (const Match& match : matches) {
    pairs.a.push_back(position(a, match.a, "a"));
    pairs.b.push_back(position(b, match.b, "b"));
  }
  return pairs;
}

}  // namespace octavo
