// Reports as OpenTimelineIO (https://opentimelineio.readthedocs.io), version 1 of its file format: JSON objects that
// name their schema. A clip of a track lasts as long as its source range, whatever its effects; a LinearTimeWarp says
// how many seconds of media pass in a second. So the source range of a found segment begins where it begins in its own
// clip, and lasts as long as it does in the clip that the stack is of. Times of media are counted from the time code of
// their first frame; so are those of the timeline, if it has one stack alone.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "video/report/clip_frames.h"
#include "video/report/report_files.h"
#include "video/report/report_json.h"

namespace octavo {
namespace {

// Counts frames of a clip.
class Frames : public video_report::ClipFrames {
 public:
  using ClipFrames::ClipFrames;
  [[nodiscard]] Json time(std::int64_t frames) const {
    return {{"OTIO_SCHEMA", "RationalTime.1"}, {"rate", rate()}, {"value", static_cast<double>(frames)}};
  }
  // That of a frame of the media, whose first one has its time code.
  [[nodiscard]] Json media_time(double seconds) const { return time(first() + at(seconds)); }
};

Json range(const Json& start, const Json& duration) {
  return {{"OTIO_SCHEMA", "TimeRange.1"}, {"start_time", start}, {"duration", duration}};
}

Json item(const std::string& schema, const std::string& name, const Json& source_range) {
  return {{"OTIO_SCHEMA", schema},    {"metadata", Json::object()}, {"name", name},   {"source_range", source_range},
          {"effects", Json::array()}, {"markers", Json::array()},   {"enabled", true}};
}

Json composition(const std::string& schema, const std::string& name, const Json& children) {
  Json json = item(schema, name, nullptr);
  json["children"] = children;
  if (schema == "Track.1") json["kind"] = "Video";
  return json;
}

// RFC 8089, with all but unreserved characters and slashes as their bytes (RFC 3986).
std::string url_of(const std::filesystem::path& file) {
  constexpr std::string_view digits = "0123456789ABCDEF", marks = "-._~/";
  std::string url = "file://";
  for (const char c : file.string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_letter || marks.find(c) != std::string_view::npos) {
      url += c;
    } else {
      url += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return url;
}

Json media_clip(const ReportClip& clip, const Json& source_range) {
  const Frames frames(clip.clip);
  const std::filesystem::path file = video_report::file_of(clip);
  Json json = item("Clip.2", file.filename().string(), source_range);
  json["media_references"] = {
      {"DEFAULT_MEDIA",
       {{"OTIO_SCHEMA", "ExternalReference.1"},
        {"metadata", {{"octavo", {{"content", clip.clip.content}}}}},
        {"name", file.filename().string()},
        {"available_range", range(frames.media_time(0), frames.time(frames.at(clip.clip.facts.seconds)))},
        {"available_image_bounds", nullptr},
        {"target_url", url_of(file)}}}};
  json["active_media_reference_key"] = "DEFAULT_MEDIA";
  return json;
}

Json gap(const Frames& frames, std::int64_t length) {
  return item("Gap.1", "", range(frames.time(0), frames.time(length)));
}

// A segment as it is seen from one of its clips.
struct Part {
  double in = 0, out = 0;              // [second] in the clip of the stack
  double other_in = 0, other_out = 0;  // [second] in the other clip
  double speed = 1;                    // seconds of the other clip for a second of this one
  std::size_t other = 0;               // index of the other clip
  Json metadata;
};

// The parts of a clip, by the pairs in which it is.
std::map<std::size_t, std::vector<Part>> parts_by_clip(const VideoReport& report) {
  std::map<std::size_t, std::vector<Part>> parts;
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    const ReportPair& pair = report.pairs[i];
    if (pair.is_settled()) continue;
    Json json = video_report::as_json(pair, report);
    for (std::size_t k = 0; k < pair.segments.size(); ++k) {
      const CopySegment& s = pair.segments[k];
      Json metadata{{"pair", i + 1}, {"segment", k + 1}, {"this", "b"}, {"verdict", json["verdict"]}};
      metadata.update(json["segments"][k]);
      parts[pair.a].push_back({s.query_in, s.query_out, s.other_in, s.other_out, s.speed, pair.b, metadata});
      if (report.is_search) continue;
      metadata["this"] = "a";
      parts[pair.b].push_back({s.other_in, s.other_out, s.query_in, s.query_out, 1 / s.speed, pair.a, metadata});
    }
  }
  return parts;
}

Json part_clip(const Part& part, const ReportClip& other, const Frames& of_stack, std::int64_t length) {
  const Frames of_other(other.clip);
  Json json = media_clip(other, range(of_other.media_time(part.other_in), of_stack.time(length)));
  json["metadata"]["octavo"] = part.metadata;
  if (part.speed != 1) {
    json["effects"].push_back({{"OTIO_SCHEMA", "LinearTimeWarp.1"},
                               {"metadata", Json::object()},
                               {"name", ""},
                               {"effect_name", "LinearTimeWarp"},
                               {"time_scalar", part.speed}});
  }
  return json;
}

// The track of some parts, which do not overlap. It lasts as long as the clip of the stack.
class PartTrack {
 public:
  PartTrack(const Frames& frames, std::size_t other) : frames_(&frames), other_(other) {}

