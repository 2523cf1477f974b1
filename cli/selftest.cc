// octavo selftest: checks that this machine computes the same bytes as every other machine.

#include "octavo/selftest.h"

#include <cstdio>
#include <set>
#include <utility>

#include "cli/command.h"
#include "cli/progress.h"
#include "io/json/json.h"

namespace octavo::cli {
namespace {

constexpr auto every_device = "all";

// The devices to test: the named device, or every device with the named instruction set or with each of its own.
std::vector<DeviceOptions> devices_to_test(const DeviceOptions& asked) {
  if (asked.name != every_device) return {asked};
  return octavo::devices_to_test(asked.isa, asked.threads);
}

constexpr auto row = "{:<11}{:<13}{:<36}{:<13}{:<18}{}\n";

void print_rows(const DeviceOptions& device, const std::vector<SelftestResult>& results) {
  for (const SelftestResult& result : results) {
    fmt::print(row, device.name, device.isa, result.image, result.stage, result.digest,
               result.ok ? "ok" : "differs from " + result.expected);
  }
}

void append(Json& list, const DeviceOptions& device, const std::vector<SelftestResult>& results) {
  for (const SelftestResult& result : results) {
    list.push_back({{"device", device.name},
                    {"isa", device.isa},
                    {"image", result.image},
                    {"stage", result.stage},
                    {"digest", result.digest},
                    {"expected", result.expected},
                    {"ok", result.ok}});
  }
}

std::string plural(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

int run(const DeviceOptions& asked, bool json) {
  Progress progress;
  progress.show("looking for devices");
  std::vector<DeviceOptions> devices = devices_to_test(asked);
  for (DeviceOptions& device : devices) {
    // The building of a GPU's kernels; the stages of several devices at a time would only flicker.
    if (device.name != "cpu" && device.name != "reference") device.progress = progress.sink();
  }
  auto list = Json::array();
  std::set<std::string> tested;
  std::size_t digests = 0, mismatches = 0;
  bool begun = false;  // whether the table's header is printed: an error before the first result prints no table
  const auto show = [&](const ProgressStep& step) { progress.show(step.stage, step.done, step.total); };
  const auto take = [&](const DeviceOptions& device, const std::vector<SelftestResult>& results) {
    tested.insert(device.name);
    digests += results.size();
    for (const SelftestResult& result : results) mismatches += result.ok ? 0 : 1;
    if (json) return append(list, device, results);
    progress.clear();
    if (!std::exchange(begun, true)) fmt::print(row, "device", "isa", "image", "stage", "digest", "verdict");
    print_rows(device, results);
    std::fflush(stdout);
    progress.show("");
  };
  selftest(devices, take, show);
  progress.clear();
  if (json) {
    fmt::print("{}\n", json_text(list));
  } else if (mismatches == 0) {
    fmt::print("This machine gives the recorded bytes: {} on {}.\n", plural(digests, "digest"),
               plural(tested.size(), "device"));
  } else {
    fmt::print("This machine does not give the recorded bytes: {} of {} differ.\n", mismatches,
               plural(digests, "digest"));
  }
  if (mismatches == 0) return exit_done;
  complain(fmt::format("{} digests differ from the recorded ones", mismatches));
  return exit_failed;
}

}  // namespace

void add_selftest(Command& program, int& exit_code) {
  struct Call {
    DeviceOptions device{.name = every_device};
    bool json = false;
  };
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "selftest", selftest_txt);
  command.add_flag("--json", call->json);
  add_device_options(command, call->device);
  command.callback([call, &exit_code] { exit_code = run(call->device, call->json); });
}

}  // namespace octavo::cli
