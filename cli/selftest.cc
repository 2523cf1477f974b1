// octavo selftest: checks that this machine computes the same bytes as every other machine.

#include "cli/command.h"
#include "cli/progress.h"
#include "jobs/machine_report.h"

namespace octavo::cli {
namespace {

constexpr auto every_device = "all";

// The devices to test: the named device, or every device with the named instruction set or with each of its own.
std::vector<DeviceOptions> devices_to_test(const DeviceOptions& asked) {
  if (asked.name != every_device) return {asked};
  return octavo::devices_to_test(asked.isa, asked.threads);
}

int run(const DeviceOptions& asked, bool json) {
  Progress progress;
  progress.show("looking for devices");
  std::vector<DeviceOptions> devices = devices_to_test(asked);
  for (DeviceOptions& device : devices) {
    // The building of a GPU's kernels; the stages of several devices at a time would only flicker.
    if (device.name != "cpu" && device.name != "reference") device.progress = progress.sink();
  }
  SelftestResults all;
  const auto show = [&](const ProgressStep& step) { progress.show(step.stage, step.done, step.total); };
  const auto take = [&](const DeviceOptions& device, const std::vector<SelftestResult>& results) {
    // An error before the first result prints no table.
    const std::string heading = all.empty() ? heading_of_selftest() : "";
    for (const SelftestResult& result : results) all.emplace_back(device, result);
    if (json) return;
    progress.clear();
    print_whole(heading + rows_of(device, results));
    progress.show("");
  };
  selftest(devices, take, show);
  progress.clear();
  print_whole((json ? json_of(all) : conclusion_of(all)) + "\n");
  if (mismatches_of(all) == 0) return exit_done;
  complain(fmt::format("{} digests differ from the recorded ones", mismatches_of(all)));
  return exit_failed;
}

}  // namespace

void define_selftest(Command& command) {
  struct Call {
    DeviceOptions device{.name = every_device};
    bool json = false;
  };
  const auto call = std::make_shared<Call>();
  command.add_flag("--json", call->json);
  add_device_options(command, call->device);
  command.action = [call] { return run(call->device, call->json); };
}

}  // namespace octavo::cli
