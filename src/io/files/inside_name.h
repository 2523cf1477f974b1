#pragma once

#include <algorithm>
#include <filesystem>

namespace octavo::io {

/// Whether a name that stands in a file of somebody else's stays in the folder to which it is relative. The system ends
/// a name at a zero byte.
inline bool is_inside(const std::filesystem::path& name) {
  return !name.empty() && name.is_relative() && name.native().find('\0') == std::string::npos &&
         std::ranges::find(name, "..") == name.end();
}

}  // namespace octavo::io
