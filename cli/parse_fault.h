#pragma once

// What can be wrong with a command line, and the sentence that says it.

#include <span>
#include <string>

#include "cli/command_line.h"

namespace octavo::cli {

/// Refuses a call without required options, with options that lack others or exclude each other, with words that are
/// not used, and with options before the command that they are for; runs the checks of the commands between. `words`
/// are those of the command line, which the tree tells. Throws WrongCall, and what the checks throw.
void require_sense(const Command& program, std::span<const std::string> words);

/// Of an option of the command without a value or with too many. `text` is the parser's, and tells the option.
std::string about_number_of_values(const Command& command, const std::string& text);

/// That `command` has no command `word` below it, and the one that is meant, or all that it has.
std::string about_unknown_command(const Command& command, const std::string& word);

}  // namespace octavo::cli
