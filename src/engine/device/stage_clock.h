// Wall time of the stages of work that runs on the calling thread.

#pragma once

#include <chrono>
#include <vector>

#include "octavo/device.h"

namespace octavo {

class StageClock {
 public:
  /// Each stage is appended to `times` when it first ends; a stage that comes again adds to its time. Does nothing if
  /// `times` is null.
  explicit StageClock(std::vector<StageTime>* times) : times_(times) {}
  /// Starts the next stage now: the time since the last lap belongs to no stage, or another clock reports it.
  void restart() { last_ = std::chrono::steady_clock::now(); }
  void lap(const char* stage) {
    if (!times_) return;
    const auto now = std::chrono::steady_clock::now();
    const double milliseconds = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    for (StageTime& known : *times_) {
      if (known.stage != stage) continue;
      known.milliseconds += milliseconds;
      return;
    }
    times_->push_back({stage, milliseconds});
  }

 private:
  std::vector<StageTime>* times_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace octavo
