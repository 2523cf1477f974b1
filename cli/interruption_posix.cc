// A handler of signals may do little more than set a variable and post a semaphore, and there is one handler for the
// whole process. A thread waits for the semaphore and requests the stop.

#include "cli/interruption.h"

#include <semaphore.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "cli/complaint.h"

namespace octavo::cli {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
constexpr long patience = 900'000'000;  // [nanosecond]

volatile std::sig_atomic_t received = 0;
sem_t news;  // a signal has come, or the object ends

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

void note_signal(int number) {
  received = number;
  sem_post(&news);
}

timespec now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time;
}

// Waits for news, at most a while.
bool comes_news(long nanoseconds) {
  timespec end = now(CLOCK_REALTIME);
  end.tv_nsec += nanoseconds;
  if (end.tv_nsec >= 1'000'000'000) ++end.tv_sec, end.tv_nsec -= 1'000'000'000;
  while (sem_timedwait(&news, &end) != 0) {
    if (errno == ETIMEDOUT) return false;
  }
  return true;
}

std::chrono::nanoseconds computed() {
  const timespec time = now(CLOCK_PROCESS_CPUTIME_ID);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// Waits for news as long as the program computes. One that waits for the writer of a pipe, say, waits for ever.
bool comes_news_while_computing() {
  constexpr std::chrono::milliseconds nothing(4);  // what who waits in steps takes
  std::chrono::nanoseconds before = computed();
  while (!comes_news(patience)) {
    const std::chrono::nanoseconds after = computed();
    if (after - before < nothing) return false;
    before = after;
  }
  return true;
}

}  // namespace

Interruption::Interruption() {
  sem_init(&news, 0, 0);
  thread_ = std::thread([this] { watch(); });
  for (const int number : signals) {
    // SA_RESETHAND: the next signal ends the program. SA_RESTART: reading and writing go on.
    if (!is_ignored(number)) set_action(number, note_signal, SA_RESETHAND | SA_RESTART);
  }
}

void Interruption::watch() {
  while (sem_wait(&news) != 0) continue;  // a debugger has interrupted the wait
  if (ends_) return;
  stop_.request_stop();
  // A program that asks waits longer than a person, but not for what waits itself.
  if (!(received == SIGINT ? comes_news(patience) : comes_news_while_computing())) {
    if (waits_) return;
    if (ftrylockfile(stdout) == 0) {  // otherwise a thread waits for the reader
      std::fflush(stdout);
      funlockfile(stdout);
    }
  }
  if (ends_) return;
  complain("interrupted; what was in work is lost");
  end_by_signal();
}

Interruption::~Interruption() {
  for (const int number : signals) {
    if (!is_ignored(number)) set_action(number, SIG_DFL, 0);
  }
  ends_ = true;
  sem_post(&news);
  thread_.join();
}

bool Interruption::is_requested() const { return received != 0; }

void Interruption::end_program() const {
  std::fflush(stdout);
  end_by_signal();
}

void Interruption::end_by_signal() {
  set_action(received, SIG_DFL, 0);
  std::raise(received);
  std::_Exit(128 + received);  // the signal is blocked
}

}  // namespace octavo::cli
