// The layout of the manual pages that `--help` prints. Names, values and defaults come from the options themselves, so
// that the manual always agrees with the program.

#include "cli/manual.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>  // defines what CLI/App.hpp declares; only this file includes it

#include <algorithm>
#include <sstream>

namespace octavo::cli {
namespace {

constexpr std::size_t page_width = 80;

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

}  // namespace

std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // "NAME:{one,two}"
  const auto open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  return all;
}

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

std::string value_name(const CLI::Option& option) {
  if (is_flag(option)) return {};
  const auto words = choices(option);
  return words.empty() ? option.get_type_name() : fmt::format("{}", fmt::join(words, "|"));
}

std::string summary(const CLI::App& command) {
  const std::string text = command.get_description();
  return text.substr(0, text.find('\n'));
}

Manual::Manual() {
  label("Positionals", "Arguments");
  label("SUBCOMMAND", "COMMAND");
}

std::string Manual::make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const {
  return CLI::detail::find_and_replace(Formatter::make_help(command, name, mode), "\n\n\n", "\n\n");
}

std::string Manual::make_option(const CLI::Option* option, bool is_positional) const {
  std::string head = make_option_name(option, is_positional);
  for (auto comma = head.find(','); comma != std::string::npos; comma = head.find(',', comma + 2)) {
    head.replace(comma, 1, ", ");
  }
  const std::string value = value_name(*option);
  if (!is_positional && !value.empty()) head += " " + value;
  if (is_positional && !choices(*option).empty()) head += ": " + value;

  std::string text = option->get_description();
  for (const CLI::Option* needed : option->get_needs()) text += " Only with " + needed->get_name() + ".";
  if (!option->get_default_str().empty()) text += " Default: " + option->get_default_str() + ".";
  return wrapped_head(head) + wrapped(text, 6);
}

std::string Manual::make_option_usage(const CLI::Option* option) const {
  const std::string name = option->get_name(true) + (option->get_expected_max() > 1 ? "..." : "");
  return option->get_required() ? name : "[" + name + "]";
}

std::string Manual::make_subcommand(const CLI::App* command) const {
  return fmt::format("  {:<12}{}\n", command->get_name(), summary(*command));
}

std::string Manual::make_description(const CLI::App* command) const {
  std::string name = command->get_name();
  for (const CLI::App* parent = command->get_parent(); parent != nullptr; parent = parent->get_parent()) {
    name.insert(0, parent->get_name() + " ");
  }
  return name + " - " + command->get_description() + "\n\n";
}

}  // namespace octavo::cli
