#include "video/signature/static_features.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace octavo {
namespace {

// docs/video-search.md, Signatures, has what the rule gave on eight clips under one banner, and the shares of
// vtest.avi, of logos and of banners between which most_static lies. Noise and coding change a feature from frame to
// frame: the four numbers of a move, a turn, a zoom and a code allow for that.
constexpr double static_time = 10;         // [second]
constexpr double longest_gap = 10;         // [second] in which a feature may be missing: noise, a flash, another image
constexpr int furthest_move = 128;         // [1/64 pixel] 2 pixels
constexpr int furthest_turn = 12;          // [2π/256] 17°
constexpr int furthest_zoom = 6;           // [1/16 octave]
constexpr int furthest_code = 36;          // of 128 bits
constexpr int beside = 24 * 64;            // [1/64 pixel] from features that stand: they belong together
constexpr int enough_beside = 2;           // features that stand, so near to one
constexpr std::size_t most_static = 2;     // a frame of which more than 1 in 2 features stand keeps them
constexpr std::size_t most_in_middle = 8;  // so does one of which more than 1 in 8 features in its middle stand

bool are_one(const SignatureFeature& a, const SignatureFeature& b) {
  const int turn = static_cast<std::int8_t>(static_cast<std::uint8_t>(a.orientation - b.orientation));
  return std::abs(a.x - b.x) <= furthest_move && std::abs(a.y - b.y) <= furthest_move &&
         std::abs(a.scale - b.scale) <= furthest_zoom && std::abs(turn) <= furthest_turn &&
         hamming_distance(a.code, b.code) <= furthest_code;
}

// Noise makes some features of a logo come and go. Those between features that stand belong to it too.
std::vector<bool> with_those_between(const std::vector<bool>& stands, const FrameSignature& frame) {
  std::vector<bool> result = stands;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    const auto is_beside = [&, &one = frame.features[i]](std::size_t k) {
      const SignatureFeature& other = frame.features[k];
      return stands[k] && std::abs(one.x - other.x) <= beside && std::abs(one.y - other.y) <= beside;
    };
    int count = 0;
    for (std::size_t k = 0; k < stands.size() && !result[i]; ++k) {
      if (is_beside(k)) result[i] = ++count == enough_beside;
    }
  }
  return result;
}

// What is laid over images lies towards their borders. Where the middle stands too, the camera does.
bool middle_stands(const std::vector<bool>& stands, const FrameSignature& frame) {
  const auto is_inner = [](int place, int size) { return 4 * place >= 64 * size && 4 * place <= 3 * 64 * size; };
  std::size_t inner = 0, static_count = 0;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    const SignatureFeature& feature = frame.features[i];
    if (!is_inner(feature.x, frame.width) || !is_inner(feature.y, frame.height)) continue;
    ++inner;
    static_count += stands[i];
  }
  return most_in_middle * static_count > inner;
}

// Leaves the features for which `stands` is false, and their further words.
void take_out(FrameSignature& frame, const std::vector<bool>& stands) {
  const std::size_t words = frame.further_words.size() / frame.features.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    if (stands[i]) continue;
    frame.features[kept] = frame.features[i];
    for (std::size_t w = 0; w < words; ++w) frame.further_words[kept * words + w] = frame.further_words[i * words + w];
    ++kept;
  }
  frame.features.resize(kept);
  frame.further_words.resize(kept * words);
}

}  // namespace

std::shared_ptr<StaticFeatures::Track> StaticFeatures::track_of(const SignatureFeature& feature,
                                                                const FrameSignature& frame) const {
  for (const std::shared_ptr<Track>& track : live_) {
    const bool is_free = track->end <= frame.seconds;  // no other feature of this frame took it
    if (is_free && are_one(track->latest, feature)) return track;
  }
  return nullptr;
}

void StaticFeatures::add(FrameSignature frame) {
  std::erase_if(live_, [&](const auto& track) { return track->end < frame.seconds - longest_gap; });
  std::vector<std::shared_ptr<const Track>> tracks;
  std::vector<std::shared_ptr<Track>> begun;
  for (const SignatureFeature& feature : frame.features) {
    std::shared_ptr<Track> track = track_of(feature, frame);
    if (track == nullptr) {
      track = begun.emplace_back(std::make_shared<Track>());
      track->begin = frame.seconds;
    }
    track->latest = feature;
    track->end = frame.until;
    tracks.push_back(std::move(track));
  }
  live_.insert(live_.end(), begun.begin(), begun.end());
  latest_ = frame.until;
  waiting_.push_back({std::move(frame), std::move(tracks)});
}

std::optional<FrameSignature> StaticFeatures::take() {
  if (waiting_.empty()) return std::nullopt;
  const bool is_known = is_finished_ || latest_ - waiting_.front().frame.seconds >= static_time;
  if (!is_known) return std::nullopt;
  auto [frame, tracks] = std::move(waiting_.front());
  waiting_.pop_front();
  std::vector<bool> stands;
  for (const auto& track : tracks) stands.push_back(track->end - track->begin >= static_time);
  if (middle_stands(stands, frame)) return std::move(frame);
  const auto count = static_cast<std::size_t>(std::count(stands.begin(), stands.end(), true));
  if (count > 0 && most_static * count <= stands.size()) take_out(frame, with_those_between(stands, frame));
  return std::move(frame);
}

}  // namespace octavo
