// OpenTimelineIO (https://opentimelineio.readthedocs.io), version 1 of its file format: JSON objects that name their
// schema. A clip of a track lasts as long as its source range, whatever its effects; a LinearTimeWarp says how many
// seconds of media pass in a second. So the source range of a part begins where the part begins in its own clip, and
// lasts as long as it does on the timeline. Times of media are counted from the time code of their first frame; so are
// those of the timeline, if it has one sequence alone.

#include "video/timelines/timelines.h"

namespace octavo::timelines {
namespace {

Json time(std::int64_t frames, const ClipFrames& of) {
  return {{"OTIO_SCHEMA", "RationalTime.1"}, {"rate", of.per_second()}, {"value", static_cast<double>(frames)}};
}

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

Json metadata_of(const Json& octavo) { return octavo.empty() ? Json::object() : Json{{"octavo", octavo}}; }

Json clip_of(const PlacedPart& part, const Media& media, const ClipFrames& timeline) {
  const ClipFrames frames = frames_on(timeline, media);
  const std::string name = media.file.filename().string();
  const Json whole = range(time(frames.first(), frames), time(frames.at(media.facts.seconds), frames));
  Json json = item("Clip.2", name, range(time(frames.first() + part.media_begin, frames), time(part.length, timeline)));
  json["metadata"] = metadata_of(part.metadata);
  json["media_references"] = {{"DEFAULT_MEDIA",
                               {{"OTIO_SCHEMA", "ExternalReference.1"},
                                {"metadata", metadata_of(media.metadata)},
                                {"name", name},
                                {"available_range", is_image(media.facts) ? Json() : whole},
                                {"available_image_bounds", nullptr},
                                {"target_url", url_of(media.file)}}}};
  json["active_media_reference_key"] = "DEFAULT_MEDIA";
  if (part.speed != 1) {
    json["effects"].push_back({{"OTIO_SCHEMA", "LinearTimeWarp.1"},
                               {"metadata", Json::object()},
                               {"name", ""},
                               {"effect_name", "LinearTimeWarp"},
                               {"time_scalar", part.speed}});
  }
  return json;
}

// Gaps fill it to the length of the sequence.
Json track_of(const PlacedTrack& track, const Sequence& sequence, const std::vector<Media>& media) {
  Json children = Json::array();
  std::int64_t end = 0;
  const auto fill_to = [&](std::int64_t frame) {
    if (frame <= end) return;
    children.push_back(item("Gap.1", "", range(time(0, sequence.frames), time(frame - end, sequence.frames))));
  };
  for (const PlacedPart& part : track.parts) {
    fill_to(part.begin);
    children.push_back(clip_of(part, media[part.media], sequence.frames));
    end = part.end();
  }
  fill_to(sequence.length);
  return composition("Track.1", track.name, children);
}

Json stack_of(const Sequence& sequence, const std::vector<Media>& media) {
  Json tracks = Json::array();
  for (const PlacedTrack& track : sequence.tracks) tracks.push_back(track_of(track, sequence, media));
  Json stack = composition("Stack.1", sequence.name, tracks);
  stack["metadata"] = metadata_of(sequence.metadata);
  return stack;
}

}  // namespace

std::string otio_of(const Timelines& timelines) {
  Json stacks = Json::array(), start;
  for (const Sequence& one : timelines.sequences) stacks.push_back(stack_of(one, timelines.media));
  if (timelines.sequences.size() == 1) {
    const ClipFrames& frames = timelines.sequences.front().frames;
    start = time(frames.first(), frames);
  }
  const Json tracks = composition("Stack.1", "tracks", Json::array({composition("Track.1", timelines.name, stacks)}));
  const Json timeline{{"OTIO_SCHEMA", "Timeline.1"},
                      {"metadata", metadata_of(timelines.metadata)},
                      {"name", timelines.name},
                      {"global_start_time", start},
                      {"tracks", tracks}};
  return json_text(timeline, 1) + "\n";
}

}  // namespace octavo::timelines
