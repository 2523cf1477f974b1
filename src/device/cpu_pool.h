// Threads for the CPU engine, by oneTBB. With `threads` = 0 the work joins the arena of the caller; with 1 it stays on
// the calling thread and TBB is not touched; otherwise it runs in an arena of its own, of that many threads at most
// (TBB itself starts no more than the machine has cores unless its global_control says otherwise). Work is isolated: a
// thread that waits here never picks up a task of the caller's, so scratch memory per worker is safe.

#pragma once

#include <functional>
#include <memory>

namespace octavo {

class CpuPool {
 public:
  /// 0…1024. Throws Error(invalid_option).
  explicit CpuPool(int threads);
  ~CpuPool();
  CpuPool(CpuPool&&) noexcept;
  CpuPool& operator=(CpuPool&&) noexcept;

  /// Threads that may run at the same time when called from here and now.
  [[nodiscard]] int threads() const;

  /// Calls work(index, worker) for every index in [0, count), in any order; `worker` < threads() is never used by two
  /// calls at a time. Exceptions of `work` come out here.
  void parallel_for(int count, const std::function<void(int index, int worker)>& work);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;  // null: serial
};

}  // namespace octavo
