#pragma once

#include <filesystem>

namespace octavo::io {

/// Whether a name matches a pattern, as the system's shell has it. On POSIX the pattern has *, ? and [], which
/// \ quotes, and a name that begins with a dot needs one in the pattern. On Windows it has * and ?, and letters have no
/// case.
bool name_matches(const std::filesystem::path& pattern, const std::filesystem::path& name);

}  // namespace octavo::io
