// A report as timelines: one for each clip that has pairs, on which the clips that share segments with it are placed.

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "video/report/report_files.h"
#include "video/report/report_json.h"

namespace octavo {
namespace {

using timelines::ClipFrames;
using timelines::PlacedPart;
using timelines::PlacedTrack;
using timelines::Sequence;
using timelines::Span;
using timelines::Timelines;

// A segment as it is seen from one of its clips.
struct SeenSegment {
  Span here, there;       // in the clip of the timeline, and in the other clip
  double speed = 1;       // seconds of the other clip for a second of this one
  std::size_t other = 0;  // index of the other clip
  std::string note;
  Json metadata;
};

std::string note_of(const CopySegment& s, std::size_t pair, std::size_t segment) {
  return fmt::format("pair {}, segment {}, score {:.1f}{}{}", pair, segment, s.score, s.mirrored ? ", mirrored" : "",
                     s.negative ? ", negative" : "");
}

// The segments of a clip, by the pairs in which it is.
std::map<std::size_t, std::vector<SeenSegment>> segments_by_clip(const VideoReport& report) {
  std::map<std::size_t, std::vector<SeenSegment>> segments;
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    const ReportPair& pair = report.pairs[i];
    if (pair.is_settled()) continue;
    Json json = video_report::as_json(pair, report);
    for (std::size_t k = 0; k < pair.segments.size(); ++k) {
      const CopySegment& s = pair.segments[k];
      const Span a{s.query_in, s.query_out}, b{s.other_in, s.other_out};
      const std::string note = note_of(s, i + 1, k + 1);
      Json metadata{{"pair", i + 1}, {"segment", k + 1}, {"this", "b"}, {"verdict", json["verdict"]}};
      metadata.update(json["segments"][k]);
      const bool is_a_image = a.in == a.out, is_b_image = b.in == b.out;
      // A still has no speed; each clip shows it for its own time. An image stands for as long as it is wanted.
      const bool stands_in_both = s.still && !is_a_image && !is_b_image;
      const double speed = stands_in_both ? (b.out - b.in) / (a.out - a.in) : s.speed;
      if (!is_a_image) segments[pair.a].push_back({a, b, speed, pair.b, note, metadata});
      if (report.is_search || is_b_image) continue;
      metadata["this"] = "a";
      segments[pair.b].push_back({b, a, 1 / speed, pair.a, note, metadata});
    }
  }
  return segments;
}

// Tracks of one clip each, in the order of their first segments.
std::vector<PlacedTrack> tracks_of(const ClipFrames& frames, std::vector<SeenSegment> segments,
                                   const std::vector<timelines::Media>& media) {
  std::ranges::stable_sort(segments, {}, [](const SeenSegment& one) { return one.here.in; });
  std::vector<PlacedTrack> tracks;
  for (const SeenSegment& one : segments) {
    const timelines::Media& other = media[one.other];
    const Span there = is_image(other.facts) ? Span{0, one.here.out - one.here.in} : one.there;
    PlacedPart part = placed_part(frames, one.here, frames_on(frames, other), there);
    part.media = one.other;
    part.speed = one.speed;
    part.note = one.note;
    part.metadata = one.metadata;
    const auto has_room = [&](const PlacedTrack& track) {
      const PlacedPart& last = track.parts.back();
      return last.media == part.media && last.end() <= part.begin;
    };
    auto track = std::ranges::find_if(tracks, has_room);
    if (track == tracks.end()) track = tracks.insert(tracks.end(), {other.file.filename().string(), {}});
    track->parts.push_back(std::move(part));
  }
  return tracks;
}

Sequence sequence_of(std::size_t clip, std::vector<SeenSegment> segments, const std::vector<timelines::Media>& media) {
  const timelines::Media& own = media[clip];
  const ClipFrames frames = timelines::frames_of(own.facts);
  const Span whole{0, own.facts.seconds};
  PlacedPart part = placed_part(frames, whole, frames, whole);
  part.media = clip;
  const std::string name = own.file.filename().string();
  Sequence sequence{.name = name,
                    .frames = frames,
                    .media = clip,
                    .has_clip = true,
                    .length = part.length,
                    .tracks = tracks_of(frames, std::move(segments), media),
                    .metadata = {{"clip", own.file.string()}}};
  sequence.metadata.update(own.metadata);
  sequence.tracks.insert(sequence.tracks.begin(), {name, {part}});
  return sequence;
}

}  // namespace

Timelines timelines_of(const VideoReport& report) {
  Timelines result{.name = report.archive.filename().string(),
                   .media = {},
                   .sequences = {},
                   .metadata = {{"archive", report.archive.string()}, {"of", report.is_search ? "search" : "archive"}}};
  for (const ReportClip& clip : report.clips) {
    result.media.push_back({video_report::file_of(clip), clip.clip.facts, {{"content", clip.clip.content}}});
  }
  for (auto& [clip, segments] : segments_by_clip(report)) {
    result.sequences.push_back(sequence_of(clip, std::move(segments), result.media));
  }
  return result;
}

}  // namespace octavo