  [[nodiscard]] bool takes(const Part& part) const { return part.other == other_ && frames_->at(part.in) >= end_; }
  void add(const Part& part, const ReportClip& other) {
    const std::int64_t begin = frames_->at(part.in), length = std::max<std::int64_t>(1, frames_->at(part.out) - begin);
    fill_to(begin);
    children_.push_back(part_clip(part, other, *frames_, length));
    end_ = begin + length;
  }
  [[nodiscard]] Json finish(const ReportClip& other, std::int64_t length) {
    fill_to(length);
    return composition("Track.1", video_report::file_of(other).filename().string(), children_);
  }
  [[nodiscard]] std::size_t other() const { return other_; }

 private:
  void fill_to(std::int64_t frame) {
    if (frame <= end_) return;
    children_.push_back(gap(*frames_, frame - end_));
    end_ = frame;
  }

  const Frames* frames_;
  std::size_t other_;
  std::int64_t end_ = 0;  // [frame]
  Json children_ = Json::array();
};

Json stack_of(const VideoReport& report, std::size_t index, std::vector<Part> parts) {
  const ReportClip& clip = report.clips[index];
  const Frames frames(clip.clip);
  const std::int64_t length = frames.at(clip.clip.facts.seconds);
  const std::string name = video_report::file_of(clip).filename().string();
  std::ranges::stable_sort(parts, {}, &Part::in);
  std::vector<PartTrack> tracks;
  for (const Part& part : parts) {
    auto track = std::ranges::find_if(tracks, [&](const PartTrack& one) { return one.takes(part); });
    if (track == tracks.end()) track = tracks.emplace(tracks.end(), frames, part.other);
    track->add(part, report.clips[part.other]);
  }
  Json children = Json::array();
  children.push_back(
      composition("Track.1", name, Json::array({media_clip(clip, range(frames.media_time(0), frames.time(length)))})));
  for (PartTrack& track : tracks) children.push_back(track.finish(report.clips[track.other()], length));
  Json stack = composition("Stack.1", name, children);
  stack["metadata"]["octavo"] = {{"clip", video_report::file_of(clip).string()}, {"content", clip.clip.content}};
  return stack;
}

}  // namespace

std::string otio_of(const VideoReport& report) {
  Json stacks = Json::array(), start;
  auto parts_of_clips = parts_by_clip(report);
  if (parts_of_clips.size() == 1) start = Frames(report.clips[parts_of_clips.begin()->first].clip).media_time(0);
  for (auto& [index, parts] : parts_of_clips) stacks.push_back(stack_of(report, index, std::move(parts)));
  const std::string name = report.archive.filename().string();
  Json tracks = composition("Stack.1", "tracks", Json::array({composition("Track.1", name, stacks)}));
  Json metadata{{"octavo", {{"archive", report.archive.string()}, {"of", report.is_search ? "search" : "archive"}}}};
  const Json timeline{{"OTIO_SCHEMA", "Timeline.1"},
                      {"metadata", metadata},
                      {"name", name},
                      {"global_start_time", start},
                      {"tracks", tracks}};
  return json_text(timeline, 1) + "\n";
}

}  // namespace octavo
