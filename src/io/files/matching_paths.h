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

/// What matches a pattern, each of whose components is one of name_matches. Links are followed.
MatchingPaths matching_paths(const std::filesystem::path& pattern);

}  // namespace octavo::io
