// The parts that all commands have in common.

#include "cli/command.h"

namespace octavo::cli {
namespace {

constexpr auto streams = R"(Results go to the standard output. Errors, warnings and progress go to the error
stream.)";

}  // namespace

CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::string& footer) {
  CLI::App& command = *parent.add_subcommand(name, description);
  command.footer(footer + "\n\n" + streams);
  command.group("Commands");
  return command;
}

}  // namespace octavo::cli
