#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace octavo::colmap {

/// Work that goes from some threads to others, first in, first out.
template <class Work>
class WorkQueue {
 public:
  void push(Work work) {
    {
      const std::lock_guard lock(mutex_);
      list_.push_back(std::move(work));
    }
    arrived_.notify_one();
  }

  /// Waits for work; nothing if it is stopped before.
  std::optional<Work> pop(const std::stop_token& stop = {}) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait(lock, stop, [this] { return !list_.empty(); })) return std::nullopt;
    std::optional<Work> first(std::move(list_.front()));
    list_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::deque<Work> list_;
};

}  // namespace octavo::colmap
