// Completion for fish: a line for each command and option, with the condition that the line up to the cursor has come
// to its command.

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/command_line.h"
#include "cli/completion.h"
#include "cli/manual.h"

namespace octavo {

extern const std::string_view fish_completion_txt;

namespace cli {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

// The arguments of fish's `complete` that offer the values of an option.
std::string offer(const CommandOption& option) {
  if (!option.choices.empty()) return fmt::format("-a '{}'", fmt::join(option.choices, " "));
  switch (value_kind(option)) {
    case ValueKind::command:
      return "-a '(__octavo_below)'";
    case ValueKind::file:
      return "-F";
    case ValueKind::image: {
      std::string endings = " ." + endings_of_images(option);
      for (std::size_t at = 0; (at = endings.find('|', at)) != std::string::npos;) endings.replace(at, 1, " .");
      return fmt::format("-k -a '(__fish_complete_suffix{})'", endings);  // fish offers other files after these
    }
    case ValueKind::folder:
      return "-a '(__fish_complete_directories)'";
    case ValueKind::device:
      return fmt::format("-a '{}'", usual_devices(option));
    case ValueKind::isa:
      return "-a 'auto (__octavo_isas)'";
    case ValueKind::other:
      break;
  }
  return "";
}

std::string line_of(const CommandOption& option, const std::string& start) {
  if (option.is_argument()) {
    const std::string values = offer(option);
    return values.empty() ? "" : start + " " + values + "\n";
  }
  std::string line = start;
  for (const std::string& flag : option.flags) {
    line += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
  }
  line += " -d " + quoted(first_sentence(option.description));
  return line +
         (option.is_flag()
              ? ""
              : fmt::format(" -r {}", value_kind(option) == ValueKind::file ? "-F" : "-f " + offer(option))) +
         "\n";
}

}  // namespace

std::string fish_completion(const Command& program) {
  std::string steps, below, lines;
  for (const Command* command : command_tree(program)) {
    const std::string path = command->full_name();
    if (command->parent() != nullptr) steps += " " + quoted(path);
    const std::string start = fmt::format("complete -c {} -n '__octavo_is {}'", program.name(), path);
    std::string names;
    for (const auto& child : command->commands()) {
      lines += fmt::format("{} -a {} -d {}\n", start, child->name(), quoted(summary(*child)));
      names += fmt::format(" {}", quoted(child->name() + "\t" + summary(*child)));
    }
    if (!names.empty()) below += fmt::format("    case {}\n      printf '%s\\n'{}\n", quoted(path), names);
    for (const auto& option : command->options()) lines += line_of(*option, start);
  }
  lines.pop_back();  // the text ends the last line
  return filled(fish_completion_txt, {{"steps", steps}, {"below", below}, {"lines", lines}});
}

}  // namespace cli
}  // namespace octavo
