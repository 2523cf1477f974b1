// Completion for bash: one function determines the command of the line up to the cursor, then offers what may follow.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/manual.h"

namespace octavo::cli {
namespace {

// The shell code that offers the values of an option.
std::string offer(const CommandOption& option) {
  if (!option.choices().empty()) return fmt::format("offer -W '{}'", fmt::join(option.choices(), " "));
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
      const std::vector<std::string>& own = option->flags();
      options.insert(options.end(), own.begin(), own.end());
      if (option->is_argument()) {
        operands.insert(operands.end(), option->choices().begin(), option->choices().end());
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

  return fmt::format(R"(# Completes command lines of {0} in bash. Made by `{0} completion bash`.
_{0}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command={0} word options operands files endings
  offer() {{ mapfile -t COMPREPLY < <(compgen "$@" -- "$current"); }}
  # Folders and files with one of these endings, or all files if there are none.
  offer_images() {{
    local name
    COMPREPLY=()
    while IFS= read -r name; do
      if [[ -d ${{name/#'~/'/$HOME/}} || ${{name,,}} =~ \.($1)$ ]]; then COMPREPLY+=("$name"); fi
    done < <(compgen -f -- "$current")
    ((${{#COMPREPLY[@]}})) || offer -f
  }}

  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$command $word" in
{1}    esac
  done
  case "$command $previous" in
{2}  esac
  case $command in
{3}  esac
  if [[ $command == '{0} help' ]]; then
    local before=({0} "${{COMP_WORDS[@]:2:COMP_CWORD-2}}")
    case ${{before[*]}} in
{4}    esac
  fi
  if [[ $current == -* ]]; then
    offer -W "$options"
  elif [[ $endings ]]; then
    offer_images "$endings"
  else
    offer $files -W "$operands"
  fi
}}
complete -o filenames -F _{0} {0}
)",
                     program.name(), steps, values, words, below);
}

}  // namespace octavo::cli
