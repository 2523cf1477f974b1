#pragma once

#include <span>
#include <string>

#include "octavo/progress.h"

namespace octavo::jobs {

/// A phase of a job: the beginning of the stages or items that it tells, and its part of the job's usual time, in any
/// unit.
struct Phase {
  std::string stage;
  double weight = 0;
};

/// Tells the steps of a job in phases as its items, of which each is a hundredth of the job's usual time: phases take
/// very different times, and a list that counted the parts of each would begin anew with each. A phase that begins ends
/// all before it. A stage of no phase is shown, and counts for nothing. Items that the job tells itself are phases too,
/// and the stages of an item are told as such.
ProgressSink in_phases(const ProgressSink& progress, std::span<const Phase> phases);

}  // namespace octavo::jobs
