#pragma once

#include <windows.h>

#include <cerrno>
#include <system_error>

namespace octavo::io {

/// The last error of Windows, as one of errno.
inline int windows_error() {
  const std::error_condition condition =
      std::system_category().default_error_condition(static_cast<int>(GetLastError()));
  return condition.category() == std::generic_category() ? condition.value() : EIO;
}

}  // namespace octavo::io
