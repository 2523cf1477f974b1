// The parts that all commands have in common.

#include "cli/command.h"

#include "cli/command_line.h"

namespace octavo::cli {
namespace {

constexpr auto streams = R"(Results go to the standard output. Errors, warnings and progress go to the error
stream.)";

}  // namespace

void add_help_flag(Command& command) {
  command
      .add_flag(
          "-h,--help", [] {}, "Print this manual and stop.")
      .requests(Request::manual);
}

Command& add_command(Command& parent, const std::string& name, const std::string& description,
                     const std::string& footer) {
  Command& command = parent.add_command(name, description);
  add_help_flag(command);
  command.footer(footer + "\n\n" + streams);
  return command;
}

}  // namespace octavo::cli
