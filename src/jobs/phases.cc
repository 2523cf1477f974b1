#include "jobs/phases.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace octavo::jobs {
namespace {

class Phases {
 public:
  Phases(ProgressSink progress, std::span<const Phase> phases)
      : progress_(std::move(progress)), phases_(phases.begin(), phases.end()) {
    for (const Phase& phase : phases_) all_ += phase.weight;
  }

  void tell(const ProgressStep& step) {
    if (step.is_writing) return progress_(step);
    const std::lock_guard lock(mutex_);  // stages may be told from many threads
    const bool is_item = !step.item.empty();
    const std::string_view what = is_item ? step.item : step.stage;
    const double part = step.total > 0 ? static_cast<double>(step.done) / static_cast<double>(step.total) : 0;
    move_to(what, part);
    const double share = at_ < phases_.size() && all_ > 0 ? (before_ + phases_[at_].weight * part_) / all_ : 0;
    const auto hundredths = static_cast<std::size_t>(100 * share);
    const bool is_of_item = !is_item && !item_.empty();
    if (!is_of_item) {
      std::string name(what);
      if (step.total > 0) name += fmt::format(" {} of {}", std::min(step.done + 1, step.total), step.total);
      report_item(progress_, name, hundredths, 100);
      if (is_item) item_ = std::move(name);
    } else if (hundredths != told_) {
      report_item(progress_, item_, hundredths, 100);
    }
    told_ = hundredths;
    if (is_of_item) progress_(step);
  }

 private:
  bool is_of(std::string_view stage, std::size_t phase) const { return stage.starts_with(phases_[phase].stage); }

  // Stays in the phase while its parts go on. Parts that begin anew are those of a later phase of this stage; those
  // that threads tell in another order than they were done do not.
  void move_to(std::string_view stage, double part) {
    const bool is_in = at_ < phases_.size() && is_of(stage, at_);
    if (is_in && (part >= part_ || 2 * part > part_)) {
      part_ = std::max(part, part_);
      return;
    }
    for (std::size_t next = at_ < phases_.size() ? at_ + 1 : 0; next < phases_.size(); ++next) {
      if (!is_of(stage, next)) continue;
      for (at_ = at_ < phases_.size() ? at_ : 0; at_ < next; ++at_) before_ += phases_[at_].weight;
      part_ = part;
      return;
    }
  }

  ProgressSink progress_;
  std::vector<Phase> phases_;
  double all_ = 0, before_ = 0;  // the weights of all phases, and of those before this one
  std::size_t at_ = -1;          // the phase; none has begun
  double part_ = 0;              // of the phase that is done
  std::string item_;             // the one that the job has told last
  std::size_t told_ = 0;         // [1/100] the share that was told last
  std::mutex mutex_;
};

}  // namespace

ProgressSink in_phases(const ProgressSink& progress, std::span<const Phase> phases) {
  if (!progress) return {};
  return [told = std::make_shared<Phases>(progress, phases)](const ProgressStep& step) { told->tell(step); };
}

}  // namespace octavo::jobs
