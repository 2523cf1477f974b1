#include "cli/command.h"

namespace octavo::cli {

void require_command_below(Command& command, const std::string& what) {
  command.action = [&command, what]() -> int {
    throw WrongCall(fmt::format("no {} given (see {} --help)", what, command.full_name()));
  };
}

}  // namespace octavo::cli
