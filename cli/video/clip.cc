#include "cli/video/clip.h"

#include <unistd.h>

#include <filesystem>

#include "cli/standard_streams.h"
#include "octavo/error.h"

namespace octavo::cli {

Video open_video(const std::string& name, const VideoOptions& options) {
  if (!is_standard_stream(name)) return Video(std::filesystem::path(name), options);
  if (isatty(STDIN_FILENO) == 1) {
    throw Error(ErrorCode::file_error,
                "cannot read the standard input: it is a terminal, give it a file with '<' or a pipe");
  }
  return Video(STDIN_FILENO, "standard input", options);
}

std::string name_of_results(const std::string& name) {
  return is_standard_stream(name) ? "stdin" : std::filesystem::path(name).filename().string();
}

}  // namespace octavo::cli
