#include "video/helper_process.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "octavo/error.h"

extern "C" char** environ;

namespace octavo::video {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) { return access(file.c_str(), X_OK) == 0 && !fs::is_directory(file); }

// The actions and attributes of posix_spawn, and their ends.
struct SpawnPlan {
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

[[noreturn]] void refuse_to_start(const char* role, const std::string& program, int error) {
  throw Error(ErrorCode::file_error,
              fmt::format("cannot start the {} '{}': {}", role, program, std::generic_category().message(error)));
}

}  // namespace

std::string find_helper(const Helper& helper, const std::string& asked_for) {
  const char* const from_environment = std::getenv(helper.variable);
  const std::string wanted = !asked_for.empty() ? asked_for : from_environment != nullptr ? from_environment : "";
  if (!wanted.empty()) {
    if (is_program(wanted)) return wanted;
    throw Error(ErrorCode::file_error,
                fmt::format("the {} '{}' is not a program that can be started", helper.role, wanted));
  }
  std::vector<fs::path> folders;
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  if (!self.empty()) folders.push_back(self.parent_path());
  folders.emplace_back(OCTAVO_INSTALLED_PROGRAMS);
  const char* const path = std::getenv("PATH");
  std::istringstream places(path != nullptr ? path : "");
  for (std::string place; std::getline(places, place, ':');) {
    if (!place.empty()) folders.emplace_back(place);
  }
  for (const fs::path& folder : folders) {
    if (is_program(folder / helper.program)) return (folder / helper.program).string();
  }
  throw Error(
      ErrorCode::file_error,
      fmt::format("{}, the {} of Octavo's videos, is missing: it is neither beside this program, nor in {}, nor in a "
                  "folder of PATH, and {} does not name it",
                  helper.program, helper.role, OCTAVO_INSTALLED_PROGRAMS, helper.variable));
}

HelperProcess::HelperProcess(const Helper& helper, const std::string& program, std::span<const std::string> words,
                             int input, int output_file)
    : role_(helper.role), buffer_(std::size_t{1} << 20) {
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) refuse_to_start(role_, program, errno);
  // A copy, because the standard output, which it may be, is replaced.
  const bool has_file = output_file >= 0;
  const int file = has_file ? fcntl(output_file, F_DUPFD_CLOEXEC, output_file_descriptor + 1) : -1;
  if (has_file && file < 0) {
    const int reason = errno;
    for (const int end : pipe_ends) close(end);
    refuse_to_start(role_, program, reason);
  }
#if defined(F_SETPIPE_SZ)
  fcntl(pipe_ends[1], F_SETPIPE_SZ, 1 << 20);  // fewer switches between the processes; a refusal does no harm
#endif
  SpawnPlan plan;
  posix_spawn_file_actions_adddup2(&plan.actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&plan.actions, pipe_ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&plan.actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (has_file) posix_spawn_file_actions_adddup2(&plan.actions, file, output_file_descriptor);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&plan.actions, has_file ? output_file_descriptor + 1 : STDERR_FILENO + 1);
#endif
  // A group of its own: Ctrl-C in the terminal is for the program that waits for frames. No signal of the caller stays
  // blocked or ignored.
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setpgroup(&plan.attributes, 0);
  posix_spawnattr_setsigmask(&plan.attributes, &none);
  posix_spawnattr_setsigdefault(&plan.attributes, &all);
  posix_spawnattr_setflags(&plan.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> owned{program};
  owned.insert(owned.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : owned) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error = posix_spawn(&process_, program.c_str(), &plan.actions, &plan.attributes, arguments.data(), environ);
  close(pipe_ends[1]);
  if (has_file) close(file);
  output_ = pipe_ends[0];
  if (error != 0) {
    process_ = -1;
    close(output_);
    refuse_to_start(role_, program, error);
  }
}

HelperProcess::~HelperProcess() {
  end();
  close(output_);
}

void HelperProcess::end() {
  if (process_ < 0) return;
  busy_seconds_ = busy_seconds();
  kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
}

double HelperProcess::busy_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (process_ < 0 || clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) {
    return busy_seconds_;
  }
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void HelperProcess::explain_end() {
  // Its output is closed, and it may still run: then the kill ends it. What came first stays visible in the status.
  for (int i = 0; i < 1000 && process_ >= 0; ++i) {
    int status = 0;
    const pid_t found = waitpid(process_, &status, WNOHANG);
    if (found == 0 || (found < 0 && errno == EINTR)) {
      usleep(1000);
      continue;
    }
    process_ = -1;
    if (found > 0 && WIFSIGNALED(status)) {
      throw HelperEnded(fmt::format("the {} crashed: {}", role_, strsignal(WTERMSIG(status))));
    }
  }
  end();
  throw HelperEnded(fmt::format("the {} ended too early", role_));
}

// The time is counted in steps that this process waited itself. A program that is stopped (Ctrl-Z) and goes on later
// finds a clock that has gone far, and a decoder that had no time either.
void HelperProcess::wait_for_bytes(std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds step(50);
  std::chrono::milliseconds waited(0);
  for (;;) {
    pollfd wanted{output_, POLLIN, 0};
    const int ready = poll(&wanted, 1, static_cast<int>(step.count()));
    if (ready > 0) return;
    if (ready < 0 && errno != EINTR) throw HelperEnded(std::generic_category().message(errno));
    if (ready == 0) waited += step;
    if (waited < patience) continue;
    end();
    throw HelperEnded(fmt::format("the {} made no progress for {} s and was ended", role_,
                                  static_cast<double>(patience.count()) / 1000));
  }
}

void HelperProcess::read(std::span<std::byte> bytes, std::chrono::milliseconds patience) {
  while (!bytes.empty()) {
    if (begin_ < end_) {
      const std::size_t count = std::min(bytes.size(), end_ - begin_);
      std::memcpy(bytes.data(), buffer_.data() + begin_, count);
      begin_ += count;
      bytes = bytes.subspan(count);
      continue;
    }
    wait_for_bytes(patience);
    const ssize_t count = ::read(output_, buffer_.data(), buffer_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) explain_end();
    begin_ = 0;
    end_ = static_cast<std::size_t>(count);
  }
}

}  // namespace octavo::video
