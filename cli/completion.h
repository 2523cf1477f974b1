#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace octavo::cli {

/// A script for bash that completes the commands, options and values of `program`.
std::string bash_completion(const CLI::App& program);

/// The same for zsh, with the first sentence of each description.
std::string zsh_completion(const CLI::App& program);

/// The names of a command from the program's down, e.g. {"octavo", "bench", "match"}.
std::vector<std::string> command_path(const CLI::App& command);

/// The command and those below it, each before its own.
std::vector<const CLI::App*> command_tree(const CLI::App& command);

/// How to complete a value that is not one of a few words.
enum class ValueKind { file, folder, other };
ValueKind value_kind(const CLI::Option& option);

}  // namespace octavo::cli
