// octavo merge: joins the parts of a job in shards.

#include <filesystem>

#include "cli/command.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::string output;
  std::vector<std::string> parts;
  bool json = false;
};

int run(const Call& call) {
  const std::vector<std::filesystem::path> parts(call.parts.begin(), call.parts.end());
  const MergeSummary summary = merge_parts(call.output, parts);
  for (const std::string& problem : summary.problems) complain(problem);
  print_whole(call.json ? json_of(call.output, summary) + "\n" : text_of(call.output, summary));
  return summary.problems.empty() ? exit_done : exit_failed;
}

}  // namespace

void add_merge(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "merge", merge_txt);
  command.add_option("OUT", call->output).required();
  command.add_option("PART", call->parts).required();
  command.add_flag("--json", call->json);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
