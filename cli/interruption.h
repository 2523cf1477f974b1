#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace octavo::cli {

/// While an object of this class lives, the first SIGINT (Ctrl-C) or SIGTERM is a request that the job ends at the next
/// good moment. After SIGINT the program ends within a second, and after SIGTERM as soon as it has waited for a second,
/// as for the writer of a pipe: what is in work then is lost, and what is done stays, as every file is whole. The
/// second signal ends the program at once. A signal that the program ignores stays ignored.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  [[nodiscard]] bool is_requested() const;

  /// For jobs: a stop is requested as soon as a signal has come.
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }

  /// The job writes what it has done: the program does not end before it.
  void wait_for_job() { waits_ = true; }

  /// Flushes the standard output and ends the program by the signal, as its caller expects: shells report the exit code
  /// 130 or 143, and end their loops.
  [[noreturn]] void end_program() const;

 private:
  void watch();
  [[noreturn]] static void end_by_signal();

  std::stop_source stop_;
  std::atomic<bool> ends_ = false, waits_ = false;
  std::thread thread_;
};

}  // namespace octavo::cli
