#pragma once

// What can be wrong with a command line, and the sentence that says it.

#include <span>
#include <string>

namespace octavo::cli {

class Command;

/// Why the parser refuses a command line.
enum class Fault { unused_word, missing_option, number_of_values, no_such_value, missing_need, exclusion, other };

/// The fault as one sentence. `text` is the parser's, and tells the option. `words` are those of the command line.
std::string sentence_of(const Command& program, Fault fault, const std::string& text,
                        std::span<const std::string> words);

/// That `command` has no command `word` below it, and the one that is meant, or all that it has.
std::string about_unknown_command(const Command& command, const std::string& word);

}  // namespace octavo::cli
