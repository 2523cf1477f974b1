#pragma once

#include <string_view>

namespace octavo::cli {

/// One line on the error stream: "octavo: " and the sentence, whose line breaks become spaces.
void complain(std::string_view sentence);

}  // namespace octavo::cli
