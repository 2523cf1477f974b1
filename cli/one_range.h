#pragma once

// --one-range: images that are matched among themselves get one range of values, that of a sample of them.

#include <span>
#include <string>

#include "octavo/io/image_formats.h"

namespace octavo::cli {

class Command;

void add_one_range(Command& command);

/// If --one-range is given, sets the range of a sample of the images at these places as `black` and `white`: of all
/// images, whatever the shard and what earlier runs have done. Throws WrongCall beside other options of the range,
/// and what range_of_set throws.
void take_one_range(const Command& command, std::span<const std::string> places, bool recursive, ReadOptions& read);

}  // namespace octavo::cli
