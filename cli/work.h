#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/complaint.h"
#include "cli/interruption.h"
#include "cli/progress.h"
#include "octavo/progress.h"

namespace octavo::cli {

/// A command at work on a job: the line of progress, what fails, on the error stream, and the end by a signal.
class Work {
 public:
  /// What a signal (Interruption) does: it stops the job, which keeps what is done, or it ends the program at once, if
  /// a job keeps nothing.
  enum class Signal { stops_job, ends_program };

  explicit Work(Signal signal = Signal::stops_job) {
    if (signal == Signal::stops_job) interruption_.emplace();
  }

  /// For the job. Valid as long as this object.
  [[nodiscard]] JobContext context();

  /// Does a job, and erases the line of progress.
  template <class Function, class Job>
  auto run(Function function, Job& job) {
    // Erases the line also where the job returns nothing.
    const std::unique_ptr<Progress, void (*)(Progress*)> end(&progress_, [](Progress* line) { line->clear(); });
    return function(job, context());
  }

  /// Prints a sentence about an item that has failed.
  void fail(const std::string& sentence) { tell(failures_, sentence); }
  void fail_all(const std::vector<std::string>& sentences);
  /// Prints a sentence about an item that is done, but not as it should be.
  void warn(const std::string& sentence) { tell(warnings_, sentence); }
  /// The sentences of what has failed, and of the warnings.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }
  /// Of the program, if the job comes to its end.
  [[nodiscard]] int exit_code() const { return failures_.empty() ? exit_done : exit_failed; }

  [[nodiscard]] Progress& progress() { return progress_; }

  /// Ends the program with this sentence if a signal has come.
  void end_if_interrupted(std::string_view sentence = "interrupted");

 private:
  void tell(std::vector<std::string>& told, const std::string& sentence);

  Progress progress_;
  std::optional<Interruption> interruption_;
  std::vector<std::string> failures_, warnings_;
};

}  // namespace octavo::cli
