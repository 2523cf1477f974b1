// The picture of a segment: the matches of a frame of both clips.

#include "octavo/copy_picture.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/imageio.h"
#include "octavo/matcher.h"
#include "signature/frame_matches.h"

namespace octavo {
namespace {

constexpr std::array<double, 3> moments{0.25, 0.5, 0.75};  // of a segment

struct Shown {
  Image picture;
  FrameSignature signature;
};

VideoOptions in_colour(VideoOptions options) {
  options.every = 1;
  options.size = VideoOptions().size;
  options.stored_luma = false;
  options.colour = true;
  return options;
}

// The first frames at or after these times of a clip, which ascend. [second]
std::vector<Shown> frames_at(const std::filesystem::path& clip, const std::array<double, moments.size()>& times,
                             bool in_mirror, const VideoOptions& options) {
  FrameSigner signer(query_signature_options());
  Video video(clip, in_colour(options));
  std::vector<Shown> frames;
  std::optional<double> first;
  while (frames.size() < times.size()) {
    std::optional<VideoFrame> frame = video.next();
    if (!frame) break;
    if (!first) first = frame->seconds;
    if (frame->seconds - *first < times[frames.size()]) continue;
    FrameSignature signature = signer.sign(frame->grey.view());
    if (in_mirror) signature = mirrored(std::move(signature));
    frames.push_back({std::move(frame->colour), std::move(signature)});
  }
  if (frames.empty()) throw Error(ErrorCode::file_error, "'" + clip.string() + "' ends before the segment");
  return frames;
}

Features places_in(const std::vector<FramePoint>& points) {
  Features features;
  for (const FramePoint& point : points) {
    Keypoint keypoint;
    keypoint.x = static_cast<float>(point.x);
    keypoint.y = static_cast<float>(point.y);
    features.keypoints.push_back(keypoint);
  }
  return features;
}

}  // namespace

Image draw_copy(const CopySegment& segment, const std::filesystem::path& query, const std::filesystem::path& other,
                const VideoOptions& video) {
  std::array<double, moments.size()> of_query{}, of_other{};
  for (std::size_t i = 0; i < moments.size(); ++i) {
    of_query[i] = segment.query_in + moments[i] * (segment.query_out - segment.query_in);
    of_other[i] = segment.other_in + moments[i] * (segment.other_out - segment.other_in);
  }
  const std::vector<Shown> a = frames_at(query, of_query, segment.mirrored, video);
  const std::vector<Shown> b = frames_at(other, of_other, false, video);
  std::size_t best = 0;
  Agreement same;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const std::vector<FeaturePair> pairs = near_pairs(a[i].signature, b[i].signature);
    Agreement found = agreement(a[i].signature, b[i].signature, pairs, segment.other_from_query);
    if (found.in_a.size() <= same.in_a.size()) continue;
    best = i;
    same = std::move(found);
  }
  if (segment.mirrored) {
    for (FramePoint& point : same.in_a) point.x = a[best].picture.width() - 1 - point.x;
  }
  std::vector<Match> matches(same.in_a.size());
  for (std::size_t i = 0; i < matches.size(); ++i) matches[i].a = matches[i].b = static_cast<std::int32_t>(i);
  return draw_matches(a[best].picture.view(), places_in(same.in_a), b[best].picture.view(), places_in(same.in_b),
                      matches);
}

}  // namespace octavo
