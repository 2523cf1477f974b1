#include "engine/device/cpu_pool.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include "engine/device/thread_sanitizer.h"
#include "octavo/device.h"

namespace octavo {

namespace {

// A loop of the thread that works on a piece of it, and what the progress was told last.
class Loop {
 public:
  Loop(const ProgressSink& progress, const ProgressStep& first) : progress_(progress), outer_(innermost), last_(first) {
    innermost = this;
  }
  ~Loop() { innermost = outer_; }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void tell(const ProgressStep& step) {
    last_ = step;
    at_ = std::chrono::steady_clock::now();
    progress_(step);
  }
  void tell_again() {
    constexpr std::chrono::milliseconds between{100};
    if (std::chrono::steady_clock::now() - at_ >= between) tell(last_);
  }

  static thread_local Loop* innermost;

 private:
  const ProgressSink& progress_;
  Loop* outer_;
  ProgressStep last_;
  std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::now();
};

thread_local Loop* Loop::innermost = nullptr;

// That another thread than the loop's own works on a piece.
class Helping {
 public:
  Helping() : before_(std::exchange(is_so, true)) {}
  ~Helping() { is_so = before_; }
  Helping(const Helping&) = delete;
  Helping& operator=(const Helping&) = delete;

  static thread_local bool is_so;

 private:
  bool before_;
};

thread_local bool Helping::is_so = false;

// Ends a piece of a loop that is given up. TBB throws what gave it up.
struct GivenUp {};

}  // namespace

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
  if (!progress_) return run(count, work);
  const auto pieces = static_cast<std::size_t>(count);
  Loop loop(progress_, {.stage = stage_, .total = pieces});
  if (count < 2) return run(count, work);
  // The calling thread works too, and only it tells: at most once for each percent.
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> done = 0;
  std::int64_t told = 0;
  run(count, [&](int i, int worker) {
    if (std::this_thread::get_id() != caller) {
      const Helping mark;
      work(i, worker);
      done.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    work(i, worker);
    const int now = done.fetch_add(1, std::memory_order_relaxed) + 1;
    const std::int64_t percent = std::int64_t{100} * now / count;
    if (percent == told) return;
    told = percent;
    loop.tell({stage_, static_cast<std::size_t>(now), pieces});
  });
  if (told != 100) loop.tell({stage_, pieces, pieces});
}

void CpuPool::tell_again() {
  if (Helping::is_so) {
    if (tbb::is_current_task_group_canceling()) throw GivenUp();
  } else if (Loop::innermost != nullptr) {
    Loop::innermost->tell_again();
  }
}

void CpuPool::run(int count, const std::function<void(int, int)>& work) {
  if (impl_ && count > 1) {
    impl_->parallel_for(count, work);
  } else {
    for (int i = 0; i < count; ++i) work(i, 0);
  }
}

}  // namespace octavo
