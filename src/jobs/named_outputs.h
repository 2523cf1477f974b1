#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace octavo::jobs {

/// A file that a job writes: its option, and the endings that its name may have.
struct NamedOutput {
  std::string option;
  std::filesystem::path file;
  std::vector<std::string_view> endings;
};

/// Before the work: each file is one of its kind and can be written, and no two are the same. Throws
/// Error(invalid_option) and Error(file_error).
void require_fitting(std::span<const NamedOutput> outputs);

}  // namespace octavo::jobs
