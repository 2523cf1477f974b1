// octavo devices: lists the devices of this machine.

#include <fmt/ranges.h>

#include "cli/command.h"
#include "io/json/json.h"
#include "octavo/device.h"

namespace octavo::cli {
namespace {

struct Call {
  bool json = false, isas = false;
};

void print_isas() {
  for (const std::string& isa : list_isas()) fmt::print("{}\n", isa);
}

void run(bool json) {
  const DeviceSurvey found = survey_devices();
  auto list = Json::array();
  for (const Device& device : found.devices) {
    if (json) {
      list.push_back({{"name", device.name},
                      {"kind", device.kind},
                      {"description", device.description},
                      {"isas", device.isas},
                      {"conformant", device.conformant},
                      {"note", device.note}});
    } else {
      fmt::print("{:<12}{}\n", device.name, device.description);
      if (!device.isas.empty()) fmt::print("{:<12}instruction sets: {}\n", "", fmt::join(device.isas, ", "));
      if (!device.note.empty()) fmt::print("{:<12}not chosen automatically: {}\n", "", device.note);
    }
  }
  if (json) {
    fmt::print("{}\n", json_text(list));
  } else {
    for (const MissingDriver& missing : found.missing) {
      fmt::print("{}: not available: {}\n", missing.driver, missing.reason);
    }
  }
}

}  // namespace

void add_devices(Command& program, int&) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "devices", devices_txt);
  command.add_flag("--json", call->json);
  command.add_flag("--isas", call->isas);
  command.callback([call, &command] {
    if (call->isas) refuse_if_given(command, "--json", "with --isas");
    if (call->isas) return print_isas();
    run(call->json);
  });
}

}  // namespace octavo::cli
