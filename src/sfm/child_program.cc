#include "sfm/child_program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "octavo/error.h"

extern "C" char** environ;

namespace octavo::sfm {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds grace{2};
constexpr std::size_t longest_line = 4096;

bool is_program(const fs::path& file) { return access(file.c_str(), X_OK) == 0 && !fs::is_directory(file); }

// A program with a window needs a display; COLMAP's commands need none with this platform of Qt.
std::vector<std::string> environment() {
  std::vector<std::string> variables;
  for (char** at = environ; *at != nullptr; ++at) {
    if (std::string_view(*at).rfind("QT_QPA_PLATFORM=", 0) != 0) variables.emplace_back(*at);
  }
  variables.emplace_back("QT_QPA_PLATFORM=offscreen");
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

class Child {
 public:
  explicit Child(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(words[0], errno);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);  // one of its own
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> variables = environment();
    const int error = posix_spawnp(&process_, words[0].c_str(), &actions, &attributes, pointers(words).data(),
                                   pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[1]);
    output_ = ends[0];
    if (error == 0) return;
    close(output_);
    refuse(words[0], error);
  }
  ~Child() {
    if (process_ > 0) {
      signal(SIGKILL);
      wait();
    }
    close(output_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] int output() const { return output_; }
  // To the program and those that it has started.
  void signal(int number) const { kill(-process_, number); }

  // Waits for the end and returns the exit code.
  int wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  [[noreturn]] static void refuse(const std::string& program, int error) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot start '{}': {}", program, std::generic_category().message(error)));
  }

  pid_t process_ = -1;
  int output_ = -1;
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

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::istringstream places(path != nullptr ? path : "");
  for (std::string place; std::getline(places, place, ':');) {
    if (!place.empty() && is_program(fs::path(place) / name)) return (fs::path(place) / name).string();
  }
  return {};
}

ChildEnd run_program(const std::vector<std::string>& words, const fs::path& log, const LineSink& line,
                     const std::function<bool()>& stop) {
  std::ofstream log_file;
  if (!log.empty()) {
    log_file.open(log, std::ios::app | std::ios::binary);
    log_file << '$';
    for (const std::string& word : words) log_file << ' ' << (word.find('\n') == std::string::npos ? word : "SCRIPT");
    log_file << '\n' << std::flush;
  }
  Child child(words);
  ChildEnd end;
  LineCutter lines(line, end.last_line);
  std::array<char, 4096> part{};
  Clock::time_point kill_at = Clock::time_point::max();
  for (;;) {
    if (!end.stopped && stop && stop()) {
      end.stopped = true;
      kill_at = Clock::now() + grace;
      child.signal(SIGTERM);
    }
    if (Clock::now() >= kill_at) {
      child.signal(SIGKILL);
      break;  // a program that has left the group may hold the output for long
    }
    pollfd wanted{child.output(), POLLIN, 0};
    if (poll(&wanted, 1, 50) <= 0) continue;
    const ssize_t count = read(child.output(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    const std::string_view bytes(part.data(), static_cast<std::size_t>(count));
    if (log_file.is_open()) log_file << bytes << std::flush;
    lines.add(bytes);
  }
  lines.finish();
  end.exit_code = child.wait();
  // A request that came as the program ended.
  if (stop && stop()) end.stopped = true;
  if (!log.empty() && !log_file) {
    throw Error(ErrorCode::file_error, fmt::format("cannot write the log '{}'", log.string()));
  }
  return end;
}

}  // namespace octavo::sfm
