#pragma once

// What the engine keeps between runs (device/cache_entry.h) goes to a folder of the test's own.

#include <cstdlib>
#include <filesystem>

namespace octavo {

/// From then on this process keeps it there.
inline void keep_cache_in(const std::filesystem::path& folder) {
#if defined(_WIN32)
  _putenv_s("XDG_CACHE_HOME", folder.string().c_str());
#else
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
#endif
}

}  // namespace octavo
