#pragma once

// How long the work on each content took. The times lie beside the catalogue, so that archives of the same clips have
// the same catalogue: a text file with a line for each content that was added, "CONTENT SECONDS". It only grows, and of
// several lines of a content the last counts. A line that a crash cut counts as none, nor does the next.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace octavo::archive {

/// The times of an archive. It is used by one thread at a time; other processes may add to the file meanwhile.
class WorkTimes {
 public:
  explicit WorkTimes(std::filesystem::path file) : file_(std::move(file)) {}

  /// Throws Error(file_error).
  void add(std::string_view content, double seconds);
  /// [second]; none where the file does not tell.
  std::optional<double> of(std::string_view content);

 private:
  void read_what_is_new();

  std::filesystem::path file_;
  std::uintmax_t read_ = 0;  // [byte] of whole lines
  std::map<std::string, double, std::less<>> seconds_;
};

}  // namespace octavo::archive
