// The tree of commands and options.

#include "cli/command_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/complaint.h"

namespace octavo::cli {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> entries;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    entries.emplace_back(text.substr(0, comma));
    if (comma == text.size()) return entries;
    text.remove_prefix(comma + 1);
  }
}

CommandOption& CommandOption::required(bool value) {
  is_required = value;
  return *this;
}

CommandOption& CommandOption::needs(const CommandOption& other) {
  needed.push_back(&other);
  return *this;
}

CommandOption& CommandOption::excludes(const CommandOption& other) {
  excluded.push_back(&other);
  return *this;
}

CommandOption& CommandOption::default_str(std::string text) {
  shown_default = std::move(text);
  return *this;
}

CommandOption& CommandOption::about(std::string_view what) {
  if (const std::size_t place = description.find("{}"); place != std::string::npos) description.replace(place, 2, what);
  return *this;
}

const std::string& CommandOption::name() const {
  if (is_argument()) return argument;
  const auto is_long = [](const std::string& flag) { return flag.starts_with("--"); };
  const auto found = std::ranges::find_if(flags, is_long);
  return found == flags.end() ? flags.front() : *found;
}

Command::Command(std::string name, ManualText manual, const Command* parent)
    : name_(std::move(name)), manual_(std::move(manual)), parent_(parent) {}

void Command::add_command(const NewCommand& added) {
  commands_.push_back(std::make_unique<Command>(std::string(added.name), parse_manual(*added.manual), this));
  Command& command = *commands_.back();
  command.add_flag("-h,--help", [] {}).requests = Request::manual;
  added.define(command);
  if (!command.action) commands_.pop_back();
}

void Command::add_commands(const std::string& what, std::initializer_list<NewCommand> added) {
  for (const NewCommand& one : added) add_command(one);
  action = [this, what]() -> int { throw WrongCall(fmt::format("no {} given (see {} --help)", what, full_name())); };
}

OptionText Command::text_of(std::string_view names) const {
  const auto own = manual_.options.find(names);
  if (own != manual_.options.end() && !own->second.sentence.empty()) return own->second;
  OptionText above = parent_ == nullptr ? OptionText{} : parent_->text_of(names);
  if (own != manual_.options.end()) above.group = own->second.group;  // which is all that this manual says of it
  return above;
}

CommandOption& Command::add(std::string_view names, std::size_t most_values,
                            std::function<void(const CommandOption::Values&)> take) {
  const OptionText text = text_of(names);
  CommandOption option{.most_values = most_values, .take = std::move(take), .description = text.sentence};
  if (!text.value.empty()) option.type_name = text.value;
  if (!text.group.empty()) option.group = text.group;
  if (!names.starts_with('-')) {
    option.argument = names;
  } else {
    option.flags = split(names);
  }
  return *options_.emplace_back(std::make_unique<CommandOption>(std::move(option)));
}

CommandOption& Command::add_option(std::string_view names, std::string& value) {
  return add(names, 1, [&value](const auto& values) { value = values.front(); });
}

CommandOption& Command::add_option(std::string_view names, std::vector<std::string>& values) {
  return add(names, CommandOption::unlimited, [&values](const auto& given) { values = given; });
}

CommandOption& Command::add_option(std::string_view names, std::vector<std::filesystem::path>& values) {
  return add(names, CommandOption::unlimited,
             [&values](const auto& given) { values.assign(given.begin(), given.end()); });
}

CommandOption& Command::add_option(std::string_view names, std::function<void(const std::string&)> take) {
  return add(names, 1, [take = std::move(take)](const auto& values) { take(values.front()); });
}

CommandOption& Command::add_flag(std::string_view names, bool& value) {
  return add_flag(names, [&value] { value = true; });
}

CommandOption& Command::add_flag(std::string_view names, std::function<void()> act) {
  return add(names, 0, [act = std::move(act)](const auto&) { act(); });
}

void Command::remove_option(std::string_view name) {
  const CommandOption* const unwanted = find_option(name);
  std::erase_if(options_, [unwanted](const auto& option) { return option.get() == unwanted; });
}

std::string Command::full_name() const { return parent_ == nullptr ? name_ : parent_->full_name() + " " + name_; }

const Command* Command::find_command(std::string_view name) const {
  const auto found = std::ranges::find(
      commands_, name, [](const auto& child) -> const auto& { return child->name(); });
  return found == commands_.end() ? nullptr : found->get();
}

std::vector<const CommandOption*> Command::arguments() const {
  std::vector<const CommandOption*> arguments;
  for (const auto& option : options_) {
    if (option->is_argument()) arguments.push_back(option.get());
  }
  return arguments;
}

CommandOption* Command::find_option(std::string_view name) const {
  for (const auto& option : options_) {
    if (option->argument == name || std::ranges::find(option->flags, name) != option->flags.end()) return option.get();
  }
  return nullptr;
}

bool Command::is_given(std::string_view name) const {
  const CommandOption* const option = find_option(name);
  return option != nullptr && option->count() > 0;
}

const Command& Command::innermost() const { return chosen_ == nullptr ? *this : chosen_->innermost(); }

void Command::set_parsed(Command* chosen, std::vector<std::string> unused) {
  chosen_ = chosen;
  unused_ = std::move(unused);
}

}  // namespace octavo::cli
