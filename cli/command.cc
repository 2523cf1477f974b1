// The parts that all commands have in common.

#include "cli/command.h"

#include "cli/command_line.h"

namespace octavo::cli {

void add_help_flag(Command& command) {
  command.add_flag("-h,--help", [] {}).requests(Request::manual);
}

Command& add_command(Command& parent, const std::string& name, std::string_view manual) {
  Command& command = parent.add_command(name, parse_manual(manual));
  add_help_flag(command);
  return command;
}

}  // namespace octavo::cli
