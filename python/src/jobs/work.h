// A job of the library from Python. It runs on a thread of its own, while the caller's thread, which alone runs
// handlers of signals, tells the progress and waits. Ctrl-C, or an exception of the progress function, stops the job as
// a signal stops the program: what is done stays, and files are whole or not there.

#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "jobs/record.h"
#include "octavo/progress.h"

namespace octavo::python {

class Work {
 public:
  /// What a stop does: it gives up the step in work, or the job ends after it, and writes what is done.
  enum class Stop { at_once, after_step };

  /// `progress` is None, or a function of stage, done and total; where a job works on a list the stage is the item.
  /// `until` is None, or a function that is asked many times a second whether the job is to stop.
  explicit Work(nanobind::object progress, Stop stop = Stop::at_once, nanobind::object until = nanobind::none())
      : progress_(std::move(progress)), until_(std::move(until)), stop_(stop) {}

  /// Calls `job` with a JobContext, without the GIL. Throws what it throws, and raises what the progress function or
  /// the handler of a signal raised.
  template <class Job>
  auto run(const Job& job) {
    using Result = std::invoke_result_t<const Job&, const JobContext&>;
    if constexpr (std::is_void_v<Result>) {
      run_on_thread(job);
    } else {
      std::optional<Result> result;
      run_on_thread([&](const JobContext& context) { result.emplace(job(context)); });
      return std::move(*result);
    }
  }

  /// The same with what the job has told.
  template <class Job>
  auto tell(const Job& job) {
    using Result = std::invoke_result_t<const Job&, const JobContext&>;
    Result result = run(job);
    return Told<Result>{std::move(result), std::move(problems_), std::move(warnings_)};
  }

  /// What has failed, and what is doubtful.
  std::vector<std::string>& problems() { return problems_; }
  std::vector<std::string>& warnings() { return warnings_; }

 private:
  class Listener;
  void run_on_thread(const std::function<void(const JobContext&)>& job);

  nanobind::object progress_, until_;
  Stop stop_;
  std::vector<std::string> problems_, warnings_;
};

}  // namespace octavo::python
