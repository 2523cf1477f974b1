// False alarms between clips that share nothing: compares every clip with every other one, as it is, mirrored, and with
// its frames in random orders, and prints the frames and segments that match all the same, with their scores.
//
// usage: bench_decoys SHUFFLES CLIP...

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "octavo/video/clip_signature.h"
#include "octavo/video/copy_segment.h"

namespace {

using octavo::ClipSignature;
using octavo::FrameHit;

// The frames in another order; the times stay.
std::vector<std::int32_t> shuffle(ClipSignature& clip, std::mt19937_64& random) {
  const std::size_t count = clip.frames.size();
  std::vector<std::int32_t> place(count);
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  std::vector<octavo::FrameSignature> frames;
  for (std::size_t i = 0; i < count; ++i) {
    octavo::FrameSignature frame = clip.frames[order[i]];
    frame.index = clip.frames[i].index;
    frame.seconds = clip.frames[i].seconds;
    frame.until = clip.frames[i].until;
    frames.push_back(std::move(frame));
    place[order[i]] = static_cast<std::int32_t>(i);
  }
  clip.frames = std::move(frames);
  return place;
}

}  // namespace

int main(int count, char** arguments) {
  const int shuffles = std::atoi(arguments[1]);
  const std::vector<std::string> names(arguments + 2, arguments + count);
  octavo::SignatureOptions options = octavo::query_signature_options();
  options.words = 1;
  const octavo::VideoOptions patient{.patience = 3600};  // measurements may be paused
  std::vector<ClipSignature> queries, others;
  for (const std::string& name : names) {
    queries.push_back(octavo::sign_clip(name, options, patient));
    others.push_back(octavo::sign_clip(name, {}, patient));
  }
  const octavo::CopyOptions all{.min_score = 0};
  std::mt19937_64 random(1);
  long clip_pairs = 0, frame_pairs = 0, frame_matches = 0, segments = 0;
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = 0; b < names.size(); ++b) {
      for (const bool in_mirror : {false, true}) {
        if (a == b && !in_mirror) continue;
        ClipSignature query = in_mirror ? mirrored(queries[a]) : queries[a];
        std::vector<FrameHit> hits = octavo::all_hits(query, others[b]);
        frame_pairs += static_cast<long>(query.frames.size() * others[b].frames.size());
        frame_matches += static_cast<long>(hits.size());
        for (int s = 0; s <= shuffles; ++s) {
          ++clip_pairs;
          if (s > 0) {
            const std::vector<std::int32_t> place = shuffle(query, random);
            for (FrameHit& hit : hits) hit.query = place[static_cast<std::size_t>(hit.query)];
          }
          for (const octavo::CopySegment& one : octavo::find_copies(query, others[b], hits, all)) {
            ++segments;
            std::printf("%s %s%s order %d: %.1f-%.1f %.1f-%.1f frames %d inliers %d score %.1f\n", names[a].c_str(),
                        names[b].c_str(), in_mirror ? " mirrored" : "", s, one.query_in, one.query_out, one.other_in,
                        one.other_out, one.frames, one.inliers, one.score);
          }
        }
        if (!hits.empty()) {
          std::printf("%s %s%s: %zu frames match\n", names[a].c_str(), names[b].c_str(), in_mirror ? " mirrored" : "",
                      hits.size());
        }
      }
    }
  }
  std::printf("%ld pairs of clips, %ld pairs of frames: %ld frames match, %ld segments\n", clip_pairs, frame_pairs,
              frame_matches, segments);
}
