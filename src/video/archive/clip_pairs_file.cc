#include "video/archive/clip_pairs_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>

#include "io/json/json.h"
#include "io/results/part_items.h"
#include "octavo/error.h"
#include "video/archive/known_clips.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

Json json_of_segments(std::span<const CopySegment> segments) {
  Json json = Json::array();
  for (const CopySegment& s : segments) {
    const Similarity& t = s.other_from_query;
    json.push_back({s.query_in, s.query_out, s.other_in,  s.other_out,  s.speed,       s.mirrored,   s.negative,
                    t.a,        t.b,         t.tx,        t.ty,         t.stretch,     s.frames,     s.inliers,
                    s.score,    s.still,     s.change_in, s.change_out, s.ends_within, s.exact_ends, s.shaken});
  }
  return json;
}

CopySegment segment_of(const Json& json) {
  const auto number = [&](std::size_t i) { return json.at(i).get<double>(); };
  return {.query_in = number(0),
          .query_out = number(1),
          .other_in = number(2),
          .other_out = number(3),
          .speed = number(4),
          .mirrored = json.at(5).get<bool>(),
          .negative = json.at(6).get<bool>(),
          .still = json.at(15).get<bool>(),
          .shaken = json.at(20).get<bool>(),
          .other_from_query = {number(7), number(8), number(9), number(10), number(11)},
          .frames = json.at(12).get<int>(),
          .inliers = json.at(13).get<int>(),
          .score = number(14),
          .change_in = number(16),
          .change_out = number(17),
          .ends_within = number(18),
          .exact_ends = json.at(19).get<bool>()};
}

std::vector<CopySegment> segments_of(const Json& json) {
  std::vector<CopySegment> segments;
  for (const Json& one : json) segments.push_back(segment_of(one));
  return segments;
}

}  // namespace

PartInputs inputs_of(std::span<const VideoArchive> archives) {
  std::vector<std::string> contents;
  for (const auto& [content, known] : archive::known_clips(archives)) contents.push_back(content);
  return inputs_of(contents);
}

void write_clip_pairs(const fs::path& file, const PartNote& note, std::span<const ClipPair> pairs) {
  std::map<std::string, Json> of_clips;
  for (const ClipPair& pair : pairs) {
    of_clips[pair.a.content].push_back({{"content_b", pair.b.content}, {"segments", json_of_segments(pair.segments)}});
  }
  PartItems items;
  for (const auto& [content, json] : of_clips) items.emplace(content, json_text(json));
  write_part(file, note, items);
}

std::vector<ClipPair> read_clip_pairs(const fs::path& file, std::span<const VideoArchive> archives) try {
  const Part part = part_in_file(file);
  const std::span<const Part> parts(&part, 1);
  if (part.note.kind != PartKind::clip_pairs) {
    throw Error(ErrorCode::file_error, fmt::format("cannot use '{}': it holds {}, not {}", file.string(),
                                                   name_of(part.note.kind), name_of(PartKind::clip_pairs)));
  }
  note_of_whole(parts);
  const archive::KnownClips clips = archive::known_clips(archives);
  if (part.note.inputs != inputs_of(archives)) {
    throw Error(ErrorCode::file_error, fmt::format("cannot use '{}': its {} clips are not the {} clips of the archive",
                                                   file.string(), part.note.inputs.count, clips.size()));
  }
  const auto verdicts = archive::known_verdicts(archives);
  std::vector<ClipPair> pairs;
  for (const auto& [content, json] : items_in(parts)) {
    for (const Json& one : parse_json(json)) {
      const auto a = clips.find(content), b = clips.find(one.at("content_b").string());
      if (a == clips.end() || b == clips.end()) refuse_part(file);
      pairs.push_back(archive::clip_pair(a->second.clip, b->second.clip, segments_of(one.at("segments")), verdicts));
    }
  }
  // As ArchiveSearch::duplicates has them.
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &ClipPair::score);
  return pairs;
} catch (...) {
  rethrow_named(file);
}

}  // namespace octavo
