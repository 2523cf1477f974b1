#pragma once

// Patterns of the shell. glob(3) tells of folders that it cannot read only a function without context.

#include <filesystem>
#include <string>
#include <vector>

namespace octavo::io {

struct MatchingPaths {
  std::vector<std::filesystem::path> paths;  ///< files, folders and others, sorted by their bytes
  std::vector<std::string> problems;         ///< a sentence for each folder that cannot be read, or not wholly
};

/// What matches a pattern of *, ? and [], which \ quotes, as the shell has it: a name that begins with a dot needs one
/// in the pattern. Links are followed.
MatchingPaths matching_paths(const std::filesystem::path& pattern);

}  // namespace octavo::io
