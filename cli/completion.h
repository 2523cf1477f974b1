#pragma once

#include <span>
#include <string>

#include "cli/command_line.h"

namespace octavo::cli {

/// How to complete a value that has no list of choices.
enum class ValueKind { command, file, image, folder, device, isa, other };
ValueKind value_kind(const CommandOption& option);

/// What may stand in the place of the last of the words, which follow the name of the program: the answer to
/// `octavo completion --line WORD...`, by which the shells' scripts complete a line. The first line names the files
/// that may stand there: "none", "folders", "files", or "files png npz" with the endings to offer first. Each line
/// below is a word, a tab and what it means, which may be empty. Words that do not begin as the last one does are among
/// them.
std::string completions_of(const Command& program, std::span<const std::string> words);

}  // namespace octavo::cli
