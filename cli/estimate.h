#pragma once

// The report of --estimate: the memory that a command would take.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"

namespace octavo::cli {

/// Adds --estimate to a command whose work on an image has this name ("extraction"). It excludes `output`, and takes
/// away that the command needs it. Returns the option.
CommandOption& add_estimate(Command& command, std::string_view work, CommandOption& output, bool& estimate);

struct EstimateCall {
  ReadOptions read;
  bool json = false;                 ///< print JSON instead of text
  bool array = false;                ///< the JSON is an array also for one image
  std::size_t images_at_a_time = 1;  ///< images whose pixels are in memory at a time
  /// The memory for an image of this shape, whose pixels are not read, on each device.
  std::function<std::vector<MemoryEstimate>(const ImageView& shape)> estimate;
};

/// Prints for each image its size, the memory of the work on it on each device, and whether that is available. The
/// images are read, since their decoders tell size and depth, and nothing else is done. Returns the exit code: 1 if an
/// image cannot be read or does not fit.
int print_estimates(std::span<const std::string> images, const EstimateCall& call);

}  // namespace octavo::cli
