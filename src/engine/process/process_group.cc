#include "engine/process/process_group.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

namespace octavo {
namespace {

// What a fork of a process with threads does: calls of the system alone. It holds nothing of its parent but its end of
// the pipe: no other end, file or lock.
[[noreturn]] void guard(int life) {
  setpgid(0, 0);
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_IGN);  // those to the group are not for it
  dup2(life, STDIN_FILENO);
  bool is_alone = false;
#if defined(SYS_close_range)
  is_alone = syscall(SYS_close_range, STDIN_FILENO + 1, ~0U, 0) == 0;
#endif
  constexpr int usual_limit = 1024;
  for (int number = STDIN_FILENO + 1; !is_alone && number < usual_limit; ++number) close(number);
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) continue;
  kill(0, SIGKILL);
  _exit(EXIT_SUCCESS);
}

}  // namespace

ProcessGroup::ProcessGroup() : life_(make_pipe()) {
  const pid_t child = fork();
  if (child == 0) guard(life_.first.number());
  if (child < 0) throw std::system_error(errno, std::generic_category());
  setpgid(child, child);  // parent and child both do this, since either may run first
  guard_ = ChildProcess(child);
}

void ProcessGroup::ask(int signal) const { ::kill(-number(), signal); }

void ProcessGroup::kill() {
  if (!guard_.is_there()) return;
  ask(SIGKILL);
  guard_.wait();
}

}  // namespace octavo
