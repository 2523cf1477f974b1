#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "octavo/error.h"

// Files of lines, of which the first is the note of a part.

namespace octavo::archive {

/// The lines of a text, each of which ends with a line feed.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

[[noreturn]] inline void refuse_part(const std::string& file) {
  throw Error(ErrorCode::file_error, "cannot use '" + file + "': it is no part that a shard has finished");
}

}  // namespace octavo::archive
