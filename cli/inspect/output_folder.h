#pragma once

// The folder of `octavo inspect`: its files, and those of a run before.

#include <filesystem>
#include <string>
#include <vector>

namespace octavo::cli {

/// Where a run writes its files. Runs with other options write other files, so what an earlier one left would look as
/// if it belonged to this one: inspect.json names the files of its run, for the next to remove.
class OutputFolder {
 public:
  /// Reads which files an earlier run wrote, and makes the folder if it is missing. Throws Error(file_error).
  explicit OutputFolder(std::filesystem::path folder);

  /// Where to write the file of this name, which is noted as one of this run.
  std::filesystem::path add(const std::string& name);
  /// The names of this run's files, in the order of add().
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  /// Removes the files of the earlier run that this one has not. Nothing else: only what that run's inspect.json names,
  /// if it is a file right in the folder and of a name that inspect gives. Throws Error(file_error).
  void remove_earlier() const;

 private:
  std::filesystem::path folder_;
  std::vector<std::string> earlier_, files_;
};

/// Throws Error(invalid_option) if `input`, a file to be read, lies in the folder under a name that inspect gives: it
/// could be written over.
void require_apart(const std::filesystem::path& input, const std::filesystem::path& folder);

}  // namespace octavo::cli
