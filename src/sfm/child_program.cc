#include "sfm/child_program.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
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
#include <utility>

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

// Two ends of a pipe, which no program inherits.
struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    out = ends[0];
    in = ends[1];
  }
  ~Pipe() {
    close_one(out);
    close_one(in);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] bool is_open() const { return out >= 0; }
  static void close_one(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }

  int out = -1, in = -1;
};

// What a fork of a process with threads does before exec: calls of the system alone. It ends with the thread that
// forked it, which may have died already.
[[noreturn]] void become(const char* program, char** words, char** variables, pid_t parent, int output, int failure) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execve(program, words, variables);
  const int error = errno;
  static_cast<void>(!write(failure, &error, sizeof error));
  _exit(EXIT_FAILURE);
}

// A second fork. It ends the process group of the program when the parent has died: then no process holds the other end
// of the pipe.
[[noreturn]] void guard(pid_t group, int life) {
  setpgid(0, 0);  // Ctrl-C in the terminal is not for it
  dup2(life, STDIN_FILENO);
  // It holds nothing else of its parent: no other end, file or lock.
  constexpr int usual_limit = 1024;
  if (syscall(SYS_close_range, STDIN_FILENO + 1, ~0U, 0) != 0) {
    for (int number = STDIN_FILENO + 1; number < usual_limit; ++number) close(number);
  }
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) continue;
  kill(-group, SIGKILL);
  _exit(EXIT_SUCCESS);
}

void reap(pid_t process) {
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) continue;
}

class Child {
 public:
  explicit Child(std::vector<std::string> words) {
    if (!output_.is_open() || !life_.is_open()) refuse(words[0], errno);
    Pipe failure;
    const std::string found = find_program(words[0]), program = found.empty() ? words[0] : found;
    std::vector<std::string> variables = environment();
    const std::vector<char*> arguments = pointers(words), values = pointers(variables);
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) {
      become(program.c_str(), const_cast<char**>(arguments.data()), const_cast<char**>(values.data()), parent,
             output_.in, failure.in);
    }
    if (process_ < 0) refuse(words[0], errno);
    setpgid(process_, process_);  // parent and child both do this, since either may run first
    Pipe::close_one(output_.in);
    Pipe::close_one(failure.in);
    int error = 0;
    if (read(failure.out, &error, sizeof error) == sizeof error) {
      reap(std::exchange(process_, -1));
      refuse(words[0], error);
    }
    guard_ = fork();
    if (guard_ == 0) guard(process_, life_.out);
  }
  ~Child() {
    if (process_ < 0) return;
    signal(SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] int output() const { return output_.out; }
  // To the program and those that it has started.
  void signal(int number) const { kill(-process_, number); }

  // Waits for the end and returns the exit code.
  int wait() {
    // The guard ends first: the number of a group that is gone may become that of another.
    siginfo_t ended{};
    while (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
    if (guard_ > 0) {
      kill(guard_, SIGKILL);
      reap(guard_);
    }
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

  Pipe output_, life_;
  pid_t process_ = -1, guard_ = -1;
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
                     const std::stop_token& stop) {
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
    if (!end.stopped && stop.stop_requested()) {
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
  if (stop.stop_requested()) end.stopped = true;
  if (!log.empty() && !log_file) {
    throw Error(ErrorCode::file_error, fmt::format("cannot write the log '{}'", log.string()));
  }
  return end;
}

}  // namespace octavo::sfm
