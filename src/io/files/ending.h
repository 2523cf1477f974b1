#pragma once

#include <algorithm>
#include <filesystem>
#include <string>

namespace octavo::io {

/// The ending of a file's name in lower case, such as ".png"; empty if it has none. Letters are those of ASCII: the C
/// library's tolower goes by the locale of the process, and in Turkish has no other form of I.
inline std::string ending_of(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return ending;
}

}  // namespace octavo::io
