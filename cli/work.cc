#include "cli/work.h"

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

void Work::tell(std::vector<std::string>& told, const std::string& sentence) {
  told.push_back(sentence);
  progress_.clear();
  complain(sentence);
}

void Work::fail_all(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) fail(sentence);
}

void Work::end_if_interrupted(std::string_view sentence) {
  if (!interruption_ || !interruption_->is_requested()) return;
  progress_.clear();
  complain(sentence);
  interruption_->end_program();
}

}  // namespace octavo::cli
