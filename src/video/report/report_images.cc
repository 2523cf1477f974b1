// The images of a report. All frames that are wanted of a clip are gathered over all pairs, and the file is read
// once. Of what is read, only thumbnails and signatures are kept, so that memory does not grow with the frames.

#include "video/report/report_images.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "io/drawing/page_image.h"
#include "io/images/encoders.h"
#include "octavo/error.h"
#include "octavo/video/affinity.h"
#include "video/frames/frames_at.h"
#include "video/signature/segment_view.h"

namespace octavo {
namespace {

constexpr int thumbnail_side = 240;    // [pixel]
constexpr int view_side = 560;         // [pixel] of the frames whose features are shown
constexpr double most_affinity = 120;  // [second] of a clip in an affinity matrix
constexpr double affinity_fps = 2;     // that of signatures in an archive
constexpr double assumed_rate = 25;    // [1/second] of frames of a clip that does not say it

ReportFrame frame_of(const VideoFrame& frame, double seconds, int side) {
  return {io::page_image(io::reduced(frame.colour.view(), side).view(), ""), seconds};
}

// A moment of a segment for which features are compared.
struct Moment {
  ReportFrame frame;
  FrameSignature signature;
};

Moment moment_at(const VideoFrame& frame, double seconds, bool in_mirror, FrameSigner& signer) {
  FrameSignature signature = signer.sign(frame.grey.view());
  if (in_mirror) signature = mirrored(std::move(signature));
  return {frame_of(frame, seconds, view_side), std::move(signature)};
}

// What is gathered of a pair while files are read.
struct Gathered {
  PairImages images;
  std::vector<Moment> a, b;
};

double length_of_frame(const ArchivedClip& clip) {
  const Ratio rate = clip.facts.frame_rate;
  return rate.numerator > 0 ? static_cast<double>(rate.denominator) / static_cast<double>(rate.numerator)
                            : 1 / assumed_rate;
}

// The frames that one side of a pair wants of its clip.
class Wishes {
 public:
  Wishes(std::vector<FrameRequest>& requests, const ArchivedClip& clip)
      : requests_(requests), half_frame_(length_of_frame(clip) / 2) {}

  void thumbnails(double in, double out, std::array<std::optional<ReportFrame>, 3>& frames) {
    const std::array times{in, (in + out) / 2, std::max(in, out - half_frame_)};
    for (std::size_t k = 0; k < times.size(); ++k) {
      requests_.push_back({times[k], [&frames, k](const VideoFrame& frame, double seconds) {
                             frames[k] = frame_of(frame, seconds, thumbnail_side);
                           }});
    }
  }

  void moments(double in, double out, FrameSigner& signer, bool in_mirror, std::vector<Moment>& moments) {
    for (const double share : view_moments) {
      requests_.push_back(
          {in + share * (out - in), [&signer, in_mirror, &moments](const VideoFrame& frame, double seconds) {
             moments.push_back(moment_at(frame, seconds, in_mirror, signer));
           }});
    }
  }

