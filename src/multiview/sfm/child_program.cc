#include "multiview/sfm/child_program.h"

#include <fmt/core.h>

#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "engine/process/child_process.h"
#include "engine/process/descriptor.h"
#include "engine/process/process_group.h"
#include "engine/process/program.h"
#include "octavo/error.h"

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds grace{500};  // a person who has asked to end waits for a second
constexpr std::size_t longest_line = 4096;

// A program and its group, which is killed if the program is left before its end.
class GroupedProgram {
 public:
  explicit GroupedProgram(const std::vector<std::string>& words) {
    ProgramStart start{.words = words};
    const std::string found = find_program(words[0]);
    if (!found.empty()) start.words[0] = found;
    // A program with a window needs a display; COLMAP's commands need none with this platform of Qt.
    start.variables = {"QT_QPA_PLATFORM=offscreen"};
    try {
      group_.emplace();
      DescriptorPair pipe = make_pipe();
      start.output = start.errors = pipe.second.number();
      start.group = group_->number();
      program_ = start_program(start);
      output_ = std::move(pipe.first);
    } catch (const std::system_error& error) {
      throw Error(ErrorCode::file_error, fmt::format("cannot start '{}': {}", words[0], error.code().message()));
    }
  }
  ~GroupedProgram() {
    if (program_.is_there()) kill();
  }
  GroupedProgram(const GroupedProgram&) = delete;
  GroupedProgram& operator=(const GroupedProgram&) = delete;

  [[nodiscard]] int output() const { return output_.number(); }
  void ask_to_end() { group_->ask(SIGTERM); }
  // The program may have left the group.
  void kill() {
    group_->kill();
    program_.kill();
  }

  // Waits for the end and returns the exit code.
  int wait() {
    const ChildEnd end = program_.wait();
    return end.signal != 0 ? 128 + end.signal : end.code;
  }

 private:
  std::optional<ProcessGroup> group_;
  ChildProcess program_;
  Descriptor output_;
};

// Cuts the output into lines. A line that is rewritten (\r) is a line too.
class LineCutter {
 public:
  LineCutter(const LineSink& sink, std::string& last) : sink_(sink), last_(last) {}

  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      if (byte == '\n' || byte == '\r' || line_.size() == longest_line) finish();
      if (byte != '\n' && byte != '\r') line_ += byte;
    }
  }

  void finish() {
    if (line_.empty()) return;
    for (const char byte : line_) {
      if (std::isalpha(static_cast<unsigned char>(byte)) == 0) continue;
      last_ = line_;
      break;
    }
    if (sink_) sink_(line_);
    line_.clear();
  }

 private:
  const LineSink& sink_;
  std::string& last_;
  std::string line_;
};

}  // namespace

std::string failure_of_program(const std::string& program, const ProgramEnd& end, const fs::path& log) {
  const std::string how = end.exit_code > 128 ? fmt::format("a signal ended it: {}", end.exit_code - 128)
                                              : fmt::format("exit code {}", end.exit_code);
  return fmt::format("{} failed ({}): {}; its log is '{}'", program, how,
                     end.last_line.empty() ? "it printed nothing" : end.last_line, log.string());
}

ProgramEnd run_program(const std::vector<std::string>& words, const fs::path& log, const LineSink& line,
                       const std::stop_token& stop) {
  std::ofstream log_file;
  if (!log.empty()) {
    log_file.open(log, std::ios::app | std::ios::binary);
    log_file << '$';
    for (const std::string& word : words) log_file << ' ' << (word.find('\n') == std::string::npos ? word : "SCRIPT");
    log_file << '\n' << std::flush;
  }
  GroupedProgram program(words);
  ProgramEnd end;
  LineCutter lines(line, end.last_line);
  std::array<char, 4096> part{};
  Clock::time_point kill_at = Clock::time_point::max();
  for (;;) {
    if (!end.stopped && stop.stop_requested()) {
      end.stopped = true;
      kill_at = Clock::now() + grace;
      program.ask_to_end();
    }
    if (Clock::now() >= kill_at) {
      program.kill();
      break;  // a program that has left the group may hold the output for long
    }
    const std::optional<std::size_t> count =
        read_within(program.output(), std::as_writable_bytes(std::span(part)), std::chrono::milliseconds(50));
    if (!count) continue;
    if (*count == 0) break;
    const std::string_view bytes(part.data(), *count);
    if (log_file.is_open()) log_file << bytes << std::flush;
    lines.add(bytes);
  }
  lines.finish();
  end.exit_code = program.wait();
  // A request that came as the program ended.
  if (stop.stop_requested()) end.stopped = true;
  if (!log.empty() && !log_file) {
    throw Error(ErrorCode::file_error, fmt::format("cannot write the log '{}'", log.string()));
  }
  return end;
}

}  // namespace octavo::sfm
