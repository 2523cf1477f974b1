#include "cli/video/clip.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "cli/command_line.h"
#include "cli/options.h"
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

VideoFrame read_frame(const std::string& name, const FrameChoice& choice, VideoOptions options) {
  const bool by_time = choice.by_time;
  // With a step of its index the wanted frame is the second one that is taken.
  options.every = by_time ? 1 : std::max<std::int64_t>(choice.index, 1);
  Video video = open_video(name, options);
  std::optional<VideoFrame> last;
  while (std::optional<VideoFrame> frame = video.next()) {
    if (by_time && last && frame->seconds > choice.seconds) return std::move(*last);
    last = std::move(frame);
    if (!by_time && last->index == choice.index) return std::move(*last);
  }
  if (by_time && last) return std::move(*last);
  throw Error(ErrorCode::file_error,
              fmt::format("'{}' has no frame {}: it has {} frames, from 0 on", name, choice.index, video.decoded()));
}

void add_clip_options(Command& command, VideoOptions& options, bool only_size) {
  const OptionTable<VideoOptions>& table = option_table<VideoOptions>();
  if (only_size) {
    add_options(command, table, options,
                {"every", "fps", "engine", "fast", "stored_luma", "weave", "patience", "max_pixels", "range", "black",
                 "white"});
  } else {
    add_options(command, table, options,
                {"engine", "fast", "stored_luma", "weave", "patience", "max_pixels", "range", "black", "white"});
  }
}

void take_reading_options(const Command& command, const ReadOptions& read, VideoOptions& options) {
  if (command.count("--max-pixels") > 0) options.max_pixels = read.max_pixels;
  options.range = read.range;
  options.black = read.black;
  options.white = read.white;
}

std::string name_of_results(const std::string& name) {
  return is_standard_stream(name) ? "stdin" : std::filesystem::path(name).filename().string();
}

}  // namespace octavo::cli
