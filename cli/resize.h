#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "octavo/image.h"

namespace octavo::cli {

/// [pixel]
struct Size {
  int width = 0, height = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

/// An option that takes sizes with commas between, such as 640x480,1920x1080, with sides of 1 to 65535; one that is
/// named twice is taken once. They replace what is in `sizes`.
CLI::Option* add_sizes(CLI::App& command, const std::string& name, std::vector<Size>& sizes,
                       const std::string& description);

/// The image scaled until it covers `size`, what is over cut off, the same on all sides.
Image resize_and_crop(const ImageView& image, Size size);

}  // namespace octavo::cli
