// octavo devices: lists the devices of this machine.

#include <fmt/ranges.h>

#include "cli/command.h"
#include "jobs/machine_report.h"

namespace octavo::cli {
namespace {

struct Call {
  bool json = false, isas = false;
};

void run(const Call& call) {
  if (call.isas) return print_whole(fmt::format("{}\n", fmt::join(list_isas(), "\n")));
  const DeviceSurvey found = survey_devices();
  print_whole(call.json ? json_of(found) + "\n" : text_of(found), call.json);
}

}  // namespace

void define_devices(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_flag("--json", call->json);
  command.add_flag("--isas", call->isas);
  command.action = [call, &command] {
    if (call->isas) refuse_if_given(command, "--json", "with --isas");
    run(*call);
    return exit_done;
  };
}

}  // namespace octavo::cli
