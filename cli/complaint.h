#pragma once

#include <string_view>

namespace octavo::cli {

/// Writes one line to the error stream: "octavo: " and the sentence. Its line breaks become spaces.
void complain(std::string_view sentence);

}  // namespace octavo::cli
