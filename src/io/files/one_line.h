#pragma once

#include <algorithm>
#include <string>

namespace octavo::io {

/// The text, such as the name of a file, for a line of its own: control characters, such as line breaks, are spaces.
inline std::string on_one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

}  // namespace octavo::io
