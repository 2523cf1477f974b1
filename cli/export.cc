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

void add_export(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  ExportJob& job = call->job;
  Command& command = add_command(program, "export", export_txt);
  command.add_option("MODEL", job.model).required();
  command.add_option("-o,--output", job.output).required();
  const auto take_forms = [call](const std::vector<std::string>& words) {
    call->job.to.clear();
    for (const std::string& word : words) call->job.to.push_back(model_form_of(word));
  };
  add_list(command, "--to", take_forms).required();
  command.add_option("--photos", job.photos);
  command.add_option("--mapper", job.mapper).default_str("auto");
  command.add_flag("--json", call->json);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
