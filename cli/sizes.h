#pragma once

#include <string>
#include <vector>

#include "octavo/image_view.h"

namespace octavo::cli {

class Command;
class CommandOption;

/// Adds an option that takes sizes separated by commas, such as 640x480,1920x1080, with sides of 1 to 65535. A size
/// that is named twice counts once. The sizes replace those in `sizes`.
CommandOption& add_sizes(Command& command, const std::string& name, std::vector<ImageSize>& sizes);

}  // namespace octavo::cli
