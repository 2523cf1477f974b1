// Scenes as timelines.

#include "jobs/takes_timelines.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace octavo::jobs {
namespace {

using timelines::ClipFrames;
using timelines::PlacedPart;
using timelines::Sequence;
using timelines::Timelines;

// Take `number`, from 1, at its offset from the begin of the timeline.
PlacedPart placed_take(const Take& take, const Sequence& sequence, double begin, const FoundTakes& found) {
  const ClipFrames frames = timelines::frames_of(found.facts[take.shot.clip]);
  // A whole frame, so that the take has as many frames here as in its clip.
  const double in = static_cast<double>(sequence.frames.at(begin)) / sequence.frames.per_second();
  PlacedPart part =
      placed_part(sequence.frames, {in, in + take.shot.out - take.shot.in}, frames, {take.shot.in, take.shot.out});
  part.media = take.shot.clip;
  part.metadata = json_of_take(take, found);
  return part;
}

Sequence timeline_of(const Scene& scene, std::size_t number, const FoundTakes& found) {
  const std::size_t media = scene.takes[scene.reference].shot.clip;
  Sequence sequence{.name = fmt::format("scene {}", number),
                    .frames = {found.facts[media].frame_rate, ""},
                    .media = media,
                    .tracks = {},
                    .metadata = {{"scene", number}, {"reference", scene.reference}}};
  double first = 0;  // [second] the offset of the take that begins first
  for (const Take& take : scene.takes) first = std::min(first, take.offset.value_or(0));
  for (std::size_t t = 0; t < scene.takes.size(); ++t) {
    const Take& take = scene.takes[t];
    PlacedPart part = placed_take(take, sequence, take.offset.value_or(0) - first, found);
    const std::string offset = t == scene.reference ? "the reference"
                               : take.offset        ? fmt::format("offset {:+.2f} s", *take.offset)
                                                    : "of no known offset";
    part.note = fmt::format("scene {}, take {}, {}", number, t + 1, offset);
    sequence.length = std::max(sequence.length, part.end());
    sequence.tracks.push_back({fmt::format("take {}", t + 1), {std::move(part)}});
  }
  return sequence;
}

bool is_same_rate(Ratio a, Ratio b) { return a.numerator * b.denominator == b.numerator * a.denominator; }

}  // namespace

Timelines timelines_of(const FoundTakes& found) {
  Timelines result{.name = "takes", .media = {}, .sequences = {}, .metadata = {{"of", "takes"}}};
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    result.media.push_back({std::filesystem::absolute(found.files[i]).lexically_normal(), found.facts[i]});
  }
  for (const Scene& scene : found.list.scenes) {
    result.sequences.push_back(timeline_of(scene, result.sequences.size() + 1, found));
  }
  return result;
}

Timelines in_a_row(const Timelines& scenes) {
  Timelines result{.name = scenes.name, .media = scenes.media, .sequences = {}, .metadata = scenes.metadata};
  for (const Sequence& scene : scenes.sequences) {
    for (const timelines::PlacedTrack& track : scene.tracks) {
      PlacedPart part = track.parts.front();
      const ClipFrames frames(scenes.media[part.media].facts.frame_rate, "");
      auto row = std::ranges::find_if(
          result.sequences, [&](const Sequence& one) { return is_same_rate(one.frames.rate(), frames.rate()); });
      if (row == result.sequences.end()) {
        row = result.sequences.insert(
            row,
            {.name = scenes.name, .frames = frames, .media = part.media, .length = 0, .tracks = {{scenes.name, {}}}});
      }
      part.begin = row->length;
      part.length = part.media_length;
      row->length = part.end();
      row->tracks.front().parts.push_back(std::move(part));
    }
  }
  return result;
}

}  // namespace octavo::jobs
