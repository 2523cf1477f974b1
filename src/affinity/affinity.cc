// Affinity matrices. Every frame that is taken has a row or a column, also those that repeat the one before: so times
// are even, and a copy at constant speed is a straight line.

#include "octavo/affinity.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "octavo/error.h"
#include "octavo/vlad.h"

namespace octavo {
namespace {

struct Frames {
  std::vector<double> seconds;
  std::vector<FrameSignature> signatures;        // for matches
  std::vector<std::vector<std::int16_t>> vlads;  // for VLAD; empty for junk
};

Frames frames_of(const std::filesystem::path& clip, const AffinityOptions& options, VideoOptions video_options,
                 FrameSigner& signer, VladEncoder* encoder, const ProgressSink& progress) {
  const VideoOptions usual;
  video_options.every = 0;
  video_options.fps = options.fps;
  video_options.size = usual.size;
  video_options.stored_luma = false;
  video_options.colour = false;
  if (video_options.gpu.empty()) video_options.gpu = signer.device();
  Video video(clip, video_options);
  Frames frames;
  const std::string stage = "features of " + clip.filename().string();
  std::optional<double> first;
  while (const std::optional<VideoFrame> frame = video.next()) {
    if (!first) first = frame->seconds;
    frames.seconds.push_back(frame->seconds - *first);
    FrameSignature signature = signer.sign(frame->grey.view());
    if (encoder == nullptr) {
      frames.signatures.push_back(std::move(signature));
    } else if (signature.features.empty()) {
      frames.vlads.emplace_back();
    } else {
      frames.vlads.push_back(encoder->encode(signer.features_on_device()));
    }
    report(progress, stage, static_cast<std::size_t>(std::max(0.0, video.seconds_done())),
           static_cast<std::size_t>(std::max(0.0, video.facts().declared_seconds)));
  }
  return frames;
}

float affinity_of(const Frames& a, std::size_t i, const Frames& b, std::size_t j) {
  if (a.vlads.empty()) return static_cast<float>(match_frames(a.signatures[i], b.signatures[j]).inliers);
  if (a.vlads[i].empty() || b.vlads[j].empty()) return 0;
  return static_cast<float>(vlad_similarity(a.vlads[i], b.vlads[j]));
}

}  // namespace

AffinityMatrix affinity_of(const std::filesystem::path& a, const std::filesystem::path& b,
                           const AffinityOptions& options, const VideoOptions& video, const DeviceOptions& device,
                           const ProgressSink& progress) {
  validate(options);
  FrameSigner signer({.features = options.features}, device);
  std::optional<VladEncoder> encoder;
  if (options.measure == AffinityMeasure::vlad) encoder.emplace(general_vocabulary(), device);
  VladEncoder* const by_vlad = encoder ? &*encoder : nullptr;
  const Frames of_a = frames_of(a, options, video, signer, by_vlad, progress);
  const Frames of_b = a == b ? of_a : frames_of(b, options, video, signer, by_vlad, progress);
  const std::size_t rows = of_a.seconds.size(), columns = of_b.seconds.size();
  if (columns > 0 && rows > most_affinities / columns) {
    throw Error(ErrorCode::out_of_memory, std::to_string(rows) + " and " + std::to_string(columns) +
                                              " frames make too large a matrix: it may have " +
                                              std::to_string(most_affinities) + " numbers; take fewer frames a second");
  }
  AffinityMatrix matrix{options.measure, of_a.seconds, of_b.seconds, std::vector<float>(rows * columns)};
  std::atomic<std::size_t> done = 0;
  tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t i) {
    report(progress, "comparing frames", done++, rows);
    for (std::size_t j = 0; j < columns; ++j) matrix.values[i * columns + j] = affinity_of(of_a, i, of_b, j);
  });
  return matrix;
}

}  // namespace octavo
