#include "cli/video/clip.h"

#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/wrong_call.h"

namespace octavo::cli {

void refuse_standard_input(std::span<const std::string> clips) {
  for (const std::string& clip : clips) {
    if (is_standard_stream(clip)) throw WrongCall("videos are read several times, so - cannot be one");
  }
}

void add_clip_options(Command& command, VideoOptions& options, bool only_size) {
  if (only_size) {
    add_options(command, options,
                {"every", "fps", "engine", "fast", "stored_luma", "weave", "patience", "max_pixels", "range", "black",
                 "white"});
  } else {
    add_options(command, options,
                {"engine", "fast", "stored_luma", "weave", "patience", "max_pixels", "range", "black", "white"});
  }
}

void take_reading_options(const Command& command, const ReadOptions& read, VideoOptions& options) {
  if (command.count("--max-pixels") > 0) options.max_pixels = read.max_pixels;
  options.range = read.range;
  options.black = read.black;
  options.white = read.white;
}

}  // namespace octavo::cli
