// A child of this process, which ends with its object: a program (program.h), or a fork of this process that does some
// work (forked_work.h).

#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <utility>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// How a child has ended.
struct ChildEnd {
  int code = 0;    ///< its exit code, if no signal ended it
  int signal = 0;  ///< 0: none
};

/// A child, or none: one whose end has been waited for is none.
class ChildProcess {
 public:
  ChildProcess() = default;
  /// `number` is that of a child of this process; negative: none.
  explicit ChildProcess(pid_t number) : number_(number) {}
  /// Kills the child.
  ~ChildProcess() { kill(); }
  ChildProcess(ChildProcess&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ChildProcess& operator=(ChildProcess&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] bool is_there() const { return number_ >= 0; }
  [[nodiscard]] pid_t number() const { return number_; }

  /// Waits until it ends. Its end is unknown, and told as code 0, where the caller of this library took it.
  ChildEnd wait();
  /// The same, for so long at most. Nothing if it still runs.
  std::optional<ChildEnd> wait(std::chrono::milliseconds limit);
  /// Kills it, and waits.
  void kill();

 private:
  std::optional<ChildEnd> end_of(int options);

  pid_t number_ = -1;
};

}  // namespace octavo
