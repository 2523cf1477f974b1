#pragma once

// The folder that an inspection is written to: its files, and those of an earlier run.

#include <filesystem>
#include <string>
#include <vector>

namespace octavo::inspection {

/// The folder for the files of a run. Runs with other options write other files, and files of an earlier run would seem
/// to belong to this one. So inspect.json lists the files of its run, and the next run removes them.
class OutputFolder {
 public:
  /// Reads the list of files of an earlier run, and makes the folder if it is missing. Throws Error(file_error).
  explicit OutputFolder(std::filesystem::path folder);

  /// The path of the file of this name. The file is added to the list of this run.
  std::filesystem::path add(const std::string& name);
  /// The names of this run's files, in the order of add().
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  /// Removes the files of the earlier run that this run did not write, and nothing else: a file must be listed in that
  /// run's inspect.json, lie directly in the folder, and have a name that an inspection gives. Throws
  /// Error(file_error).
  void remove_earlier() const;

 private:
  std::filesystem::path folder_;
  std::vector<std::string> earlier_, files_;
};

}  // namespace octavo::inspection
