#include "video/review/preview.h"

#include <optional>

#include "octavo/error.h"
#include "octavo/video/video.h"
#include "video/frames/video_writer.h"

namespace octavo::review {
namespace {

VideoWriterOptions preview_options(const VideoFacts& facts, ImageSize size, double patience) {
  VideoWriterOptions options{.size = size, .time_base = facts.time_base, .codec = VideoCodec::h264};
  if (facts.frame_rate.numerator > 0) options.frame_rate = facts.frame_rate;
  options.patience = patience;
  return options;
}

}  // namespace

void write_preview(const std::filesystem::path& clip, const std::filesystem::path& preview, VideoOptions video,
                   const ProgressSink& progress, const std::stop_token& stop) {
  video.every = 1;
  video.size = VideoOptions().size;
  video.colour = true;
  video.stored_luma = false;
  video.engine = VideoEngine::cpu;
  Video frames(clip, video);
  const std::string stage = "preview of " + clip.filename().string();
  const auto total = static_cast<std::size_t>(frames.facts().declared_seconds);
  std::optional<VideoWriter> writer;
  ImageSize size{};
  while (const std::optional<VideoFrame> frame = frames.next()) {
    if (stop.stop_requested()) return;
    if (!writer) {
      size = {frame->colour.width(), frame->colour.height()};
      writer.emplace(preview, preview_options(frames.facts(), size, video.patience));
    }
    // A frame of another size is left out; the one before stays instead.
    if (size != ImageSize{frame->colour.width(), frame->colour.height()}) continue;
    writer->write(frame->colour.view(), frame->ticks, frame->duration_ticks);
    report(progress, stage, static_cast<std::size_t>(frames.seconds_done()), total);
  }
  if (!writer) throw Error(ErrorCode::file_error, "'" + clip.string() + "' has no frames");
  writer->finish();
}

}  // namespace octavo::review
