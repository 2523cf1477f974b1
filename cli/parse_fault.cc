// The parser tells a fault only as text. So the sentence is made from what it has done: the words that it could not
// use, and the options that are required and missing. The text tells only the option.

#include "cli/parse_fault.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/manual.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

bool looks_like_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

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

std::vector<const CommandOption*> arguments_of(const Command& command) {
  std::vector<const CommandOption*> arguments;
  for (const auto& option : command.options()) {
    if (option->is_argument()) arguments.push_back(option.get());
  }
  return arguments;
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
    for (const std::string_view flag : option->flags()) {
      if (flag.starts_with("--")) known.push_back(flag.substr(2));
    }
  }
  const std::size_t begin = std::min(name.find_first_not_of('-'), name.size());
  const auto near = nearest_word(std::string_view(name).substr(begin), known);
  const std::string of = command.full_name();
  return fmt::format("unknown option '{}'{}{}", name, of.empty() ? "" : " of " + of,
                     near ? fmt::format("; did you mean --{}?", *near) : see_manual(command));
}

std::string unexpected_argument(const Command& command, const std::string& word) {
  const std::vector<std::string> commands = names_of_commands(command);
  const std::vector<const CommandOption*> arguments = arguments_of(command);
  if (arguments.empty() && !commands.empty()) return about_unknown_command(command, word);
  std::vector<std::string> names;
  for (const CommandOption* argument : arguments) {
    names.push_back(argument->name());
    // The first argument may be a mistyped command.
    const std::string near = argument->count() > 0 ? nearest_of(argument->results().front(), commands) : "";
    if (!near.empty()) return fmt::format("unknown command '{}'{}", argument->results().front(), near);
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
  return unused.command != nullptr && !looks_like_option(unused.word) && arguments_of(*unused.command).empty() &&
         !names_of_commands(*unused.command).empty();
}

std::string about_unused(const Unused& unused) {
  return looks_like_option(unused.word) ? unknown_option(*unused.command, unused.word)
                                        : unexpected_argument(*unused.command, unused.word);
}

std::string about_missing(const Command& command, const std::string& otherwise) {
  std::vector<std::string> missing;
  for (const auto& option : command.options()) {
    if (option->is_required() && option->count() == 0) missing.push_back(option->name());
  }
  if (missing.empty()) return otherwise;
  return fmt::format("{} needs {}{}", command.full_name(), list_of(missing), see_manual(command));
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

// An option without a value, or with too many.
std::string about_number_of_values(const Command& command, const std::string& text) {
  const CommandOption* const option = option_in(command, text);
  if (option == nullptr) return text;
  if (option->is_flag()) return option->name() + " takes no value";
  if (option->count() > option->most_values()) {
    return fmt::format("{} of {} are given, but {} takes at most {}", option->count(), option->name(),
                       command.full_name(), option->most_values());
  }
  return fmt::format("{} has no value, but needs {}", option->name(), value_name(*option));
}

// "A requires B" as "A has no effect without B".
std::string about_pair(std::string text, std::string_view verb, std::string_view instead) {
  const std::size_t at = text.find(verb);
  return at == std::string::npos ? text : text.replace(at, verb.size(), instead);
}

}  // namespace

std::string about_unknown_command(const Command& command, const std::string& word) {
  const std::vector<std::string> commands = names_of_commands(command);
  const std::string near = nearest_of(word, commands);
  const std::string known = commands.empty() ? "no commands" : list_of(commands);
  return fmt::format("unknown command '{}'{}", word,
                     near.empty() ? fmt::format("; {} has {}", command.full_name(), known) : near);
}

std::string sentence_of(const Command& program, Fault fault, const std::string& text,
                        std::span<const std::string> words) {
  const Command& command = program.innermost();
  switch (fault) {
    case Fault::unused_word: {
      // Of a mistyped command all options are unknown too.
      Unused unused = first_unused(program, words, false);
      if (!is_mistyped_command(unused)) {
        const Unused option = first_unused(program, words, true);
        if (option.command != nullptr) unused = option;
      }
      return unused.command == nullptr ? text : about_unused(unused);
    }
    case Fault::missing_option: {
      // A mistyped option may be the required one.
      const Unused unused = first_unused(program, words, true);
      return unused.command == nullptr ? about_missing(command, text) : about_unused(unused);
    }
    case Fault::number_of_values:
      return about_number_of_values(command, text);
    case Fault::no_such_value: {
      const CommandOption* const option = option_in(command, text);  // a flag, since others take every text
      return option == nullptr ? text : option->name() + " takes no value";
    }
    case Fault::missing_need:
      return about_pair(text, " requires ", " has no effect without ");
    case Fault::exclusion:
      return about_pair(text, " excludes ", " cannot be given together with ");
    case Fault::other:
      break;
  }
  return text;
}

}  // namespace octavo::cli
