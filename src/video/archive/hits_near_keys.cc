#include "video/archive/hits_near_keys.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "video/archive/key_frames.h"
#include "video/archive/list_query.h"

namespace octavo {

namespace {

constexpr std::size_t hits_of_frame = 12;   // those with the greatest scores are compared,
constexpr std::size_t hits_of_image = 100;  // of an image, which has no other frame
constexpr double reach = 2;                 // [second] of the query

bool is_match(const FrameMatch& match) { return match.inliers > 0 && match.significance >= 0; }

}  // namespace

std::vector<FrameHit> hits_near_keys(const ClipSignature& query, const ClipSignature& other,
                                     std::span<const KeyHit> hits, const std::string& isa) {
  const std::vector<std::uint32_t> keys = key_frames(other);
  const std::vector<std::int32_t> asking = asking_frames(query);
  std::vector<KeyHit> sorted(hits.begin(), hits.end());
  std::ranges::sort(sorted, {}, [](const KeyHit& hit) { return std::tuple(hit.query, ~hit.score, hit.key); });
  std::set<std::pair<std::int32_t, std::int32_t>> near;
  const std::size_t most = is_image(query) ? hits_of_image : hits_of_frame;
  std::size_t of_frame = 0;
  for (std::size_t h = 0; h < sorted.size(); ++h) {
    const KeyHit& hit = sorted[h];
    of_frame = h > 0 && hit.query == sorted[h - 1].query ? of_frame + 1 : 0;
    if (of_frame >= most || hit.key >= keys.size()) continue;
    if (!is_match(match_frames(query.frames[hit.query], other.frames[keys[hit.key]], isa))) continue;
    const std::uint32_t first = hit.key > 0 ? keys[hit.key - 1] + 1 : 0;
    const std::size_t end = hit.key + 1 < keys.size() ? keys[hit.key + 1] : other.frames.size();
    const double seconds = query.frames[hit.query].seconds;
    for (const std::int32_t i : asking) {
      if (std::abs(query.frames[i].seconds - seconds) > reach) continue;
      for (std::uint32_t j = first; j < end; ++j) near.emplace(i, static_cast<std::int32_t>(j));
    }
  }
  std::vector<FrameHit> found;
  for (const auto& [i, j] : near) {
    const FrameMatch match = match_frames(query.frames[i], other.frames[j], isa);
    if (is_match(match)) found.push_back({.query = i, .other = j, .score = static_cast<float>(match.inliers)});
  }
  return found;
}

}  // namespace octavo
