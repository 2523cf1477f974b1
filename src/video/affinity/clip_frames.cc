#include "video/affinity/clip_frames.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "octavo/video/video.h"
#include "video/signature/frame_times.h"

namespace octavo {

namespace {

constexpr double least_significance = 1;  // one chance match in ten pairs of frames
constexpr double least_spread = 0.125;    // less shows the same thing, such as an actor or a logo, and not the scene

}  // namespace

ClipFrameReader::ClipFrameReader(const AffinityOptions& options, const DeviceOptions& device)
    : options_((validate(options), options)),
      isa_(device.isa),
      signer_({.max_features = options.max_features}, device) {
  if (options.measure == AffinityMeasure::vlad) encoder_.emplace(general_vocabulary(), device);
}

ClipFrames ClipFrameReader::read(const std::filesystem::path& clip, const VideoOptions& video_options,
                                 const ProgressSink& progress) {
  const VideoOptions usual;
  VideoOptions taken = video_options;
  taken.every = options_.every;
  taken.fps = options_.fps;
  taken.ascending = true;
  taken.size = usual.size;
  taken.stored_luma = false;
  taken.colour = false;
  if (taken.gpu.empty()) taken.gpu = signer_.device();
  Video video(clip, taken);
  ClipFrames frames;
  frames.isa = isa_;
  const std::string stage = "features of " + clip.filename().string();
  std::optional<double> first;
  while (const std::optional<VideoFrame> frame = video.next()) {
    if (!first) first = frame->seconds;
    frames.seconds.push_back(frame->seconds - *first);
    FrameSignature signature = signer_.sign(frame->grey.view());
    if (encoder_) {
      const bool is_junk = signature.features.empty();
      frames.vlads.push_back(is_junk ? std::vector<std::int16_t>{} : encoder_->encode(signer_.features_on_device()));
    }
    signature.seconds = frames.seconds.back();
    frames.signatures.push_back(std::move(signature));
    report(progress, stage, static_cast<std::size_t>(std::max(0.0, video.seconds_done())),
           static_cast<std::size_t>(std::max(0.0, video.facts().declared_seconds)));
  }
  frames.length = video.seconds_done();
  for (std::size_t i = 0; i < frames.signatures.size(); ++i) {
    frames.signatures[i].until = i + 1 < frames.seconds.size() ? frames.seconds[i + 1] : frames.length;
  }
  const bool is_by_time = options_.every == 0 || frames.seconds.empty();
  frames.rate = is_by_time ? options_.fps : static_cast<double>(frames.seconds.size()) / frames.length;
  return frames;
}

ClipFrames frames_of(const ClipSignature& signature, double fps) {
  ClipFrames frames;
  frames.length = signature.seconds;
  frames.rate = fps;
  constexpr double most = 1LL << 53;  // whole numbers up to here are exact
  double number = 0;
  for (const FrameSignature& shown : signature.frames) {
    const double until = std::min(shown.until, shown.seconds + longest_stand);
    if (shown.seconds > (number + 1) / fps) number = std::ceil(shown.seconds * fps);  // nothing is shown before
    for (; number / fps < until && number < most; ++number) {
      frames.seconds.push_back(number / fps);
      frames.signatures.push_back(shown);
    }
  }
  return frames;
}

FrameAffinity affinity_of(const ClipFrames& a, std::size_t i, const ClipFrames& b, std::size_t j) {
  if (!a.vlads.empty()) {
    if (a.vlads[i].empty() || b.vlads[j].empty()) return {};
    const auto product = static_cast<float>(vlad_similarity(a.vlads[i], b.vlads[j]));
    return {product, product};
  }
  const FrameSignature &of_a = a.signatures[i], &of_b = b.signatures[j];
  const std::size_t fewer = std::min(of_a.features.size(), of_b.features.size());
  if (fewer == 0) return {};
  const FrameMatch match = match_frames(of_a, of_b, a.isa);
  const auto inliers = static_cast<float>(match.inliers);
  const bool is_scene = match.significance >= least_significance && match.spread >= least_spread;
  return {inliers, is_scene ? inliers / static_cast<float>(fewer) : 0};
}

std::vector<double> changes_of(const ClipFrames& frames, double least_share) {
  std::vector<double> changes;
  const auto same = [&](std::size_t i, std::size_t j) {
    return affinity_of(frames, i, frames, j).share >= least_share;
  };
  for (std::size_t i = 2; i + 1 < frames.seconds.size(); ++i) {
    if (same(i - 1, i) || same(i - 2, i) || same(i - 1, i + 1) || same(i - 2, i + 1)) continue;
    if (same(i - 2, i - 1) && same(i, i + 1)) changes.push_back(frames.seconds[i]);
  }
  return changes;
}

}  // namespace octavo
