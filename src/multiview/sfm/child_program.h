#pragma once

// A program that runs as a child and talks in lines. It has a process group of its own, so that a request to end
// reaches what it has started as well, such as the mapper in a wrapper script. Ctrl-C in a terminal reaches this
// process alone, which passes it on by `stop`. If this process dies, by whatever, the program and what it has started
// end too (process/process_group.h).

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace octavo::sfm {

/// How a program ended.
struct ProgramEnd {
  int exit_code = 0;      ///< 128 + the signal if a signal ended it
  bool stopped = false;   ///< whether it was ended because the caller asked for it
  std::string last_line;  ///< the last line with letters that it printed
  [[nodiscard]] bool is_success() const { return exit_code == 0 && !stopped; }
};

/// A sentence about a program that failed, without a full stop: how it ended, its last line, and where its log is.
std::string failure_of_program(const std::string& program, const ProgramEnd& end, const std::filesystem::path& log);

/// Is told each line that the program prints, without its end.
using LineSink = std::function<void(std::string_view)>;

/// Runs a program to its end. `words` are its path, or its name in PATH, and its arguments. Its output and errors go to
/// `line` and are appended to the file `log`. Once a stop is requested, the program and those that it has started are
/// asked to end (SIGTERM), and killed half a second later. An empty `log` keeps none; an empty `stop` never does.
/// Throws Error(file_error) if the program cannot be started or the log cannot be written.
ProgramEnd run_program(const std::vector<std::string>& words, const std::filesystem::path& log, const LineSink& line,
                       const std::stop_token& stop);

}  // namespace octavo::sfm
