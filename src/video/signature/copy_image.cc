// The image of a segment: the matches of a frame of both clips.

#include "video/signature/copy_image.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "octavo/error.h"
#include "octavo/io/drawing.h"
#include "octavo/matcher.h"
#include "video/frames/frames_at.h"
#include "video/signature/query_forms.h"
#include "video/signature/segment_view.h"

namespace octavo {
namespace {

struct Shown {
  std::vector<Image> images;
  std::vector<FrameSignature> signatures;
};

// The frames of a clip at the moments of a part of it.
Shown frames_at(const std::filesystem::path& clip, double in, double out, const QueryForm& form,
                const VideoOptions& options) {
  FrameSigner signer = view_signer({}, form.negative ? Tones::negative : Tones::positive);
  Shown shown;
  const auto take = [&](const VideoFrame& frame, double) {
    FrameSignature signature = signer.sign(frame.grey.view());
    if (form.mirrored) signature = mirrored(std::move(signature));
    shown.images.push_back(frame.colour.clone());
    shown.signatures.push_back(std::move(signature));
  };
  std::vector<FrameRequest> requests;
  for (const double moment : view_moments) requests.push_back({in + moment * (out - in), take});
  read_frames_at(clip, std::move(requests), view_options(options));
  if (shown.images.empty()) throw Error(ErrorCode::file_error, "'" + clip.string() + "' ends before the segment");
  if (form.reversed) {
    std::ranges::reverse(shown.images);
    std::ranges::reverse(shown.signatures);
  }
  return shown;
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
  const Shown a =
      frames_at(query, segment.query_in, segment.query_out,
                {.mirrored = segment.mirrored, .negative = segment.negative, .reversed = segment.speed < 0}, video);
  const Shown b = frames_at(other, segment.other_in, segment.other_out, {}, video);
  const SegmentView view = best_view(segment, a.signatures, b.signatures);
  std::vector<Match> matches(view.query.size());
  for (std::size_t i = 0; i < matches.size(); ++i) matches[i].a = matches[i].b = static_cast<std::int32_t>(i);
  return draw_matches(a.images[view.moment].view(), places_in(view.query), b.images[view.moment].view(),
                      places_in(view.other), matches);
}

}  // namespace octavo
