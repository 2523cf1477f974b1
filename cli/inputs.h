#pragma once

// Options of the inputs of several commands: videos, shards, and one range of values for all images.

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/standard_streams.h"
#include "octavo/io/image_formats.h"
#include "octavo/io/shard.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {

/// Throws WrongCall if one of the videos is "-": they are read several times.
template <class Names>
void refuse_standard_input(const Names& clips) {
  if (std::ranges::any_of(clips, [](const auto& clip) { return is_standard_stream(clip); })) {
    throw WrongCall("videos are read several times, so - cannot be one");
  }
}

/// Adds --every, --fps and --size, or only --size, for commands whose input may be a video.
void add_clip_options(Command& command, VideoOptions& options, bool only_size);

/// The options of reading that hold for a video too: `range`, `black`, `white`, and `max_pixels` if it is given.
void take_reading_options(const Command& command, const ReadOptions& read, VideoOptions& options);

/// Adds --shard. `items` are what the shards divide, such as "the images". None: the call has no --shard.
CommandOption& add_shard_option(Command& command, std::optional<Shard>& shard, const std::string& items);

/// Adds --one-range: images that are matched among themselves get one range of values, that of a sample of them.
void add_one_range(Command& command);

/// If --one-range is given, sets the range of a sample of the images at these places as `black` and `white`: of all
/// images, whatever the shard and what earlier runs have done. Throws WrongCall beside other options of the range,
/// and what range_of_set throws.
void take_one_range(const Command& command, std::span<const std::string> places, bool recursive, ReadOptions& read);

}  // namespace octavo::cli
