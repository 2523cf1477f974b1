#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "io/json/json.h"
#include "octavo/progress.h"

namespace octavo::review {

/// Long work that goes on while requests are answered, one piece after the other. The destructor stops it.
class ReviewTasks {
 public:
  /// Work tells its progress, on its own thread at least, and ends soon after a stop: the sink throws then.
  using Work = std::function<void(const ProgressSink& progress, const std::stop_token& stop)>;

  /// Puts work at the end of the list, unless work of this name is there or done.
  void start(const std::string& name, Work work);

  /// {"state": "waiting" | "working" | "done" | "failed", "text": "...", "share": 0.4}: the stage, the share of it that
  /// is done, null if it is not counted, or why it failed. Null: no work has this name.
  [[nodiscard]] Json state(const std::string& name) const;

 private:
  struct State {
    std::string state = "waiting", text{};
    Json share{};
  };
  struct Task {
    std::string name;
    Work work;
  };

  void run(const std::stop_token& stop);
  void work(const Task& task, const std::stop_token& stop);
  void note(const std::string& name, State state);

  mutable std::mutex mutex_;
  std::condition_variable_any news_;
  std::deque<Task> tasks_;
  std::map<std::string, State> states_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};  // the last member: it uses the others
};

}  // namespace octavo::review
