#include "engine/device/cpu_pool.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>

#include "engine/device/thread_sanitizer.h"
#include "octavo/device.h"

namespace octavo {

class CpuPool::Impl {
 public:
  explicit Impl(int threads)
      : arena_(threads == 0 ? tbb::task_arena::automatic : at_most(threads)), own_(threads != 0) {}

  int threads() { return own_ ? arena_.max_concurrency() : tbb::this_task_arena::max_concurrency(); }

  void parallel_for(int count, const std::function<void(int, int)>& work) {
    [[maybe_unused]] LoopOrder order;
    const auto loop = [&] {
      tbb::this_task_arena::isolate([&] {
        [[maybe_unused]] const CountOrder counts;
        tbb::parallel_for(
            tbb::blocked_range<int>(0, count, 1),
            [&](const tbb::blocked_range<int>& range) {
              const int worker = tbb::this_task_arena::current_thread_index();
              [[maybe_unused]] const PieceOrder piece(order, worker);
              for (int i = range.begin(); i != range.end(); ++i) work(i, worker);
            },
            tbb::simple_partitioner());
      });
    };
    if (own_) {
      arena_.execute(loop);
    } else {
      loop();
    }
  }

 private:
  // TBB would not start more threads than this, and prints a warning on stderr.
  static int at_most(int threads) {
    const auto limit = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    return std::min(threads, static_cast<int>(limit));
  }

  // Initialised at first use, so an arena that is not used costs nothing.
  tbb::task_arena arena_;
  bool own_;
};

CpuPool::CpuPool(int threads, ProgressSink progress) : progress_(std::move(progress)) {
  validate(DeviceOptions{.threads = threads});
  if (threads != 1) impl_ = std::make_unique<Impl>(threads);
}
CpuPool::~CpuPool() = default;
CpuPool::CpuPool(CpuPool&&) noexcept = default;
CpuPool& CpuPool::operator=(CpuPool&&) noexcept = default;

int CpuPool::threads() const { return impl_ ? impl_->threads() : 1; }

void CpuPool::stage(std::string_view name) {
  if (!progress_) return;
  stage_ = name;
  report(progress_, stage_);
}

void CpuPool::parallel_for(int count, const std::function<void(int, int)>& work) {
  if (!progress_ || count < 2) return run(count, work);
  // The calling thread works too, and only it tells: at most once for each percent.
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> done = 0;
  std::int64_t told = 0;
  run(count, [&](int i, int worker) {
    work(i, worker);
    const int now = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (std::this_thread::get_id() != caller) return;
    const std::int64_t percent = std::int64_t{100} * now / count;
    if (percent == told) return;
    told = percent;
    report(progress_, stage_, static_cast<std::size_t>(now), static_cast<std::size_t>(count));
  });
  if (told != 100) report(progress_, stage_, static_cast<std::size_t>(count), static_cast<std::size_t>(count));
}

void CpuPool::run(int count, const std::function<void(int, int)>& work) {
  if (impl_ && count > 1) {
    impl_->parallel_for(count, work);
  } else {
    for (int i = 0; i < count; ++i) work(i, 0);
  }
}

}  // namespace octavo
