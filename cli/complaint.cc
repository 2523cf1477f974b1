// Messages about errors, on the error stream.

#include "cli/complaint.h"

#include <fmt/core.h>

#include <cstdio>
#include <string>

#include "cli/options.h"
#include "io/files/one_line.h"

namespace octavo::cli {

void complain(std::string_view sentence) {
  const std::string line = io::on_one_line(with_flags(sentence));
  // Nothing can be done about an error stream that takes no text.
  static_cast<void>(std::fputs(fmt::format("octavo: {}\n", line).c_str(), stderr));
}

}  // namespace octavo::cli
