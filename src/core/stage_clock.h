// Wall time of the stages of work that is done on the calling thread.

#pragma once

#include <chrono>
#include <vector>

#include "octavo/stage_time.h"

namespace octavo {

class StageClock {
 public:
  /// Appends to `times`; notes nothing where that is null.
  explicit StageClock(std::vector<StageTime>* times) : times_(times) {}
  /// What was until now is nobody's, or is noted elsewhere.
  void restart() { last_ = std::chrono::steady_clock::now(); }
  void lap(const char* stage) {
    if (!times_) return;
    const auto now = std::chrono::steady_clock::now();
    times_->push_back({stage, std::chrono::duration<double, std::milli>(now - last_).count()});
    last_ = now;
  }

 private:
  std::vector<StageTime>* times_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace octavo
