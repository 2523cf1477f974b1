// <shlwapi.h> needs <windows.h> before it.
#include <windows.h>

#include <shlwapi.h>

#include "io/files/name_matches.h"

namespace octavo::io {

bool name_matches(const std::filesystem::path& pattern, const std::filesystem::path& name) {
  return PathMatchSpecExW(name.c_str(), pattern.c_str(), PMSF_NORMAL) == S_OK;
}

}  // namespace octavo::io
