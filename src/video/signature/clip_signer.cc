// From a clip to the signatures of its frames. A run of frames that do not differ is one signature that lasts longer.
// Features that stand still while the image moves are left out (static_features.h).

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "octavo/video/clip_signature.h"
#include "octavo/video/video.h"
#include "video/frames/frame_runs.h"
#include "video/signature/frame_times.h"
#include "video/signature/static_features.h"

namespace octavo {

namespace {

VideoOptions with_frames_for(const FrameSigner& signer, VideoOptions video) {
  const SignatureOptions& options = signer.options();
  const VideoOptions defaults;
  video.ascending = true;
  video.every = options.every;
  video.fps = options.fps;
  video.size = defaults.size;
  video.stored_luma = defaults.stored_luma;
  video.colour = false;
  if (video.gpu.empty()) video.gpu = signer.device();
  return video;
}

}  // namespace

class ClipSigner::Impl {
 public:
  Impl(const std::filesystem::path& clip, std::optional<FrameSigner> own, FrameSigner* signer,
       const VideoOptions& video)
      : own_(std::move(own)), signer_(own_ ? *own_ : *signer), video_(clip, with_frames_for(signer_, video)) {}

  std::optional<FrameSignature> next(const ProgressSink& progress) {
    while (!is_read_) {
      if (std::optional<FrameSignature> frame = moving_.take()) return frame;
      read_one(progress);
    }
    std::optional<FrameSignature> frame = moving_.take();
    if (!frame && failure_) std::rethrow_exception(failure_);
    return frame;
  }

  const Video& video() const { return video_; }
  double step() const { return step_of(signer_.options(), video_.facts().frame_rate); }

 private:
  // The frames before a failure are given first.
  void read_one(const ProgressSink& progress) {
    try {
      if (std::optional<FrameSignature> frame = next_run(progress)) return moving_.add(std::move(*frame));
    } catch (...) {
      failure_ = std::current_exception();
    }
    is_read_ = true;
    moving_.finish();
  }

  std::optional<FrameSignature> next_run(const ProgressSink& progress) {
    while (std::optional<VideoFrame> frame = video_.next()) {
      const double seconds = time_of(*frame);
      report(progress, "reading the clip", whole(seconds), whole(video_.facts().declared_seconds));
      const double before_until = std::min(seconds, most_until_);
      if (seconds > most_until_) runs_ = {};
      const bool is_new = !runs_.add(frame->grey.view(), frame->index, seconds);
      runs_.take_ended();
      most_until_ = std::min(seconds + longest_time_of(*frame), (is_new ? seconds : pending_->seconds) + longest_stand);
      if (!is_new) continue;
      std::optional<FrameSignature> before = std::exchange(pending_, sign(*frame, seconds));
      if (before) return give(std::move(*before), before_until);
    }
    if (!pending_) return std::nullopt;
    return give(*std::exchange(pending_, std::nullopt), std::min(video_.seconds_done(), most_until_));
  }

  // [second] for which a frame may be shown: a minute more than frames that are taken are apart, or as long as the file
  // says, such as a slide. So the frame before a leap of the times does not stand for the time that is left out.
  [[nodiscard]] double longest_time_of(const VideoFrame& frame) const {
    return std::max(60 + step(), seconds_of(frame.duration_ticks));
  }

  static std::size_t whole(double seconds) { return static_cast<std::size_t>(std::max(0.0, seconds)); }

  FrameSignature sign(const VideoFrame& frame, double seconds) {
    FrameSignature result = signer_.sign(frame.grey.view());
    result.index = frame.index;
    result.seconds = seconds;
    return result;
  }

  // Two frames may have one time in damaged files. A frame lasts at least a millisecond, and an image no time.
  [[nodiscard]] FrameSignature give(FrameSignature frame, double until) const {
    frame.until = is_image(video_.facts()) ? frame.seconds : std::max(until, frame.seconds + 0.001);
    return frame;
  }

  // [second] from the first frame, exact to a tick.
  double time_of(const VideoFrame& frame) {
    if (!first_) first_ = frame.ticks;
    return seconds_of(frame.ticks - *first_);
  }

  [[nodiscard]] double seconds_of(std::int64_t ticks) const {
    const Ratio& base = video_.facts().time_base;
    return static_cast<double>(ticks) * static_cast<double>(base.numerator) / static_cast<double>(base.denominator);
  }

  std::optional<FrameSigner> own_;
  FrameSigner& signer_;
  Video video_;
  FrameRuns runs_;
  std::optional<FrameSignature> pending_;
  double most_until_ = std::numeric_limits<double>::infinity();  // [second] of the pending frame
  std::optional<std::int64_t> first_;                            // [tick] the time of the first frame
  StaticFeatures moving_;
  std::exception_ptr failure_;
  bool is_read_ = false;  // to the end, or to a failure
};

ClipSigner::ClipSigner(const std::filesystem::path& clip, const SignatureOptions& options, const VideoOptions& video,
                       const DeviceOptions& device)
    : impl_(std::make_unique<Impl>(clip, FrameSigner(options, device), nullptr, video)) {}
ClipSigner::ClipSigner(const std::filesystem::path& clip, FrameSigner& signer, const VideoOptions& video)
    : impl_(std::make_unique<Impl>(clip, std::nullopt, &signer, video)) {}
ClipSigner::~ClipSigner() = default;
ClipSigner::ClipSigner(ClipSigner&&) noexcept = default;

std::optional<FrameSignature> ClipSigner::next(const ProgressSink& progress) { return impl_->next(progress); }
const Video& ClipSigner::video() const { return impl_->video(); }
double ClipSigner::step() const { return impl_->step(); }

ClipSignature sign_clip(const std::filesystem::path& clip, const SignatureOptions& options, const VideoOptions& video,
                        const DeviceOptions& device, const ProgressSink& progress, Tones tones) {
  FrameSigner frames(options, device, tones);
  ClipSigner signer(clip, frames, video);
  return sign_clip(signer, progress);
}

ClipSignature sign_clip(ClipSigner& signer, const ProgressSink& progress) {
  ClipSignature signature;
  while (std::optional<FrameSignature> frame = signer.next(progress)) signature.frames.push_back(std::move(*frame));
  signature.seconds = signer.video().seconds_done();
  signature.step = signer.step();
  return signature;
}

}  // namespace octavo
