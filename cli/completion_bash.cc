// Completion for bash: one function determines the command of the line up to the cursor, then offers what may follow.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/manual.h"

namespace octavo {

extern const std::string_view bash_completion_txt;

namespace cli {
namespace {

// The shell code that offers the values of an option.
std::string offer(const CommandOption& option) {
  if (!option.choices.empty()) return fmt::format("offer -W '{}'", fmt::join(option.choices, " "));
  switch (value_kind(option)) {
    case ValueKind::file:
      return "offer -f";
    case ValueKind::image:
      return fmt::format("offer_images '{}'", endings_of_images(option));
    case ValueKind::folder:
      return "offer -d";
    case ValueKind::device:
      return fmt::format("offer -W '{}'", usual_devices(option));
    case ValueKind::isa:
      return "offer -W \"auto $(\"${COMP_WORDS[0]}\" devices --isas 2>/dev/null)\"";
    case ValueKind::command:  // of an argument alone
    case ValueKind::other:
      break;
  }
  return "COMPREPLY=()";
}

}  // namespace

std::string bash_completion(const Command& program) {
  std::string steps, values, words, below;
  for (const Command* command : command_tree(program)) {
    const std::string path = command->full_name();
    if (command->parent() != nullptr) steps += fmt::format("      '{}') command+=\" $word\" ;;\n", path);

    std::vector<std::string> options, operands;
    std::string files, endings;
    for (const auto& option : command->options()) {
      const std::vector<std::string>& own = option->flags;
      options.insert(options.end(), own.begin(), own.end());
      if (option->is_argument()) {
        operands.insert(operands.end(), option->choices.begin(), option->choices.end());
        if (value_kind(*option) == ValueKind::file) files = "-f";
        if (value_kind(*option) == ValueKind::folder) files = "-d";
        if (value_kind(*option) == ValueKind::image && endings.empty()) endings = endings_of_images(*option);
      } else if (!option->is_flag()) {
        for (const std::string& name : own) {
          values += fmt::format("    '{} {}') {}; return ;;\n", path, name, offer(*option));
        }
      }
    }
    for (const auto& child : command->commands()) operands.push_back(child->name());
    if (!command->commands().empty()) {
      below += fmt::format("      '{}') operands='{}' ;;\n", path, fmt::join(operands, " "));
    }
    words += fmt::format("    '{}') options='{}' operands='{}' files='{}' endings='{}' ;;\n", path,
                         fmt::join(options, " "), fmt::join(operands, " "), files, endings);
  }

  return filled(bash_completion_txt, {{"steps", steps}, {"values", values}, {"words", words}, {"below", below}});
}

}  // namespace cli
}  // namespace octavo
