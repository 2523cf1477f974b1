#include "engine/process/child_process.h"

#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace octavo {

std::optional<ChildEnd> ChildProcess::end_of(int options) {
  int status = 0;
  pid_t found = waitpid(number_, &status, options);
  while (found < 0 && errno == EINTR) found = waitpid(number_, &status, options);
  if (found == 0) return std::nullopt;
  number_ = -1;
  if (found < 0) return ChildEnd{};
  return WIFSIGNALED(status) ? ChildEnd{.signal = WTERMSIG(status)} : ChildEnd{.code = WEXITSTATUS(status)};
}

ChildEnd ChildProcess::wait() { return is_there() ? end_of(0).value_or(ChildEnd{}) : ChildEnd{}; }

std::optional<ChildEnd> ChildProcess::wait(std::chrono::milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds step(200);
  for (const Clock::time_point end = Clock::now() + limit;;) {
    const std::optional<ChildEnd> found = is_there() ? end_of(WNOHANG) : ChildEnd{};
    if (found || Clock::now() >= end) return found;
    std::this_thread::sleep_for(step);
  }
}

void ChildProcess::kill() {
  if (!is_there()) return;
  ::kill(number_, SIGKILL);
  wait();
}

}  // namespace octavo
