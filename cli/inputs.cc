#include "cli/inputs.h"

#include <array>

#include "cli/options.h"
#include "cli/progress.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {

void add_clip_options(Command& command, VideoOptions& options, bool only_size) {
  constexpr std::array<std::string_view, 11> others{"engine", "fast",  "stored_luma", "weave", "patience", "max_pixels",
                                                    "range",  "black", "white",       "every", "fps"};
  add_options(command, options, std::span(others).first(others.size() - (only_size ? 0 : 2)));
}

void take_reading_options(const Command& command, const ReadOptions& read, VideoOptions& options) {
  if (command.is_given("--max-pixels")) options.max_pixels = read.max_pixels;
  options.range = read.range;
  options.black = read.black;
  options.white = read.white;
}

CommandOption& add_shard_option(Command& command, std::optional<Shard>& shard, const std::string& items) {
  return command.add_option("--shard", [&shard](const std::string& text) { shard = shard_of_text(text); }).about(items);
}

void add_one_range(Command& command) {
  command.add_flag("--one-range", [] {});
}

void take_one_range(const Command& command, std::span<const std::string> places, bool recursive, ReadOptions& read) {
  if (!command.is_given("--one-range")) return;
  refuse_if_given(command, {"--range", "--black", "--white"}, "with --one-range");
  Progress progress;
  progress.show("finding the range of values");
  octavo::take_one_range(places, recursive, read);
  progress.clear();
}

}  // namespace octavo::cli
