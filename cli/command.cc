// The parts that all commands have in common.

#include "cli/command.h"

namespace octavo::cli {

void add_help_flag(Command& command) {
  command.add_flag("-h,--help", [] {}).requests(Request::manual);
}

void require_command_below(Command& command, const std::string& what) {
  command.callback([&command, what] {
    if (command.chosen() != nullptr) return;
    throw WrongCall(fmt::format("no {} given (see {} --help)", what, command.full_name()));
  });
}

Command& add_command(Command& parent, const std::string& name, std::string_view manual) {
  Command& command = parent.add_command(name, parse_manual(manual));
  add_help_flag(command);
  return command;
}

}  // namespace octavo::cli
