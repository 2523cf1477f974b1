// A handler of signals may do little more than set a variable, and there is one handler for the whole process.

#include "cli/interruption.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace octavo::cli {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;

void set_action(int number, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, nullptr);
}

bool is_ignored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Interruption::Interruption() {
  for (const int number : signals) {
    // SA_RESETHAND: the next signal ends the program. SA_RESTART: reading and writing go on.
    if (!is_ignored(number))
      set_action(
          number, [](int which) { received = which; }, SA_RESETHAND | SA_RESTART);
  }
}

Interruption::~Interruption() {
  for (const int number : signals) {
    if (!is_ignored(number)) set_action(number, SIG_DFL, 0);
  }
}

bool Interruption::is_requested() const { return received != 0; }

void Interruption::end_program() const {
  std::fflush(stdout);
  set_action(received, SIG_DFL, 0);
  std::raise(received);
  std::_Exit(128 + received);  // the signal is blocked
}

}  // namespace octavo::cli
