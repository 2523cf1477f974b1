// octavo merge: joins the parts of a job in shards.

#include <filesystem>

#include "cli/command.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::string output;
  std::vector<std::filesystem::path> parts;
  bool json = false;
};

int run(const Call& call) {
  const MergeSummary summary = merge_parts(call.output, call.parts);
  for (const std::string& problem : summary.problems) complain(problem);
  print_whole(call.json ? json_of(call.output, summary) + "\n" : text_of(call.output, summary), call.json);
  return summary.problems.empty() ? exit_done : exit_failed;
}

}  // namespace

void define_merge(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("OUT", call->output).required();
  command.add_option("PART", call->parts).required();
  command.add_flag("--json", call->json);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
