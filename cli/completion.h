#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace octavo::cli {

/// A script for bash that completes the commands, options and values of `program`.
std::string bash_completion(const CLI::App& program);

/// A script for zsh that completes the commands, options and values of `program`, and shows the first sentence of each
/// description.
std::string zsh_completion(const CLI::App& program);

/// The names of the program, of the commands above this one, and of this one, e.g. {"octavo", "bench", "match"}.
std::vector<std::string> command_path(const CLI::App& command);

/// The command and all commands below it. Each command stands before its subcommands.
std::vector<const CLI::App*> command_tree(const CLI::App& command);

/// How to complete a value that has no list of choices. The instruction sets are those of the machine at the time of
/// completion, since a script may have been made on another one.
enum class ValueKind { file, picture, folder, device, isa, other };
ValueKind value_kind(const CLI::Option& option);

/// The endings of the files that a shell offers first for an option that takes pictures, as alternatives of a pattern:
/// "jpg|jpeg|png". For `octavo match` they include those of features.
std::string endings_of_pictures(const CLI::Option& option);

/// The names of devices that a shell offers for the option. To ask the drivers would take too long.
std::string usual_devices(const CLI::Option& option);

}  // namespace octavo::cli
