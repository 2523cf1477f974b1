#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"
#include "octavo/video/video_file.h"

// Writes images as a video file. FFmpeg's libraries encode in a process of their own, the program `octavo-encode`, as
// `octavo-decode` decodes.

namespace OCTAVO_INTERNAL_API octavo {

struct VideoWriterOptions {
  ImageSize size;          ///< [pixel] of all images, 1 to 16384
  Ratio time_base{1, 25};  ///< [second] a tick
  /// [1/second] About how many images there are a second. Their times may differ from it.
  Ratio frame_rate{25, 1};
  VideoCodec codec = VideoCodec::automatic;
  /// [second] The encoder is ended after this time without progress.
  double patience = 30;
  /// The program `octavo-encode`. Empty: it is searched as VideoOptions::decoder is, by OCTAVO_ENCODER first.
  std::string encoder{};
};

/// Writes a video without sound, image by image. A file appears whole when finish() returns, as OutputFile
/// describes; until then a file of the same name stays as it is. A pipe gets each image as soon as it is encoded. An
/// object is used by one thread at a time.
class VideoWriter {
 public:
  /// Starts the encoder. The ending of the name chooses the container: .mp4, .m4v, .mov or .mkv; a named pipe takes
  /// .mkv only. Throws Error(invalid_option) for another ending, a size or a codec that FFmpeg here cannot encode;
  /// Error(file_error) for a file that cannot be written, and an encoder that is missing, crashes or makes no progress.
  VideoWriter(const std::filesystem::path& file, const VideoWriterOptions& options);
  /// Writes Matroska to an open pipe or file, such as the standard output, from its position on; `name` is what the
  /// errors call it. The descriptor stays open. A reader that takes its time is waited for.
  VideoWriter(int descriptor, const std::string& name, const VideoWriterOptions& options);
  /// Ends the encoder. Without finish() there is no file.
  ~VideoWriter();
  VideoWriter(VideoWriter&&) noexcept;
  VideoWriter& operator=(VideoWriter&&) = delete;

  /// Throws what the constructor throws for a name.
  static void require_writable(const std::filesystem::path& file);

  /// FFmpeg's name of the codec: "h264" or "mpeg4".
  [[nodiscard]] const std::string& codec() const;

  /// Adds an image (u8, 1 or 3 channels) of the size, shown from this time on [tick]. The times of the file count from
  /// that of the first image. A time that is not after that of the image before becomes one tick after it.
  /// `duration` is that of the image if it is the last one [tick]; 0: as long as the one before. Sides that are odd
  /// are made even by a copy of the last column or row. Throws Error(invalid_argument); Error(file_error).
  void write(const ImageView& image, std::int64_t ticks, std::int64_t duration = 0);

  /// Ends the file and gives it its name. Throws Error(file_error), also if there is no image.
  void finish();

  /// [second] of CPU cores that the encoder has taken so far.
  [[nodiscard]] double encoding_seconds() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace octavo
