// Threads for the CPU engine, from oneTBB. With `threads` = 0 the work joins the arena of the caller. With 1 it stays
// on the calling thread and TBB is not used. Otherwise it runs in an arena of its own with at most that many threads
// (TBB starts no more threads than the machine has cores unless its global_control allows more). Work is isolated: a
// thread that waits here never runs a task of the caller, so each worker can have its own scratch memory.

#pragma once

#include <functional>
#include <memory>

namespace octavo {

class CpuPool {
 public:
  /// `threads` is 0…1024. Throws Error(invalid_option).
  explicit CpuPool(int threads);
  ~CpuPool();
  CpuPool(CpuPool&&) noexcept;
  CpuPool& operator=(CpuPool&&) noexcept;

  /// The number of threads that may run at the same time in a call from the current thread.
  [[nodiscard]] int threads() const;

  /// Calls work(index, worker) for every index in [0, count), in any order. `worker` < threads(), and two calls at the
  /// same time never have the same `worker`. Throws the exceptions of `work`.
  void parallel_for(int count, const std::function<void(int index, int worker)>& work);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;  // null: serial
};

}  // namespace octavo
