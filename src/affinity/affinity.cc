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

void require_possible(std::size_t rows, std::size_t columns) {
  if (columns == 0 || rows <= most_affinities / columns) return;
  throw Error(ErrorCode::out_of_memory, std::to_string(rows) + " and " + std::to_string(columns) +
                                            " frames make too large a matrix: it may have " +
                                            std::to_string(most_affinities) + " numbers; take fewer frames a second");
}

// The times of a part of a clip, and the frame that stands for each.
struct Timeline {
  std::vector<double> seconds;
  std::vector<std::size_t> frames;
};

Timeline timeline_of(const ClipSignature& clip, const ClipPart& part, double fps) {
  Timeline line;
  if (clip.frames.empty()) return line;
  const double out = std::min(part.out, clip.seconds);
  std::size_t frame = 0;
  for (int k = 0; part.in + k / fps < out; ++k) {
    const double seconds = part.in + k / fps;
    while (frame + 1 < clip.frames.size() && clip.frames[frame + 1].seconds <= seconds) ++frame;
    line.seconds.push_back(seconds);
    line.frames.push_back(frame);
  }
  return line;
}

bool repeats(const Timeline& line, std::size_t i) { return i > 0 && line.frames[i - 1] == line.frames[i]; }

}  // namespace

AffinityMatrix affinity_of(const ClipSignature& a, const ClipPart& part_of_a, const ClipSignature& b,
                           const ClipPart& part_of_b, double fps) {
  const Timeline down = timeline_of(a, part_of_a, fps), right = timeline_of(b, part_of_b, fps);
  const std::size_t rows = down.seconds.size(), columns = right.seconds.size();
  require_possible(rows, columns);
  AffinityMatrix matrix{AffinityMeasure::matches, down.seconds, right.seconds, std::vector<float>(rows * columns)};
  tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t i) {
    if (repeats(down, i)) return;
    float* const row = &matrix.values[i * columns];
    for (std::size_t j = 0; j < columns; ++j) {
      const auto inliers = [&] { return match_frames(a.frames[down.frames[i]], b.frames[right.frames[j]]).inliers; };
      row[j] = repeats(right, j) ? row[j - 1] : static_cast<float>(inliers());
    }
  });
  for (std::size_t i = 1; i < rows; ++i) {
    if (!repeats(down, i)) continue;
    std::copy_n(&matrix.values[(i - 1) * columns], columns, &matrix.values[i * columns]);
  }
  return matrix;
}

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
  require_possible(rows, columns);
  AffinityMatrix matrix{options.measure, of_a.seconds, of_b.seconds, std::vector<float>(rows * columns)};
  std::atomic<std::size_t> done = 0;
  tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t i) {
    report(progress, "comparing frames", done++, rows);
    for (std::size_t j = 0; j < columns; ++j) matrix.values[i * columns + j] = affinity_of(of_a, i, of_b, j);
  });
  return matrix;
}

}  // namespace octavo
