#pragma once

#include <string>

#include "cli/command_line.h"

namespace octavo::cli {

/// The name of the option's value in the manual, e.g. "DIR" or "response|scale"; empty for a flag.
std::string value_name(const CommandOption& option);

/// The first line of a command's description, which lists of commands show.
std::string summary(const Command& command);

/// The manual page of a command, of at most 80 columns: each option stands on its own line, and its text below.
std::string manual_of(const Command& command);

}  // namespace octavo::cli
