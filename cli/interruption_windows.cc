// Windows calls the handler on a thread of its own. Where the console closes, or the user goes, it ends the program as
// soon as the handler returns.

#include <windows.h>

#include <atomic>
#include <cstdlib>

#include "cli/complaint.h"
#include "cli/interruption.h"

namespace octavo::cli {
namespace {

constexpr DWORD none = ~DWORD{0};
std::atomic<DWORD> received = none;
HANDLE news = nullptr;  // a semaphore: an event has come, or the object ends

BOOL WINAPI note_event(DWORD event) {
  if (DWORD expected = none; !received.compare_exchange_strong(expected, event)) return FALSE;  // this one ends it
  ReleaseSemaphore(news, 1, nullptr);
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
  return TRUE;
}

}  // namespace

Interruption::Interruption() {
  news = CreateSemaphoreW(nullptr, 0, 2, nullptr);
  thread_ = std::thread([this] { watch(); });
  SetConsoleCtrlHandler(note_event, TRUE);
}

void Interruption::watch() {
  WaitForSingleObject(news, INFINITE);
  if (ends_) return;
  stop_.request_stop();
  if (received != CTRL_C_EVENT) return;  // others wait longer than a person
  constexpr DWORD patience = 900;        // [millisecond]
  if (WaitForSingleObject(news, patience) == WAIT_TIMEOUT && waits_) return;
  if (ends_) return;
  complain("interrupted; what was in work is lost");
  end_by_signal();
}

Interruption::~Interruption() {
  SetConsoleCtrlHandler(note_event, FALSE);
  ends_ = true;
  ReleaseSemaphore(news, 1, nullptr);
  thread_.join();
  CloseHandle(news);
}

bool Interruption::is_requested() const { return received != none; }

void Interruption::end_program() const {
  std::fflush(stdout);
  end_by_signal();
}

// With the exit code of a program that does not handle the event.
void Interruption::end_by_signal() { std::_Exit(static_cast<int>(STATUS_CONTROL_C_EXIT)); }

}  // namespace octavo::cli
