// CLI11's errors carry only text. So the sentence is made from the state of the parser: the words that it could not
// use, and the options that are required and missing. The text tells only the option.

#include "cli/wrong_call.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "octavo/error.h"
#include "octavo/suggestion.h"

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

std::vector<std::string> names_of_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* child : command.get_subcommands({})) names.push_back(child->get_name());
  return names;
}

std::vector<const CLI::Option*> arguments_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::string see_manual(const CLI::App& command) {
  const std::string name = full_name(command);
  return name.empty() ? "" : fmt::format(" (see {} --help)", name);
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  // The hyphens that all names begin with would make different names alike.
  std::vector<std::string_view> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& flag : option->get_lnames()) known.push_back(flag);
  }
  const std::size_t begin = std::min(name.find_first_not_of('-'), name.size());
  const auto near = nearest_word(std::string_view(name).substr(begin), known);
  const std::string of = full_name(command);
  return fmt::format("unknown option '{}'{}{}", name, of.empty() ? "" : " of " + of,
                     near ? fmt::format("; did you mean --{}?", *near) : see_manual(command));
}

std::string unexpected_argument(const CLI::App& command, const std::string& word) {
  const std::vector<std::string> commands = names_of_commands(command);
  const std::vector<const CLI::Option*> arguments = arguments_of(command);
  if (arguments.empty() && !commands.empty()) {
    const std::string near = nearest_of(word, commands);
    return fmt::format("unknown command '{}'{}", word,
                       near.empty() ? fmt::format("; {} has {}", full_name(command), list_of(commands)) : near);
  }
  std::vector<std::string> names;
  for (const CLI::Option* argument : arguments) {
    names.push_back(argument->get_name());
    // The first argument may be a mistyped command.
    const std::string near = argument->count() > 0 ? nearest_of(argument->results().front(), commands) : "";
    if (!near.empty()) return fmt::format("unknown command '{}'{}", argument->results().front(), near);
  }
  const std::string of = full_name(command);
  if (of.empty()) return fmt::format("'{}' is no option", word);  // a setting has options alone
  return fmt::format("'{}' is one argument too many: {} takes {}", word, of, names.empty() ? "none" : list_of(names));
}

// The first word of the command line that the parser could not use, and the command that it follows.
struct Unused {
  const CLI::App* command = nullptr;
  std::string word;
};

Unused first_unused(const CLI::App& program, std::span<const std::string> words, bool only_options) {
  for (const std::string& word : words) {
    if (only_options && !looks_like_option(word)) continue;
    for (const CLI::App* command = &program; command != nullptr;) {
      const std::vector<std::string> unused = command->remaining();
      if (std::find(unused.begin(), unused.end(), word) != unused.end()) return {command, word};
      const auto children = command->get_subcommands();
      command = children.empty() ? nullptr : children.front();
    }
  }
  return {};
}

std::string about_unused(const Unused& unused) {
  return looks_like_option(unused.word) ? unknown_option(*unused.command, unused.word)
                                        : unexpected_argument(*unused.command, unused.word);
}

std::string about_missing(const CLI::App& command, const std::string& otherwise) {
  std::vector<std::string> missing;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_required() && option->count() == 0) missing.push_back(option->get_name());
  }
  if (missing.empty()) return otherwise;
  return fmt::format("{} needs {}{}", full_name(command), list_of(missing), see_manual(command));
}

// The option of the command to which CLI11's text refers; null if there is none.
const CLI::Option* option_in(const CLI::App& command, const std::string& text) {
  const CLI::Option* found = nullptr;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const std::size_t at = text.find(name);
    if (at == std::string::npos || name.empty()) continue;
    const bool ends = text.find_first_of(": ", at) == at + name.size();
    if (ends && (found == nullptr || name.size() > found->get_name().size())) found = option;
  }
  return found;
}

// An option without a value, or with too many.
std::string about_number_of_values(const CLI::App& command, const std::string& text) {
  const CLI::Option* const option = option_in(command, text);
  if (option == nullptr) return text;
  if (is_flag(*option)) return option->get_name() + " takes no value";
  if (option->count() > static_cast<std::size_t>(option->get_items_expected_max())) {
    return fmt::format("{} of {} are given, but {} takes at most {}", option->count(), option->get_name(),
                       full_name(command), option->get_items_expected_max());
  }
  return fmt::format("{} has no value, but needs {}", option->get_name(), value_name(*option));
}

// "A requires B" as "A has no effect without B".
std::string about_pair(std::string text, std::string_view verb, std::string_view instead) {
  const std::size_t at = text.find(verb);
  return at == std::string::npos ? text : text.replace(at, verb.size(), instead);
}

}  // namespace

const CLI::App& innermost(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::string full_name(const CLI::App& command) { return fmt::format("{}", fmt::join(command_path(command), " ")); }

std::string sentence_of(const CLI::App& program, const CLI::ParseError& error, std::span<const std::string> words) {
  const CLI::App& command = innermost(program);
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    Unused unused = first_unused(program, words, true);
    if (unused.command == nullptr) unused = first_unused(program, words, false);
    return unused.command == nullptr ? text : about_unused(unused);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    // A mistyped option may be the required one.
    const Unused unused = first_unused(program, words, true);
    return unused.command == nullptr ? about_missing(command, text) : about_unused(unused);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return about_number_of_values(command, text);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    const CLI::Option* const option = option_in(command, text);
    if (option == nullptr) return text;
    if (is_flag(*option)) return option->get_name() + " takes no value";
    return fmt::format("{} is \"{}\", but must be {}", option->get_name(), fmt::join(option->results(), ","),
                       value_name(*option));
  }
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) {
    return about_pair(text, " requires ", " has no effect without ");
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    return about_pair(text, " excludes ", " cannot be given together with ");
  }
  return text;
}

void refuse_empty_names(CLI::App& program) {
  for (CLI::Option* option : program.get_options()) {
    const ValueKind kind = value_kind(*option);
    if (kind != ValueKind::file && kind != ValueKind::picture && kind != ValueKind::folder) continue;
    const std::string what = kind == ValueKind::folder ? "folder" : "file";
    option->check([name = option->get_name(), what](const std::string& value) -> std::string {
      if (!value.empty()) return {};
      throw Error(ErrorCode::invalid_option, InvalidOption{name, "\"\"", "must be the name of a " + what});
    });
  }
  for (CLI::App* command : program.get_subcommands({})) refuse_empty_names(*command);
}

}  // namespace octavo::cli
