// Completion for zsh: one function for each command passes the options to zsh's own function _arguments.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/completion.h"
#include "cli/manual.h"

namespace octavo::cli {
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

std::string first_sentence(const std::string& text) {
  const auto end = text.find_first_of(".;:");
  return text.substr(0, end);
}

// The specification by which _arguments completes a value: "name:action".
std::string value(const CLI::Option& option) {
  const std::string name = escaped(option.get_positional() ? option.get_name(true) : option.get_type_name(), ":");
  const auto words = choices(option);
  if (!words.empty()) return fmt::format("value:({})", fmt::join(words, " "));
  switch (value_kind(option)) {
    case ValueKind::file:
      return name + ":_files";
    case ValueKind::picture:
      return fmt::format("{}:_files -g \"*.(#i)({})\"", name, endings_of_pictures(option));
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
std::string specifications(const CLI::Option& option) {
  if (option.get_positional()) {
    return fmt::format(" \\\n    '{}:{}'", option.get_expected_max() > 1 ? "*" : "", value(option));
  }
  const std::vector<std::string> names = flags_of(option);
  std::string text;
  for (const std::string& name : names) {
    text += fmt::format(" \\\n    '({}){}[{}]{}'", fmt::join(names, " "), name,
                        escaped(first_sentence(option.get_description()), "[]:\\"),
                        is_flag(option) ? "" : ":" + value(option));
  }
  return text;
}

std::string function_name(const CLI::App& command) { return fmt::format("_{}", fmt::join(command_path(command), "_")); }

std::string function(const CLI::App& command) {
  const auto children = command.get_subcommands({});
  std::string arguments, folders;
  for (const CLI::Option* option : command.get_options({})) {
    if (children.empty() || !option->get_positional()) {
      arguments += specifications(*option);
    } else if (value_kind(*option) == ValueKind::folder) {
      folders = "      _files -/\n";  // a folder may stand in the place of a command
    }
  }
  if (children.empty()) return fmt::format("{}() {{\n  _arguments -s -S{}\n}}\n", function_name(command), arguments);

  std::string list, cases;
  for (const CLI::App* child : children) {
    list += fmt::format("        '{}:{}'\n", child->get_name(), escaped(summary(*child), ":"));
    cases += fmt::format("        {}) {} ;;\n", child->get_name(), function_name(*child));
  }
  return fmt::format(R"({0}() {{
  local context curcontext="$curcontext" state state_descr line
  typeset -A opt_args
  _arguments -C{1} \
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands=(
{2}      )
      _describe command commands
{4}      ;;
    rest)
      case $line[1] in
{3}      esac
      ;;
  esac
}}
)",
                     function_name(command), arguments, list, cases, folders);
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  const std::string& name = program.get_name();
  std::string script =
      fmt::format("#compdef {0}\n# Completes command lines of {0} in zsh. Made by `{0} completion zsh`.\n", name);
  for (const CLI::App* command : command_tree(program)) script += "\n" + function(*command);
  // zsh calls a file that it finds in fpath as the body of the function, so the file calls the function that it
  // defines. A shell that sources the file gets the definition only.
  script += fmt::format(R"(
if [[ $funcstack[1] == _{0} ]]; then
  _{0} "$@"
elif (( $+functions[compdef] )); then
  compdef _{0} {0}
fi
)",
                        name);
  return script;
}

}  // namespace octavo::cli
