// Two clip files compared with each other, and what segments say of whole clips.

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "octavo/video/copy_segment.h"
#include "octavo/video/video.h"
#include "video/signature/overlap.h"
#include "video/signature/query_forms.h"

namespace octavo {
namespace {

double length_of(const CopySegment& one) { return one.query_out - one.query_in; }

// Whether one runs forwards and the other one backwards, and nothing else differs.
bool is_turned(const CopySegment& a, const CopySegment& b) {
  return (a.speed < 0) != (b.speed < 0) && a.mirrored == b.mirrored && a.negative == b.negative && length_of(a) > 0;
}

double inliers_a_second(const CopySegment& one) { return one.inliers / length_of(one); }

// Whether segments that run the other way show most of it, and match better. Before a still camera one line backwards
// passes parts of which each has a line forwards, and has more inliers than each.
bool is_explained_in_parts(const CopySegment& one, std::span<const CopySegment> all) {
  std::vector<CopySegment> parts;
  for (const CopySegment& part : all) {
    if (!is_turned(one, part) || inliers_a_second(part) <= inliers_a_second(one)) continue;
    const double in = std::max(one.query_in, part.query_in), out = std::min(one.query_out, part.query_out);
    if (in < out) parts.push_back({.query_in = in, .query_out = out});
  }
  return 2 * coverage(parts, length_of(one), true) > 1;
}

// Whether `weaker` is another form of `stronger`, within which most of it lies: in the query, or in the other clip if
// the query is an image. Two images have one segment.
bool is_reflection(const CopySegment& weaker, const CopySegment& stronger) {
  const bool is_other_form = weaker.mirrored != stronger.mirrored || weaker.negative != stronger.negative ||
                             (weaker.speed < 0) != (stronger.speed < 0);
  if (!is_other_form) return false;
  if (is_turned(weaker, stronger) && inliers_a_second(weaker) > inliers_a_second(stronger)) return false;
  if (weaker.query_out > weaker.query_in) {
    return 2 * overlap(weaker.query_in, weaker.query_out, stronger.query_in, stronger.query_out) >
           weaker.query_out - weaker.query_in;
  }
  return 2 * overlap(weaker.other_in, weaker.other_out, stronger.other_in, stronger.other_out) >=
         weaker.other_out - weaker.other_in;
}

ClipSignature sign(const std::filesystem::path& clip, const SignatureOptions& options, const VideoOptions& video,
                   const DeviceOptions& device, VideoFacts& facts, const ProgressSink& progress) {
  ClipSigner signer(clip, options, video, device);
  facts = signer.video().facts();
  return sign_clip(signer, progress);
}

}  // namespace

std::string why_never_found(const std::string& name, const ClipSignature& clip, double min_seconds) {
  if (clip.seconds > 0 && clip.seconds < min_seconds) {
    return fmt::format("{} lasts {:.2f} s, and no segment is shorter than {:g} s (`min_seconds`)", name, clip.seconds,
                       min_seconds);
  }
  const bool is_blank = std::ranges::all_of(clip.frames, [](const FrameSignature& f) { return f.features.empty(); });
  return is_blank
             ? name + " shows nothing to recognise: its frames are black, flat, titles or bars, or without features"
             : std::string();
}

std::vector<CopySegment> without_reflections(std::vector<CopySegment> segments) {
  std::stable_sort(segments.begin(), segments.end(),
                   [](const CopySegment& a, const CopySegment& b) { return a.inliers > b.inliers; });
  std::vector<CopySegment> kept;
  for (const CopySegment& one : segments) {
    const auto explains = [&](const CopySegment& stronger) { return is_reflection(one, stronger); };
    if (std::none_of(kept.begin(), kept.end(), explains)) kept.push_back(one);
  }
  std::erase_if(kept, [all = kept](const CopySegment& one) { return is_explained_in_parts(one, all); });
  std::stable_sort(kept.begin(), kept.end(),
                   [](const CopySegment& a, const CopySegment& b) { return a.score > b.score; });
  return kept;
}

ClipComparison compare_clips(const std::filesystem::path& query, const std::filesystem::path& other,
                             const CopyOptions& options, const VideoOptions& video, const DeviceOptions& device,
                             const ProgressSink& progress, const FurtherForms& further) {
  validate(options);
  SignatureOptions of_query = query_signature_options();
  of_query.words = 1;
  // Either clip may be the small image in the other one.
  SignatureOptions of_other = of_query;
  of_other.fps = SignatureOptions().fps;
  report(progress, "features of the first clip");
  ClipComparison comparison;
  const ClipSignature a = sign(query, of_query, video, device, comparison.query_facts, progress);
  const ClipSignature negative_a =
      further.negative ? sign_clip(query, of_query, video, device, progress, Tones::negative) : ClipSignature{};
  report(progress, "features of the second clip");
  const ClipSignature b = sign(other, of_other, video, device, comparison.other_facts, progress);
  comparison.query_seconds = a.seconds;
  comparison.other_seconds = b.seconds;
  std::vector<CopySegment> found;
  const QueryForms forms(a, further.negative ? &negative_a : nullptr, true, further.reversed);
  for (const QueryForm& form : forms.all()) {
    report(progress, fmt::format("comparison{}{}{}", form.negative ? ", negative" : "",
                                 form.mirrored ? ", mirrored" : "", form.reversed ? ", backwards" : ""));
    std::vector<CopySegment> of_form =
        find_copies(*form.clip, b, all_hits(*form.clip, b, device.isa, progress), options, device.isa, progress);
    tell_form(of_form, form);
    found.insert(found.end(), of_form.begin(), of_form.end());
  }
  report(progress, "ends of segments");
  comparison.segments = refine_ends(without_reflections(std::move(found)), query, other, video, progress);
  if (comparison.segments.empty()) {
    comparison.reason = why_never_found(query.string(), a, options.min_seconds);
    if (comparison.reason.empty()) comparison.reason = why_never_found(other.string(), b, options.min_seconds);
  }
  return comparison;
}

double coverage(std::span<const CopySegment> segments, double seconds, bool of_query) {
  if (seconds <= 0) return segments.empty() ? 0 : 1;
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
  return std::min(1.0, covered / seconds);
}

}  // namespace octavo
