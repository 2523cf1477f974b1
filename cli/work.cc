#include "cli/work.h"

#include "cli/complaint.h"

namespace octavo::cli {

JobContext Work::context() {
  JobContext context{.progress = progress_.sink()};
  if (interruption_) {
    context.stop = interruption_->stop();
    context.progress = [show = context.progress, this](const ProgressStep& step) {
      if (step.is_writing) interruption_->wait_for_job();
      if (show) show(step);
    };
  }
  context.fail = [this](const std::string& sentence) { fail(sentence); };
  context.warn = [this](const std::string& sentence) { warn(sentence); };
  return context;
}

void Work::fail(const std::string& sentence) {
  failures_.push_back(sentence);
  progress_.clear();
  complain(sentence);
}

void Work::warn(const std::string& sentence) {
  warnings_.push_back(sentence);
  progress_.clear();
  complain(sentence);
}

void Work::fail_all(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) fail(sentence);
}

void Work::end_if_interrupted(std::string_view sentence) {
  if (!is_interrupted()) return;
  progress_.clear();
  complain(sentence);
  interruption_->end_program();
}

}  // namespace octavo::cli
