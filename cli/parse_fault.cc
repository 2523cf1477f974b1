// The parser passes on all words that it does not know, and looks at single options alone. So the sentences are made
// from the tree: the words that are not used, and the options that are given and missing.

#include "cli/parse_fault.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/complaint.h"
#include "cli/manual.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

// "A", "A and B", "A, B and C".
std::string list_of(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  const std::span<const std::string> first(words.data(), words.size() - 1);
  return fmt::format("{} and {}", fmt::join(first, ", "), words.back());
}

std::string nearest_of(const std::string& word, const std::vector<std::string>& known) {
  return did_you_mean(word, std::vector<std::string_view>(known.begin(), known.end()));
}

std::vector<std::string> names_of_commands(const Command& command) {
  std::vector<std::string> names;
  for (const auto& child : command.commands()) names.push_back(child->name());
  return names;
}

std::string see_manual(const Command& command) {
  const std::string name = command.full_name();
  return name.empty() ? "" : fmt::format(" (see {} --help)", name);
}

std::string unknown_option(const Command& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  // The hyphens that all names begin with would make different names alike.
  std::vector<std::string_view> known;
  for (const auto& option : command.options()) {
    for (const std::string_view flag : option->flags) {
      if (flag.starts_with("--")) known.push_back(flag.substr(2));
    }
  }
  std::error_code error;
  if (std::filesystem::exists(word, error)) {
    return fmt::format("'{0}' is taken for an option: the file is './{0}'", word);
  }
  const std::size_t begin = std::min(name.find_first_not_of('-'), name.size());
  const auto near = nearest_word(std::string_view(name).substr(begin), known);
  const std::string of = command.full_name();
  return fmt::format("unknown option '{}'{}{}", name, of.empty() ? "" : " of " + of,
                     near ? fmt::format("; did you mean --{}?", *near) : see_manual(command));
}

std::string unexpected_argument(const Command& command, const std::string& word) {
  const std::vector<std::string> commands = names_of_commands(command);
  const std::vector<const CommandOption*> arguments = command.arguments();
  if (arguments.empty() && !commands.empty()) return about_unknown_command(command, word);
  std::vector<std::string> names;
  for (const CommandOption* argument : arguments) {
    names.push_back(argument->name());
    // The first argument may be a mistyped command.
    const std::string near = argument->count() > 0 ? nearest_of(argument->results.front(), commands) : "";
    if (!near.empty()) return fmt::format("unknown command '{}'{}", argument->results.front(), near);
  }
  const std::string of = command.full_name();
  if (of.empty()) return fmt::format("'{}' is no option", word);  // a setting has options alone
  return fmt::format("'{}' is one argument too many: {} takes {}", word, of, names.empty() ? "none" : list_of(names));
}

// The first word of the command line that the parser could not use, and the command that it follows.
struct Unused {
  const Command* command = nullptr;
  std::string word;
};

Unused first_unused(const Command& program, std::span<const std::string> words, bool only_options) {
  for (const std::string& word : words) {
    if (only_options && !looks_like_option(word)) continue;
    for (const Command* command = &program; command != nullptr;) {
      const std::vector<std::string>& unused = command->unused();
      if (std::find(unused.begin(), unused.end(), word) != unused.end()) return {command, word};
      command = command->chosen();
    }
  }
  return {};
}

// Whether it stands where a command is expected.
bool is_mistyped_command(const Unused& unused) {
  return unused.command != nullptr && !looks_like_option(unused.word) && unused.command->arguments().empty() &&
         !names_of_commands(*unused.command).empty();
}

std::string about_unused(const Unused& unused) {
  return looks_like_option(unused.word) ? unknown_option(*unused.command, unused.word)
                                        : unexpected_argument(*unused.command, unused.word);
}

// The option of the command to which the parser's text refers; null if there is none.
const CommandOption* option_in(const Command& command, const std::string& text) {
  const CommandOption* found = nullptr;
  for (const auto& option : command.options()) {
    const std::string& name = option->name();
    const std::size_t at = text.find(name);
    if (at == std::string::npos) continue;
    const bool ends = text.find_first_of(": ", at) == at + name.size();
    if (ends && (found == nullptr || name.size() > found->name().size())) found = option.get();
  }
  return found;
}

// Refuses a call that lacks required options. A mistyped option may be one of them.
void require_required(const Command& command, const Unused& unused_option) {
  std::vector<std::string> missing;
  for (const auto& option : command.options()) {
    if (option->is_required && option->count() == 0) missing.push_back(option->name());
  }
  if (missing.empty()) return;
  if (unused_option.command != nullptr) throw WrongCall(about_unused(unused_option));
  throw WrongCall(fmt::format("{} needs {}{}", command.full_name(), list_of(missing), see_manual(command)));
}

void require_fitting_options(const Command& command) {
  const auto excludes = [](const CommandOption& a, const CommandOption& b) {
    return std::ranges::find(a.excluded, &b) != a.excluded.end();
  };
  for (const auto& option : command.options()) {
    if (option->count() == 0) continue;
    for (const CommandOption* const other : option->needed) {
      if (other->count() == 0) {
        throw WrongCall(fmt::format("{} has no effect without {}", option->name(), other->name()));
      }
    }
    for (const auto& other : command.options()) {
      if (other->count() > 0 && (excludes(*option, *other) || excludes(*other, *option))) {
        throw WrongCall(fmt::format("{} cannot be given together with {}", option->name(), other->name()));
      }
    }
  }
}

void require_sense_of(const Command& command, const Unused& unused_option) {
  if (command.chosen() != nullptr) require_sense_of(*command.chosen(), unused_option);
  require_required(command, unused_option);
  require_fitting_options(command);
  if (command.check) command.check();
}

}  // namespace

std::string about_unknown_command(const Command& command, const std::string& word) {
  const std::vector<std::string> commands = names_of_commands(command);
  const std::string near = nearest_of(word, commands);
  const std::string known = commands.empty() ? "no commands" : list_of(commands);
  return fmt::format("unknown command '{}'{}", word,
                     near.empty() ? fmt::format("; {} has {}", command.full_name(), known) : near);
}

std::string about_number_of_values(const Command& command, const std::string& text) {
  const CommandOption* const option = option_in(command, text);
  if (option == nullptr) return text;
  if (option->is_flag()) return option->name() + " takes no value";
  if (option->count() > option->most_values) {
    return fmt::format("{} of {} are given, but {} takes at most {}", option->count(), option->name(),
                       command.full_name(), option->most_values);
  }
  return fmt::format("{} has no value, but needs {}", option->name(), value_name(*option));
}

void require_sense(const Command& program, std::span<const std::string> words) {
  const Unused option = first_unused(program, words, true);
  require_sense_of(program, option);
  // Of a mistyped command all options are unknown too.
  const Unused first = first_unused(program, words, false);
  if (first.command != nullptr) {
    throw WrongCall(about_unused(option.command == nullptr || is_mistyped_command(first) ? first : option));
  }
  for (const Command* command = &program; command->chosen() != nullptr; command = command->chosen()) {
    for (const auto& before : command->options()) {
      if (before->count() == 0) continue;
      throw WrongCall(
          fmt::format("{} stands before {}, but must stand behind it", before->name(), command->chosen()->name()));
    }
  }
}

}  // namespace octavo::cli
