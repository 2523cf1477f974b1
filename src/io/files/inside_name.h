#pragma once

#include <algorithm>
#include <filesystem>

namespace octavo::io {

/// Whether a name that was read from a file stays inside the folder that it is relative to. It must have no zero byte,
/// since the system takes a name up to there.
inline bool is_inside(const std::filesystem::path& name) {
  return !name.empty() && name.is_relative() && name.native().find('\0') == std::string::npos &&
         std::ranges::find(name, "..") == name.end();
}

}  // namespace octavo::io
