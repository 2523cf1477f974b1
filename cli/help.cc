// octavo help: the manual of a command, by the names that a call of it begins with.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/manual.h"
#include "cli/parse_fault.h"
#include "cli/wrong_call.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(print the manual of a command

Prints what octavo COMMAND --help prints; without a command, what octavo --help
prints. Installed packages contain the same texts as pages of man.)";

constexpr auto footer = R"(Examples:
  octavo help extract
  octavo help video search
  man octavo-video-search                     where Octavo is installed

Exit codes:
  0  done
  2  the call was wrong)";

const Command& command_of(const Command& program, const std::vector<std::string>& names) {
  const Command* command = &program;
  for (const std::string& name : names) {
    const auto& commands = command->commands();
    const auto found =
        std::find_if(commands.begin(), commands.end(), [&name](const auto& child) { return child->name() == name; });
    if (found == commands.end()) throw WrongCall(about_unknown_command(*command, name));
    command = found->get();
  }
  return *command;
}

}  // namespace

void add_help(Command& program) {
  const auto names = std::make_shared<std::vector<std::string>>();
  Command& command = add_command(program, "help", description, footer);
  command.add_option("COMMAND", *names, "The command, and the command below it.").type_name("COMMAND");
  command.callback([names, &program] { fmt::print("{}", manual_of(command_of(program, *names))); });
}

}  // namespace octavo::cli
