// Completion for zsh: one function for each command passes the options to zsh's own function _arguments.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/manual.h"

namespace octavo {

extern const std::string_view zsh_completion_txt, zsh_completion_below_txt;

namespace cli {
namespace {

// `text` inside single quotes, with a backslash before each of `special`.
std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (special.find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

// The specification by which _arguments completes a value: "name:action".
std::string value(const CommandOption& option) {
  const std::string name = escaped(option.is_argument() ? option.argument : option.type_name, ":");
  if (!option.choices.empty()) return fmt::format("value:({})", fmt::join(option.choices, " "));
  switch (value_kind(option)) {
    case ValueKind::command:
      return name + ":_octavo_below";
    case ValueKind::file:
      return name + ":_files";
    case ValueKind::image:
      return fmt::format("{}:_files -g \"*.(#i)({})\"", name, endings_of_images(option));
    case ValueKind::folder:
      return name + ":_files -/";
    case ValueKind::device:
      return fmt::format("{}:({})", name, escaped(usual_devices(option), ":"));
    case ValueKind::isa:
      return name + ":(auto $($service devices --isas 2>/dev/null))";
    case ValueKind::other:
      break;
  }
  return name + ": ";
}

// The specifications of one option for _arguments, one for each of its names.
std::string specifications(const CommandOption& option) {
  if (option.is_argument()) {
    return fmt::format(" \\\n    '{}:{}'", option.takes_several() ? "*" : "", value(option));
  }
  std::string text;
  for (const std::string& name : option.flags) {
    text +=
        fmt::format(" \\\n    '({}){}[{}]{}'", fmt::join(option.flags, " "), name,
                    escaped(first_sentence(option.description), "[]:\\"), option.is_flag() ? "" : ":" + value(option));
  }
  return text;
}

std::string function_name(const Command& command) {
  std::string name = "_" + command.full_name();
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string function(const Command& command) {
  const auto& children = command.commands();
  std::string arguments, folders;
  for (const auto& option : command.options()) {
    if (children.empty() || !option->is_argument()) {
      arguments += specifications(*option);
    } else if (value_kind(*option) == ValueKind::folder) {
      folders = "      _files -/\n";  // a folder may stand in the place of a command
    }
  }
  if (children.empty()) return fmt::format("{}() {{\n  _arguments -s -S{}\n}}\n", function_name(command), arguments);

  std::string list, cases;
  for (const auto& child : children) {
    list += fmt::format("        '{}:{}'\n", child->name(), escaped(summary(*child), ":"));
    cases += fmt::format("        {}) {} ;;\n", child->name(), function_name(*child));
  }
  return filled(zsh_completion_below_txt, {{"name", function_name(command)},
                                           {"arguments", arguments},
                                           {"commands", list},
                                           {"cases", cases},
                                           {"folders", folders}});
}

// What the function that completes `help` offers: the commands below those that the words after it name.
std::string cases_below(const std::vector<const Command*>& tree) {
  std::string cases;
  for (const Command* command : tree) {
    if (command->commands().empty()) continue;
    std::string path = command->full_name();
    path.erase(0, std::min(tree.front()->name().size() + 1, path.size()));
    cases += fmt::format("    '{}') commands=(", path);
    for (const auto& child : command->commands()) {
      cases += fmt::format("'{}:{}' ", child->name(), escaped(summary(*child), ":"));
    }
    cases += ") ;;\n";
  }
  return cases;
}

}  // namespace

std::string zsh_completion(const Command& program) {
  const std::vector<const Command*> tree = command_tree(program);
  std::string functions;
  for (const Command* command : tree) functions += "\n" + function(*command);
  // zsh calls a file that it finds in fpath as the body of the function, so the text calls the function that it
  // defines. A shell that sources the file gets the definition only.
  return filled(zsh_completion_txt, {{"below", cases_below(tree)}, {"functions", functions}});
}

}  // namespace cli
}  // namespace octavo
