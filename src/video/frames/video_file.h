#pragma once

#include <filesystem>

namespace octavo::video {

/// An open video file or device, which is closed at the end.
class VideoFile {
 public:
  /// Throws Error(file_error), which names the file.
  explicit VideoFile(const std::filesystem::path& file);
  ~VideoFile();
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace octavo::video
