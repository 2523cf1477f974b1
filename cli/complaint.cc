// Messages about errors, on the error stream.

#include "cli/complaint.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace octavo::cli {

void complain(std::string_view sentence) {
  std::string line(sentence);
  std::replace(line.begin(), line.end(), '\n', ' ');
  fmt::print(stderr, "octavo: {}\n", line);
}

}  // namespace octavo::cli
