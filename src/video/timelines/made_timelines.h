// Made timelines, for tests.

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "video/timelines/timelines.h"

namespace octavo::timelines {

inline constexpr Ratio pal{25, 1}, ntsc{30000, 1001};

inline Media made_media(const std::string& file, Ratio rate, const std::string& time_code = "", double seconds = 60) {
  Media media;
  media.file = file;
  media.facts.width = 640;
  media.facts.height = 360;
  media.facts.frame_rate = rate;
  media.facts.seconds = seconds;
  media.facts.time_code = time_code;
  return media;
}

/// The clip 0 as a whole, and parts of others beside it, each on a track of its own.
inline Timelines made_timelines(std::vector<Media> media, const std::vector<PlacedPart>& parts) {
  const ClipFrames frames = frames_of(media[0].facts);
  const Span whole{0, media[0].facts.seconds};
  Sequence sequence{.name = media[0].file.filename().string(), .frames = frames, .has_clip = true, .tracks = {}};
  const PlacedPart own = placed_part(frames, whole, frames, whole);
  sequence.length = own.length;
  sequence.tracks.push_back({sequence.name, {own}});
  for (const PlacedPart& part : parts) sequence.tracks.push_back({media[part.media].file.filename().string(), {part}});
  return {.name = "made", .media = std::move(media), .sequences = {std::move(sequence)}};
}

/// A part of clip 1.
inline PlacedPart made_part(std::int64_t begin, std::int64_t length, std::int64_t media_begin,
                            std::int64_t media_length, double speed = 1) {
  return {.media = 1,
          .begin = begin,
          .length = length,
          .media_begin = media_begin,
          .media_length = media_length,
          .speed = speed};
}

}  // namespace octavo::timelines
