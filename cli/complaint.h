#pragma once

#include <string_view>

namespace octavo::cli {

/// Writes one line to the error stream: "octavo: " and the sentence. Its line breaks become spaces, and names of
/// options in backticks those of the command line.
void complain(std::string_view sentence);

}  // namespace octavo::cli
