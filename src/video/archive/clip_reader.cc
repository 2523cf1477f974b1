// From a clip to the bytes of its signature.

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/registry.h"
#include "octavo/video/clip_signature.h"
#include "octavo/video/video_archive.h"
#include "video/frames/frame_reader.h"
#include "video/frames/helper_process.h"
#include "video/frames/packet_decoder.h"

namespace octavo {

namespace {

// Signers for clips that are read at the same time. Each is kept for later clips: on a GPU, making its buffers takes
// longer than signing a short clip. Each has queues of its own, so that the work of several overlaps on one GPU; of
// several GPUs they take turns.
class Signers {
 public:
  Signers(const SignatureOptions& options, const DeviceOptions& device) : options_(options), device_(device) {
    for (const ResolvedDevice& one : resolve_devices(device)) devices_.push_back(one.name());
  }

  FrameSigner take() {
    DeviceOptions device = device_;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        FrameSigner signer = std::move(free_.back());
        free_.pop_back();
        return signer;
      }
      device.name = devices_[made_++ % devices_.size()];
    }
    return FrameSigner(options_, device);
  }
  void keep(FrameSigner signer) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(signer));
  }

 private:
  SignatureOptions options_;
  DeviceOptions device_;
  std::vector<std::string> devices_;  // the names of all of them
  std::mutex mutex_;
  std::size_t made_ = 0;
  std::vector<FrameSigner> free_;
};

}  // namespace

bool is_image(const ClipFacts& facts) { return facts.container == video::image_container; }

ClipFacts facts_of(const Video& video) {
  const VideoFacts& facts = video.facts();
  return {.container = facts.container,
          .codec = facts.codec,
          .width = facts.width,
          .height = facts.height,
          .frame_rate = facts.frame_rate,
          .seconds = video.seconds_done(),
          .frames = video.decoded(),
          .warnings = video.warnings(),
          .decoder = facts.decoder,
          .time_code = facts.time_code};
}

ClipReader clip_reader(const SignatureOptions& signature, const VideoOptions& video, const DeviceOptions& device) {
  validate(signature);
  validate(video);
  VideoOptions options = video;
  // Without a decoder every clip would fail.
  options.decoder = video::find_helper(video::decoder, video.decoder);
  video::packet_engine(options);
  const auto signers = std::make_shared<Signers>(signature, device);
  return [=](const std::filesystem::path& clip, const ClipReading& tell) -> std::optional<ClipFacts> {
    FrameSigner of_frames = signers->take();
    ClipSigner signer(clip, of_frames, options);
    const Video& read = signer.video();
    const VideoFacts& facts = read.facts();
    SignatureEncoder encoder;
    tell.signature(encoder.begin());
    while (!tell.stop.stop_requested()) {
      tell.progress({.done = read.seconds_done(), .total = facts.declared_seconds});
      const std::optional<FrameSignature> frame = signer.next();
      if (frame) {
        tell.signature(encoder.frame(*frame));
        continue;
      }
      tell.signature(encoder.end(read.seconds_done()));
      ClipFacts result = facts_of(read);
      signers->keep(std::move(of_frames));
      return result;
    }
    return std::nullopt;
  };
}

}  // namespace octavo
