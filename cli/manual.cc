// The layout of the manual pages that `--help` prints. Names, values and defaults come from the options themselves, so
// that the manual always agrees with the program.

#include "cli/manual.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <stdexcept>

namespace octavo::cli {
namespace {

constexpr std::size_t page_width = 80;
constexpr auto streams = "Results go to the standard output. Errors, warnings and progress go to the error\nstream.";

// `text`, broken at spaces into lines of at most the page's width. Each line begins with `indent` spaces.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string page, line, word;
  const auto flush = [&] {
    page += std::string(indent, ' ') + line + '\n';
    line.clear();
  };
  while (words >> word) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > page_width) flush();
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) flush();
  return page;
}

// The head of an option, broken behind | into lines of at most the page's width.
std::string wrapped_head(const std::string& head) {
  std::string page, line = "  ";
  for (std::size_t at = 0; at < head.size();) {
    const std::size_t bar = std::min(head.find('|', at), head.size() - 1);
    const std::string word = head.substr(at, bar + 1 - at);
    if (line.size() + word.size() > page_width) {
      page += line + '\n';
      line = "      ";
    }
    line += word;
    at += word.size();
  }
  return page + line + '\n';
}

std::string paragraph_of(const CommandOption& option) {
  std::string head = option.is_argument() ? option.argument : fmt::format("{}", fmt::join(option.flags, ", "));
  const std::string value = value_name(option);
  if (!option.is_argument() && !value.empty()) head += " " + value;
  if (option.is_argument() && !option.choices.empty()) head += ": " + value;

  // The build makes the page of man of each command, so an option without a sentence fails it.
  if (option.description.empty()) throw std::logic_error("the manual says nothing of " + option.name());
  std::string text = option.description;
  for (const CommandOption* needed : option.needed) text += " Only with " + needed->name() + ".";
  if (!option.shown_default.empty()) text += " Default: " + option.shown_default + ".";
  return wrapped_head(head) + wrapped(text, 6);
}

std::string usage_of(const Command& command) {
  std::string options, arguments;
  for (const auto& option : command.options()) {
    if (!option->is_argument()) {
      options = " [OPTIONS]";
      continue;
    }
    const std::string name = option->argument + (option->takes_several() ? "..." : "");
    arguments += option->is_required ? " " + name : " [" + name + "]";
  }
  const std::string commands = command.commands().empty() ? "" : " [COMMAND]";
  return "Usage: " + command.full_name() + options + arguments + commands + "\n";
}

// The headings of the command's options in the order in which the options first name them.
std::vector<std::string> groups_of(const Command& command) {
  std::vector<std::string> groups;
  for (const auto& option : command.options()) {
    if (std::find(groups.begin(), groups.end(), option->group) == groups.end()) groups.push_back(option->group);
  }
  return groups;
}

// The paragraphs below a heading; nothing if there are none.
std::string section(const std::string& heading, const std::string& paragraphs) {
  return paragraphs.empty() ? "" : "\n" + heading + ":\n" + paragraphs;
}

}  // namespace

std::string value_name(const CommandOption& option) {
  if (option.is_flag()) return {};
  return option.choices.empty() ? option.type_name : fmt::format("{}", fmt::join(option.choices, "|"));
}

std::string summary(const Command& command) {
  const std::string& text = command.description();
  return text.substr(0, text.find('\n'));
}

std::string manual_of(const Command& command) {
  std::string page = command.full_name() + " - " + command.description() + "\n\n" + usage_of(command);

  std::string arguments;
  for (const auto& option : command.options()) {
    if (option->is_argument()) arguments += paragraph_of(*option);
  }
  page += section("Arguments", arguments);

  for (const std::string& group : groups_of(command)) {
    std::string options;
    for (const auto& option : command.options()) {
      if (!option->is_argument() && option->group == group) options += paragraph_of(*option);
    }
    page += section(group, options);
  }

  std::string commands;
  for (const auto& child : command.commands()) commands += fmt::format("  {:<12}{}\n", child->name(), summary(*child));
  return page + section("Commands", commands) + "\n" + command.footer() + "\n\n" + streams + "\n";
}

}  // namespace octavo::cli
