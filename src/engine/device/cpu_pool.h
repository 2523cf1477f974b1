// Threads for the CPU engine, from oneTBB. With `threads` = 0 the work joins the arena of the caller. With 1 it stays
// on the calling thread and TBB is not used. Otherwise it runs in an arena of its own with at most that many threads
// (TBB starts no more threads than the machine has cores unless its global_control allows more). Work is isolated: a
// thread that waits here never runs a task of the caller, so each worker can have its own scratch memory. A loop tells
// the progress of its pieces: the engines only name their stages.

#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/core/internal_api.h"
#include "octavo/progress.h"

namespace OCTAVO_INTERNAL_API octavo {

class CpuPool {
 public:
  /// `threads` is 0…1024. `progress` is told the stages, and the pieces of loops. Throws Error(invalid_option).
  explicit CpuPool(int threads, ProgressSink progress = {});
  ~CpuPool();
  CpuPool(CpuPool&&) noexcept;
  CpuPool& operator=(CpuPool&&) noexcept;

  /// The number of threads that may run at the same time in a call from the current thread.
  [[nodiscard]] int threads() const;

  /// Names the stage of the loops that follow, for the progress.
  void stage(std::string_view name);

  /// Calls work(index, worker) for every index in [0, count), in any order. `worker` < threads(), and two calls at the
  /// same time never have the same `worker`. Throws the exceptions of `work`.
  void parallel_for(int count, const std::function<void(int index, int worker)>& work);

  /// For pieces that take seconds: tells the progress of the innermost loop again what it was told last, at most ten
  /// times a second, so that it can give up the work. On other threads than that which called parallel_for it throws
  /// once the work is given up.
  static void tell_again();

 private:
  class Impl;
  void run(int count, const std::function<void(int index, int worker)>& work);

  std::unique_ptr<Impl> impl_;  // null: serial
  ProgressSink progress_;
  std::string stage_;
};

}  // namespace octavo
