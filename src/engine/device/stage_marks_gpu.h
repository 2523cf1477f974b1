// Times of the stages of a GPU's work, measured by the clock of the device.

#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/device/gpu.h"
#include "octavo/device.h"

namespace octavo {

class StageMarks {
 public:
  explicit StageMarks(GpuQueue& queue) : queue_(queue) {}

  /// Drops all marks and starts the first stage here. If not `timed`, later calls do nothing.
  void begin(bool timed) {
    timed_ = timed;
    marks_.clear();
    mark(not_timed);
  }
  /// Ends the stage that started at the previous mark. The text of its name lives as long as the program.
  void mark(std::string_view stage) {
    if (timed_) marks_.emplace_back(stage, queue_.event());
  }
  /// Keeps the first `stages` stages and starts the next one here.
  void begin_again_after(std::size_t stages) {
    marks_.resize(std::min(marks_.size(), stages + 1));
    mark(not_timed);
  }
  [[nodiscard]] bool timed() const { return timed_; }

  /// The times of the stages. The work of the queue is done.
  [[nodiscard]] std::vector<StageTime> times() const {
    std::vector<StageTime> times;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
      if (marks_[i].first == not_timed) continue;
      times.push_back({std::string(marks_[i].first), marks_[i].second->milliseconds_since(*marks_[i - 1].second)});
    }
    return times;
  }

 private:
  // The time before a mark of this name belongs to no stage.
  static constexpr std::string_view not_timed{};

  GpuQueue& queue_;
  bool timed_ = false;
  std::vector<std::pair<std::string_view, std::unique_ptr<GpuEvent>>> marks_;
};

}  // namespace octavo
