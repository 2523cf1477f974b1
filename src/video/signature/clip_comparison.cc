// Two clip files compared with each other, and what segments say of whole clips.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "octavo/video/copy_segment.h"
#include "video/signature/overlap.h"

namespace octavo {
namespace {

// Whether most of `weaker` lies within `stronger` in both clips.
bool is_reflection(const CopySegment& weaker, const CopySegment& stronger) {
  const double of_query = overlap(weaker.query_in, weaker.query_out, stronger.query_in, stronger.query_out);
  return weaker.mirrored != stronger.mirrored && 2 * of_query > weaker.query_out - weaker.query_in;
}

}  // namespace

std::vector<CopySegment> without_reflections(std::vector<CopySegment> segments) {
  std::stable_sort(segments.begin(), segments.end(),
                   [](const CopySegment& a, const CopySegment& b) { return a.inliers > b.inliers; });
  std::vector<CopySegment> kept;
  for (const CopySegment& one : segments) {
    const auto explains = [&](const CopySegment& stronger) { return is_reflection(one, stronger); };
    if (std::none_of(kept.begin(), kept.end(), explains)) kept.push_back(one);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const CopySegment& a, const CopySegment& b) { return a.score > b.score; });
  return kept;
}

ClipComparison compare_clips(const std::filesystem::path& query, const std::filesystem::path& other,
                             const CopyOptions& options, const VideoOptions& video, const DeviceOptions& device,
                             const ProgressSink& progress) {
  validate(options);
  SignatureOptions of_query = query_signature_options();
  of_query.words = 1;
  // Either clip may be the small image in the other one.
  SignatureOptions of_other = of_query;
  of_other.fps = SignatureOptions().fps;
  report(progress, "features of the first clip");
  const ClipSignature a = sign_clip(query, of_query, video, device);
  report(progress, "features of the second clip");
  const ClipSignature b = sign_clip(other, of_other, video, device);
  ClipComparison comparison{{}, a.seconds, b.seconds};
  std::vector<CopySegment> found;
  for (const bool in_mirror : {false, true}) {
    report(progress, in_mirror ? "comparison, mirrored" : "comparison");
    const ClipSignature signature = in_mirror ? mirrored(a) : a;
    for (CopySegment& segment : find_copies(signature, b, all_hits(signature, b, device.isa), options, device.isa)) {
      segment.mirrored = in_mirror;
      found.push_back(segment);
    }
  }
  report(progress, "ends of segments");
  comparison.segments = refine_ends(without_reflections(std::move(found)), query, other, video);
  return comparison;
}

double coverage(std::span<const CopySegment> segments, double seconds, bool of_query) {
  std::vector<std::pair<double, double>> parts;
  for (const CopySegment& one : segments) {
    parts.emplace_back(of_query ? one.query_in : one.other_in, of_query ? one.query_out : one.other_out);
  }
  std::sort(parts.begin(), parts.end());
  double covered = 0, end = 0;
  for (const auto& [from, to] : parts) {
    covered += std::max(0.0, to - std::max(from, end));
    end = std::max(end, to);
  }
  return seconds > 0 ? std::min(1.0, covered / seconds) : 0;
}

}  // namespace octavo
