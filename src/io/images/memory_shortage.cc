// Libraries without codes for their errors tell a shortage of memory by words alone.

#include <algorithm>
#include <array>
#include <string_view>

#include "io/images/decode_error.h"

namespace octavo::io {

bool means_memory_shortage(std::string_view message) {
  constexpr std::array<std::string_view, 8> words{"No space for",       "ut of memory",      "ot enough memory",
                                                  "nsufficient memory", "ailed to allocate", "annot allocate",
                                                  "nable to allocate",  "llocation failure"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return message.find(word) != std::string_view::npos; });
}

}  // namespace octavo::io