 private:
  std::vector<FrameRequest>& requests_;
  double half_frame_;
};

std::vector<FrameSignature> signatures_of(const std::vector<Moment>& moments) {
  std::vector<FrameSignature> signatures;
  for (const Moment& one : moments) signatures.push_back(one.signature);
  return signatures;
}

std::optional<AgreeingFrames> agreeing_frames(const CopySegment& segment, const std::vector<Moment>& a,
                                              const std::vector<Moment>& b, const std::string& isa) {
  if (a.empty() || b.empty()) return std::nullopt;
  const SegmentView view = best_view(segment, signatures_of(a), signatures_of(b), isa);
  const Moment &of_a = a[view.moment], &of_b = b[view.moment];
  AgreeingFrames result{.a = of_a.frame, .b = of_b.frame, .lines = {}};
  const auto scale = [](const Moment& one) {
    return one.signature.width > 0 ? static_cast<double>(one.frame.image.width) / one.signature.width : 1;
  };
  for (std::size_t i = 0; i < view.query.size(); ++i) {
    result.lines.push_back({scale(of_a) * view.query[i].x, scale(of_a) * view.query[i].y, scale(of_b) * view.other[i].x,
                            scale(of_b) * view.other[i].y});
  }
  return result;
}

// The clip, or the part of it around the middle of a segment that a matrix may have.
ClipPart part_around(double in, double out, double seconds) {
  if (seconds <= most_affinity) return {0, seconds};
  const double begin = std::clamp((in + out - most_affinity) / 2, 0.0, seconds - most_affinity);
  return {begin, begin + most_affinity};
}

ClipSignature signature_of(const ReportClip& clip, const VideoArchive& archive) {
  return clip.query ? *clip.query : archive.signature(clip.clip);
}

std::optional<ReportAffinity> affinity_of_pair(const CopySegment& best, const ReportClip& a, const ReportClip& b,
                                               const VideoArchive& archive, const std::string& isa) {
  // No signature of the negative is kept, and an image has no time.
  if (best.negative || shows_image(best)) return std::nullopt;
  const ClipSignature plain = signature_of(a, archive), of_b = signature_of(b, archive);
  const ClipSignature of_a = best.mirrored ? mirrored(plain) : plain;
  const ClipPart part_of_a = part_around(best.query_in, best.query_out, of_a.seconds);
  const ClipPart part_of_b = part_around(best.other_in, best.other_out, of_b.seconds);
  const AffinityMatrix matrix = affinity_of(of_a, part_of_a, of_b, part_of_b, affinity_fps, isa);
  if (matrix.values.empty()) return std::nullopt;
  const auto end = [](const std::vector<double>& seconds) { return seconds.back() + 1 / affinity_fps; };
  return ReportAffinity{.png = io::encode_png(affinity_colours(matrix).view()),
                        .a_in = matrix.seconds_a.front(),
                        .a_out = end(matrix.seconds_a),
                        .b_in = matrix.seconds_b.front(),
                        .b_out = end(matrix.seconds_b)};
}

std::size_t best_of(const ReportPair& pair) {
  const auto best = std::ranges::max_element(pair.segments, {}, &CopySegment::score);
  return static_cast<std::size_t>(best - pair.segments.begin());
}

// The best pairs that no verdict settles, and the number of the others.
std::vector<Gathered> pairs_with_images(const VideoReport& report, std::size_t most, std::size_t& left_out) {
  std::vector<Gathered> chosen;
  for (std::size_t i = 0; i < report.pairs.size(); ++i) {
    const ReportPair& pair = report.pairs[i];
    if (pair.is_settled()) continue;
    if (chosen.size() == most) {
      ++left_out;
      continue;
    }
    Gathered one;
    one.images.pair = i;
    one.images.best = best_of(pair);
    one.images.segments.resize(pair.segments.size());
    chosen.push_back(std::move(one));
  }
  return chosen;
}

// The frames that all pairs want of each clip. The requests refer to `pairs`. `inverse` signs negatives.
std::vector<std::vector<FrameRequest>> requests_of(const VideoReport& report, std::vector<Gathered>& pairs,
                                                   FrameSigner& signer, FrameSigner& inverse) {
  std::vector<std::vector<FrameRequest>> requests(report.clips.size());
  for (Gathered& one : pairs) {
    const ReportPair& pair = report.pairs[one.images.pair];
    Wishes of_a(requests[pair.a], report.clips[pair.a].clip);
    Wishes of_b(requests[pair.b], report.clips[pair.b].clip);
    for (std::size_t k = 0; k < pair.segments.size(); ++k) {
      const CopySegment& s = pair.segments[k];
      of_a.thumbnails(s.query_in, s.query_out, one.images.segments[k].a);
      of_b.thumbnails(s.other_in, s.other_out, one.images.segments[k].b);
    }
    const CopySegment& best = pair.segments[one.images.best];
    of_a.moments(best.query_in, best.query_out, best.negative ? inverse : signer, best.mirrored, one.a);
    of_b.moments(best.other_in, best.other_out, signer, false, one.b);
  }
  return requests;
}

// Frames of b at the moments of a, whose last one b shows first.
void turn_back(Gathered& one, const ReportPair& pair) {
  for (std::size_t k = 0; k < pair.segments.size(); ++k) {
    if (pair.segments[k].speed < 0) std::ranges::reverse(one.images.segments[k].b);
  }
  if (pair.segments[one.images.best].speed < 0) std::ranges::reverse(one.b);
}

std::optional<PageImage> reduced_frame_at(const std::filesystem::path& clip, double seconds, const VideoOptions& video,
                                          int side) {
  std::optional<PageImage> image;
  const auto take = [&](const VideoFrame& frame, double time) { image = frame_of(frame, time, side).image; };
  read_frames_at(clip, {{seconds, take}}, view_options(video));
  return image;
}

}  // namespace

ReportImages report_images(const VideoReport& report, const VideoArchive& archive, const ReportOptions& options,
                           const VideoOptions& video, const DeviceOptions& device, const ProgressSink& progress) {
  validate(options);
  ReportImages result;
  std::vector<Gathered> pairs =
      pairs_with_images(report, static_cast<std::size_t>(options.max_images), result.left_out);
  if (pairs.empty()) return result;
  FrameSigner signer = view_signer(device);
  std::optional<FrameSigner> inverse;
  if (report.negative) inverse = view_signer(device, Tones::negative);
  std::vector<std::vector<FrameRequest>> requests = requests_of(report, pairs, signer, inverse ? *inverse : signer);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].empty()) continue;
    const ReportClip& clip = report.clips[i];
    if (clip.readable.empty()) {
      result.lacking[i] = clip.unreadable;
      continue;
    }
    try {
      read_frames_at(clip.readable, std::move(requests[i]), view_options(video), progress);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::file_error) throw;
      result.lacking[i] = error.what();
    }
  }
  for (Gathered& one : pairs) {
    octavo::report(progress, "affinities", result.pairs.size(), pairs.size());
    const ReportPair& pair = report.pairs[one.images.pair];
    const CopySegment& best = pair.segments[one.images.best];
    turn_back(one, pair);
    one.images.why = agreeing_frames(best, one.a, one.b, device.isa);
    one.images.affinity = affinity_of_pair(best, report.clips[pair.a], report.clips[pair.b], archive, device.isa);
    result.pairs.push_back(std::move(one.images));
  }
  return result;
}

