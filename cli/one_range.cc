#include "cli/one_range.h"

#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {

void add_one_range(Command& command) {
  command.add_flag("--one-range", [] {});
}

void take_one_range(const Command& command, std::span<const std::string> places, bool recursive, ReadOptions& read) {
  if (command.count("--one-range") == 0) return;
  refuse_if_given(command, {"--range", "--black", "--white"}, "with --one-range");
  Progress progress;
  progress.show("finding the range of values");
  octavo::take_one_range(places, recursive, read);
  progress.clear();
}

}  // namespace octavo::cli
