#pragma once

#include <filesystem>

namespace octavo::video {

/// An open video file or device, which is closed at the end.
class VideoFile {
 public:
  /// `patience`: VideoOptions, for the first bytes of a pipe. Throws Error(file_error), which names the file.
  VideoFile(const std::filesystem::path& file, double patience);
  ~VideoFile();
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace octavo::video
