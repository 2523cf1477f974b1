#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>

namespace octavo::io {

/// The ending of a file's name in lower case, such as ".png"; empty if it has none.
inline std::string ending_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending;
}

}  // namespace octavo::io
