#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace octavo::cli {

class Command;
struct CommandOption;

/// A script for bash that completes the commands, options and values of `program`.
std::string bash_completion(const Command& program);

/// A script for zsh that completes the commands, options and values of `program`, and shows the first sentence of each
/// description.
std::string zsh_completion(const Command& program);

/// A script for fish that completes the commands, options and values of `program`, and shows the first sentence of each
/// description.
std::string fish_completion(const Command& program);

/// The text, of cli/completions/, with values in the places of their names, which stand in it as @name@.
std::string filled(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string_view>> values);

/// The command and all commands below it. Each command stands before its subcommands.
std::vector<const Command*> command_tree(const Command& command);

/// How to complete a value that has no list of choices. The instruction sets are those of the machine at the time of
/// completion, since a script may have been made on another one.
enum class ValueKind { command, file, image, folder, device, isa, other };
ValueKind value_kind(const CommandOption& option);

/// The description of an option up to its first stop.
std::string first_sentence(const std::string& text);

/// The endings of the files that a shell offers first for an option that takes images, as alternatives of a pattern:
/// "jpg|jpeg|png". For `octavo match` they include those of features.
std::string endings_of_images(const CommandOption& option);

/// The names of devices that a shell offers for the option. To ask the drivers would take too long.
std::string usual_devices(const CommandOption& option);

}  // namespace octavo::cli
