// A handler of signals may do little more than set a variable and post a semaphore, and there is one handler for the
// whole process. A thread waits for the semaphore and requests the stop.

#include "cli/interruption.h"

#include <semaphore.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "cli/complaint.h"

namespace octavo::cli {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;
sem_t news;  // a signal has come, or the object ends

void note_signal(int number) {
  std::signal(number, SIG_DFL);  // the next one ends the program
  received = number;
  sem_post(&news);
}

// What is ignored stays ignored.
void set_handlers(void (*handler)(int)) {
  for (const int number : signals) {
    if (std::signal(number, handler) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

// Waits for news, at most 0.9 s.
bool comes_news() {
  timespec end{};
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 900'000'000;
  if (end.tv_nsec >= 1'000'000'000) ++end.tv_sec, end.tv_nsec -= 1'000'000'000;
  while (sem_timedwait(&news, &end) != 0) {
    if (errno == ETIMEDOUT) return false;
  }
  return true;
}

// The same, as long as the program computes. One that waits for the writer of a pipe, say, waits for ever.
bool comes_news_while_computing() {
  constexpr std::clock_t nothing = CLOCKS_PER_SEC / 250;  // what who waits in steps takes
  for (std::clock_t before = std::clock(); !comes_news();) {
    if (std::clock() - before < nothing) return false;
    before = std::clock();
  }
  return true;
}

}  // namespace

Interruption::Interruption() {
  sem_init(&news, 0, 0);
  thread_ = std::thread([this] { watch(); });
  set_handlers(note_signal);
}

void Interruption::watch() {
  while (sem_wait(&news) != 0) continue;  // a debugger has interrupted the wait
  if (ends_) return;
  stop_.request_stop();
  // A program that asks waits longer than a person, but not for what waits itself.
  if (!(received == SIGINT ? comes_news() : comes_news_while_computing())) {
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
  set_handlers(SIG_DFL);
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
  std::signal(received, SIG_DFL);
  std::raise(received);
  std::_Exit(128 + received);  // the signal is blocked
}

}  // namespace octavo::cli
