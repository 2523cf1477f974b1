#include <fnmatch.h>

#include "io/files/name_matches.h"

namespace octavo::io {

bool name_matches(const std::filesystem::path& pattern, const std::filesystem::path& name) {
  return fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0;
}

}  // namespace octavo::io
