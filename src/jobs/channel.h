#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace octavo::jobs {

/// A queue between two threads that holds a few values at most.
template <class Value>
class Channel {
 public:
  explicit Channel(std::size_t most) : most_(most) {}

  /// Waits for room. Returns whether the value is taken: not after cancel().
  bool push(Value value) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return cancelled_ || values_.size() < most_; });
    if (cancelled_) return false;
    values_.push_back(std::move(value));
    changed_.notify_all();
    return true;
  }
  /// Does not wait: where there is no room, the oldest value is dropped for it. Returns the number of values that were
  /// dropped; none after cancel(), when the value is not taken.
  std::optional<int> push_newest(Value value) {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return std::nullopt;
    const bool is_full = values_.size() >= most_;
    if (is_full) values_.pop_front();
    values_.push_back(std::move(value));
    changed_.notify_all();
    return is_full ? 1 : 0;
  }
  /// The next value; none after the last one before finish(), and none after cancel().
  std::optional<Value> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return cancelled_ || finished_ || !values_.empty(); });
    if (cancelled_ || values_.empty()) return std::nullopt;
    Value value = std::move(values_.front());
    values_.pop_front();
    changed_.notify_all();
    return value;
  }
  /// No value follows.
  void finish() { set(finished_); }
  /// The values are wanted no more.
  void cancel() { set(cancelled_); }

 private:
  void set(bool& flag) {
    const std::lock_guard lock(mutex_);
    flag = true;
    changed_.notify_all();
  }

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Value> values_;
  bool finished_ = false, cancelled_ = false;
};

}  // namespace octavo::jobs
