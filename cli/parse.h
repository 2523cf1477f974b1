#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace octavo::cli {

/// Matches the words of a command line with the tree below `program`. Values go to the options' variables and
/// functions, and the tree tells what the line gives. Words after -- are no options. Throws WrongCall for words that do
/// not match, and what options and checks throw.
Request parse(Command& program, std::span<const std::string> words);

/// The words of a command line that is one text. Quotes keep a word with spaces together.
std::vector<std::string> split_words(std::string text);

}  // namespace octavo::cli
