// octavo help: the manual of a command, by the names that a call of it begins with.

#include "cli/command.h"
#include "cli/manual.h"
#include "cli/parse_fault.h"

namespace octavo::cli {
namespace {

const Command& command_of(const Command& program, const std::vector<std::string>& names) {
  const Command* command = &program;
  for (const std::string& name : names) {
    const Command* const child = command->find_command(name);
    if (child == nullptr) throw WrongCall(about_unknown_command(*command, name));
    command = child;
  }
  return *command;
}

}  // namespace

void define_help(Command& command) {
  const auto names = std::make_shared<std::vector<std::string>>();
  command.add_option("COMMAND", *names);
  command.action = [names, &command] {
    fmt::print("{}", manual_of(command_of(*command.parent(), *names)));
    return exit_done;
  };
}

}  // namespace octavo::cli
