#pragma once

#include <cstddef>
#include <string_view>

namespace octavo::cli {

/// A progress bar for long lists, on the last line of the error stream. It draws nothing if the error stream is not a
/// terminal or the list is short. It is erased at the end.
class Progress {
 public:
  explicit Progress(std::size_t total);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows that `done` entries of the list are done and that the entry `name` is next.
  void show(std::size_t done, std::string_view name);
  /// Erases the bar, so that other lines can be printed.
  void clear();

 private:
  std::size_t total_;
  bool enabled_;
  bool drawn_ = false;
};

}  // namespace octavo::cli
