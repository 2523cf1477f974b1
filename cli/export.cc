// octavo export: a model of cameras and points in the files of other programs.

#include "cli/command.h"
#include "cli/list.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {
namespace {

using Call = WithJson<ExportJob>;

int run(const Call& call) {
  Work work;
  const ExportSummary summary = work.run(export_model, call);
  if (!summary.is_finished) work.end_if_interrupted();
  print_whole(call.json ? json_of(summary, work.failures(), work.warnings()) + "\n" : text_of(summary), call.json);
  return work.exit_code();
}

}  // namespace

void define_export(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("MODEL", call->model).required();
  command.add_option("-o,--output", call->output).required();
  add_list(command, "--to", call->to, model_form_of).required();
  command.add_option("--photos", call->photos);
  command.add_option("--mapper", call->mapper).default_str("auto");
  command.add_flag("--json", call->json);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
