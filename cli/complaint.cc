// Messages about errors, on the error stream.

#include "cli/complaint.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/options.h"

namespace octavo::cli {

void complain(std::string_view sentence) {
  std::string line = with_flags(sentence);
  std::replace(line.begin(), line.end(), '\n', ' ');
  // Nothing can be done about an error stream that takes no text.
  static_cast<void>(std::fputs(fmt::format("octavo: {}\n", line).c_str(), stderr));
}

}  // namespace octavo::cli
