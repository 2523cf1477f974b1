#include "jobs/phases.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
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
    const double part = step.total > 0 ? static_cast<double>(step.done) / static_cast<double>(step.total) : 0;
    move_to(step.stage, part);
    std::string item(step.stage);
    if (step.total > 0) item += fmt::format(" {} of {}", std::min(step.done + 1, step.total), step.total);
    const double share = at_ < phases_.size() ? (before_ + phases_[at_].weight * part_) / all_ : 0;
    report_item(progress_, item, static_cast<std::size_t>(100 * share), 100);
  }

 private:
  bool is_of(std::string_view stage, std::size_t phase) const { return stage.starts_with(phases_[phase].stage); }

  // Stays in the phase while its parts go on. Parts that begin anew are those of a later phase of this stage.
  void move_to(std::string_view stage, double part) {
    const bool is_in = at_ < phases_.size() && is_of(stage, at_);
    if (is_in && part >= part_) {
      part_ = part;
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
};

}  // namespace

ProgressSink in_phases(const ProgressSink& progress, std::span<const Phase> phases) {
  if (!progress) return {};
  return [told = std::make_shared<Phases>(progress, phases)](const ProgressStep& step) { told->tell(step); };
}

}  // namespace octavo::jobs