std::optional<AgreeingFrames> agreeing_frames_at(const CopySegment& segment, const std::filesystem::path& a,
                                                 double seconds_a, const std::filesystem::path& b, double seconds_b,
                                                 const VideoOptions& video, const DeviceOptions& device) {
  FrameSigner signer = view_signer(device);
  const auto moment_of = [&](const std::filesystem::path& clip, double seconds, bool in_mirror) {
    std::vector<Moment> moments;
    const auto take = [&](const VideoFrame& frame, double time) {
      moments.push_back(moment_at(frame, time, in_mirror, signer));
    };
    read_frames_at(clip, {{seconds, take}}, view_options(video));
    return moments;
  };
  const std::vector<Moment> of_a = moment_of(a, seconds_a, segment.mirrored), of_b = moment_of(b, seconds_b, false);
  return agreeing_frames(segment, of_a, of_b, device.isa);
}

std::optional<PageImage> thumbnail_at(const std::filesystem::path& clip, double seconds, const VideoOptions& video) {
  return reduced_frame_at(clip, seconds, video, thumbnail_side);
}

std::optional<PageImage> view_at(const std::filesystem::path& clip, double seconds, const VideoOptions& video) {
  return reduced_frame_at(clip, seconds, video, view_side);
}

}  // namespace octavo
