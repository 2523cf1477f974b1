#include "device/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <system_error>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace octavo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array crashes{SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP};
constexpr int exit_of_signal = 128;  // plus the signal, as shells have it

std::string reason(int error) { return std::generic_category().message(error); }

extern "C" void end_by_signal(int signal) { _exit(exit_of_signal + signal); }

// A crash is then no matter for the caller's reporter of crashes, for the system's core files or for the terminal.
void separate_from_caller(std::chrono::milliseconds limit) {
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  for (const int signal : crashes) std::signal(signal, end_by_signal);
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, nullptr);
  std::signal(SIGALRM, SIG_DFL);
  alarm(static_cast<unsigned>(limit.count() / 1000 + 2));  // for the case that the caller dies first
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

[[noreturn]] void run_child(const std::function<std::string()>& work, int pipe, std::chrono::milliseconds limit) {
  separate_from_caller(limit);
  try {
    const std::string bytes = work();
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t n = write(pipe, bytes.data() + sent, bytes.size() - sent);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) _exit(1);
      sent += static_cast<std::size_t>(n);
    }
  } catch (...) {
    _exit(1);
  }
  _exit(0);  // neither destructors nor exit handlers of the caller run
}

// Reads to the end of the pipe. False if the limit is reached first.
bool read_all(int pipe, Clock::time_point end, std::string& bytes) {
  std::array<char, 4096> part{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{pipe, POLLIN, 0};
    if (poll(&wanted, 1, static_cast<int>(left)) <= 0) continue;
    const ssize_t n = read(pipe, part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    bytes.append(part.data(), static_cast<std::size_t>(n));
  }
}

// A child may close the pipe and not end.
bool has_ended(pid_t child, Clock::time_point end, int& status) {
  for (;;) {
    const pid_t found = waitpid(child, &status, WNOHANG);
    if (found == child) return true;
    if (found < 0 && errno != EINTR) {  // the caller took its status
      status = 0;
      return true;
    }
    if (Clock::now() >= end) return false;
    usleep(200);
  }
}

std::string problem_of(int status) {
  int signal = 0;
  if (WIFSIGNALED(status)) signal = WTERMSIG(status);
  if (WIFEXITED(status) && WEXITSTATUS(status) > exit_of_signal) signal = WEXITSTATUS(status) - exit_of_signal;
  if (signal != 0) return std::string("it ended by a signal: ") + strsignal(signal);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : "it ended without an answer";
}

}  // namespace

ChildAnswer answer_of_child(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {{}, "no pipe to a child process can be made: " + reason(errno)};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(work, ends[1], limit);
  }
  const int error = errno;
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return {{}, "no child process can be started: " + reason(error)};
  }
  const Clock::time_point end = Clock::now() + limit;
  ChildAnswer answer;
  int status = 0;
  if (!read_all(ends[0], end, answer.bytes) || !has_ended(child, end, status)) {
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    answer.problem = "it did not answer within " + std::to_string(limit.count() / 1000) + " s";
  } else {
    answer.problem = problem_of(status);
  }
  close(ends[0]);
  if (!answer.problem.empty()) answer.bytes.clear();
  return answer;
}

}  // namespace octavo
