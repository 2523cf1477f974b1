// The parts that all commands have in common.

#include "cli/command.h"

namespace octavo::cli {

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::string& footer) {
  CLI::App& command = *parent.add_subcommand(name, description);
  command.footer(footer);
  command.group("Commands");
  return command;
}

}  // namespace octavo::cli
