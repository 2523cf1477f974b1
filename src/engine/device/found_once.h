// What a process has found, by name, so that it looks once. Readers take no lock, and nothing is removed before the
// end: a child process that is forked while another thread looks can look too. A child looks anew, since what its
// parent opened is of no use to it.

#pragma once

#include <unistd.h>

#include <atomic>
#include <string>
#include <utility>

namespace octavo {

template <class Found>
class FoundOnce {
 public:
  FoundOnce() = default;
  FoundOnce(const FoundOnce&) = delete;
  FoundOnce& operator=(const FoundOnce&) = delete;
  ~FoundOnce() {
    for (const Entry* entry = newest_.load(); entry != nullptr;) delete std::exchange(entry, entry->older);
  }

  /// What `find` returned for this name before in this process, or returns now. Threads that ask at the same time may
  /// each call it. What it throws is not kept.
  template <class Find>
  const Found& get(const std::string& name, const Find& find) {
    const pid_t process = getpid();
    for (const Entry* entry = newest_.load(std::memory_order_acquire); entry != nullptr; entry = entry->older) {
      if (entry->process == process && entry->name == name) return entry->found;
    }
    auto* const entry = new Entry{process, name, find(), newest_.load(std::memory_order_relaxed)};
    while (!newest_.compare_exchange_weak(entry->older, entry, std::memory_order_release, std::memory_order_relaxed)) {
    }
    return entry->found;
  }

 private:
  struct Entry {
    pid_t process;
    std::string name;
    Found found;
    const Entry* older;
  };

  std::atomic<const Entry*> newest_ = nullptr;
};

}  // namespace octavo
