#include "video/archive/clip_pairs_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "io/json/json.h"
#include "octavo/error.h"
#include "video/archive/known_clips.h"
#include "video/archive/part_lines.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;
// A pair as its line has it.
struct PairLine {
  std::string a, b;
  std::vector<CopySegment> segments;
  [[nodiscard]] double score() const {
    double best = 0;
    for (const CopySegment& one : segments) best = std::max(best, one.score);
    return best;
  }
};

std::string line_of(const ClipPair& pair) {
  Json segments = Json::array();
  for (const CopySegment& s : pair.segments) {
    const Similarity& t = s.other_from_query;
    segments.push_back({s.query_in, s.query_out, s.other_in, s.other_out, s.speed, s.mirrored, t.a, t.b, t.tx, t.ty,
                        s.frames, s.inliers, s.score});
  }
  return json_text({{"content_a", pair.a.content}, {"content_b", pair.b.content}, {"segments", std::move(segments)}}) +
         "\n";
}

CopySegment segment_of(const Json& json) {
  const auto number = [&](std::size_t i) { return json.at(i).get<double>(); };
  return {.query_in = number(0),
          .query_out = number(1),
          .other_in = number(2),
          .other_out = number(3),
          .speed = number(4),
          .mirrored = json.at(5).get<bool>(),
          .other_from_query = {number(6), number(7), number(8), number(9)},
          .frames = json.at(10).get<int>(),
          .inliers = json.at(11).get<int>(),
          .score = number(12)};
}

PairLine pair_of(std::string_view line, const std::string& file) try {
  const Json json = parse_json(line);
  PairLine pair{
      .a = json.at("content_a").get<std::string>(), .b = json.at("content_b").get<std::string>(), .segments = {}};
  for (const Json& one : json.at("segments")) pair.segments.push_back(segment_of(one));
  return pair;
} catch (const Json::exception&) {
  archive::refuse_part(file);
}

}  // namespace

PartInputs inputs_of(std::span<const VideoArchive> archives) {
  std::vector<std::string> contents;
  for (const auto& [content, known] : archive::known_clips(archives)) contents.push_back(content);
  return inputs_of(contents);
}

void write_clip_pairs(const fs::path& file, const PartNote& note, std::span<const ClipPair> pairs) {
  std::string text = json_of(note) + "\n";
  for (const ClipPair& pair : pairs) text += line_of(pair);
  write_file(file, text);
}

std::vector<ClipPair> read_clip_pairs(const fs::path& file, std::span<const VideoArchive> archives) {
  const std::string text = io::read_text(file);
  const std::vector<std::string_view> lines = archive::lines_of(text);
  if (lines.empty()) archive::refuse_part(file.string());
  const Part part{file.string(), part_note(lines.front(), file.string())};
  if (part.note.kind != PartKind::clip_pairs) {
    throw Error(ErrorCode::file_error, fmt::format("cannot use '{}': it holds {}, not {}", file.string(),
                                                   name_of(part.note.kind), name_of(PartKind::clip_pairs)));
  }
  require_whole(std::span(&part, 1));
  const archive::KnownClips clips = archive::known_clips(archives);
  if (part.note.inputs != inputs_of(archives)) {
    throw Error(ErrorCode::file_error, fmt::format("cannot use '{}': its {} clips are not the {} clips of the archive",
                                                   file.string(), part.note.inputs.count, clips.size()));
  }
  const auto verdicts = archive::known_verdicts(archives);
  std::vector<ClipPair> pairs;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    PairLine line = pair_of(lines[i], file.string());
    const auto a = clips.find(line.a), b = clips.find(line.b);
    if (a == clips.end() || b == clips.end()) archive::refuse_part(file.string());
    pairs.push_back(archive::clip_pair(a->second.clip, b->second.clip, std::move(line.segments), verdicts));
  }
  return pairs;
}

// The pairs of a clip `a` are in one shard, in the order in which one process has those of equal scores.
void merge_clip_pairs(const fs::path& to, std::span<const Part> parts) {
  require_whole(parts);
  struct Entry {
    double score;
    std::string a, line;
  };
  std::vector<Entry> entries;
  std::map<std::pair<std::string, std::string>, std::string> seen;
  PartNote note = parts.front().note;
  note.shard = {};
  note.items = items_of(parts);
  note.problems = problems_of(parts);
  for (const Part& part : parts) {
    const std::string text = io::read_text(part.place);
    const std::vector<std::string_view> lines = archive::lines_of(text);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const PairLine pair = pair_of(lines[i], part.place);
      const auto [known, is_new] = seen.try_emplace({pair.a, pair.b}, lines[i]);
      if (is_new) {
        entries.push_back({pair.score(), pair.a, std::string(lines[i])});
      } else if (known->second != lines[i]) {
        throw Error(ErrorCode::file_error,
                    fmt::format("cannot merge '{}' (shard {}): another part of this shard has found other segments",
                                part.place, text_of(part.note.shard)));
      }
    }
  }
  std::ranges::stable_sort(entries, [](const Entry& one, const Entry& other) {
    return std::tuple(-one.score, std::string_view(one.a)) < std::tuple(-other.score, std::string_view(other.a));
  });
  std::string text = json_of(note) + "\n";
  for (const Entry& one : entries) text += one.line + "\n";
  write_file(to, text);
}

}  // namespace octavo
