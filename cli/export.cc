// octavo export: a model of cameras and points in the files of other programs.

#include "cli/command.h"
#include "cli/list.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  ExportJob job;
  bool json = false;
};

int run(const Call& call) {
  Work work;
  const ExportSummary summary = export_model(call.job, work.context());
  if (!summary.is_finished) work.end_if_interrupted();
  work.progress().clear();
  print_whole(call.json ? json_of(summary, work.failures(), work.warnings()) + "\n" : text_of(summary));
  return work.exit_code();
}

}  // namespace

void define_export(Command& command) {
  const auto call = std::make_shared<Call>();
  ExportJob& job = call->job;
  command.add_option("MODEL", job.model).required();
  command.add_option("-o,--output", job.output).required();
  add_list(command, "--to", job.to, model_form_of).required();
  command.add_option("--photos", job.photos);
  command.add_option("--mapper", job.mapper).default_str("auto");
  command.add_flag("--json", call->json);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
