// Annotations for ThreadSanitizer. The oneTBB of distributions is not instrumented, so the sanitizer sees neither how
// it distributes work to its threads nor how it waits for them, and would report every parallel loop as a race. These
// classes state the order that a parallel loop keeps. In other builds they are empty.

#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace octavo {

#if defined(__SANITIZE_THREAD__)

/// A parallel loop, during the life of the object. The code before the loop happens before each piece of its work, and
/// each piece before the code after the loop. Pieces of one worker follow each other; pieces of different workers have
/// no order.
class LoopOrder {
 public:
  LoopOrder() { __tsan_release(&begin_); }
  ~LoopOrder() { __tsan_acquire(&end_); }
  LoopOrder(const LoopOrder&) = delete;
  LoopOrder& operator=(const LoopOrder&) = delete;

 private:
  friend class PieceOrder;
  char begin_, end_, workers_[1024];
};

/// A piece of the loop's work on one worker, during the life of the object.
class PieceOrder {
 public:
  PieceOrder(LoopOrder& loop, int worker) : loop_(loop), worker_(loop.workers_[worker % 1024]) {
    __tsan_acquire(&loop_.begin_);
    __tsan_acquire(&worker_);
  }
  ~PieceOrder() {
    __tsan_release(&worker_);
    __tsan_release(&loop_.end_);
  }
  PieceOrder(const PieceOrder&) = delete;
  PieceOrder& operator=(const PieceOrder&) = delete;

 private:
  LoopOrder& loop_;
  char& worker_;
};

/// Lives in the block that calls oneTBB's loop. oneTBB counts the pieces in an object on the caller's stack; all
/// counting happens before the end of the block, so before another use of that part of the stack. The object has no
/// name, but it is less than `reach` bytes away.
class CountOrder {
 public:
  CountOrder() = default;
  [[gnu::noinline]] ~CountOrder() {
    constexpr int reach = 2048;
    char* const here = static_cast<char*>(__builtin_frame_address(0));
    for (int at = -reach; at < reach; at += alignof(void*)) __tsan_acquire(here + at);
  }
  CountOrder(const CountOrder&) = delete;
  CountOrder& operator=(const CountOrder&) = delete;
};

#else

struct LoopOrder {};
struct PieceOrder {
  PieceOrder(LoopOrder&, int) {}
};
struct CountOrder {};

#endif

}  // namespace octavo
