// The tree of commands and options.

#include "cli/command_line.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace octavo::cli {

CommandOption::CommandOption(std::string_view names, std::size_t most_values, std::function<void(const Values&)> take,
                             std::string description)
    : most_values_(most_values), take_(std::move(take)), description_(std::move(description)) {
  if (!names.starts_with('-')) {
    argument_ = names;
    return;
  }
  for (;;) {
    const std::size_t comma = std::min(names.find(','), names.size());
    flags_.emplace_back(names.substr(0, comma));
    if (comma == names.size()) return;
    names.remove_prefix(comma + 1);
  }
}

template <class Member>
CommandOption& CommandOption::set(Member& member, Member value) {
  member = std::move(value);
  return *this;
}

CommandOption& CommandOption::required(bool value) { return set(is_required_, value); }
CommandOption& CommandOption::type_name(std::string name) { return set(type_name_, std::move(name)); }
CommandOption& CommandOption::choices(std::vector<std::string> words) { return set(choices_, std::move(words)); }
CommandOption& CommandOption::group(std::string heading) { return set(group_, std::move(heading)); }
CommandOption& CommandOption::description(std::string text) { return set(description_, std::move(text)); }
CommandOption& CommandOption::default_str(std::string text) { return set(default_, std::move(text)); }
CommandOption& CommandOption::at_most(std::size_t values) { return set(most_values_, values); }

CommandOption& CommandOption::needs(const CommandOption& other) {
  needs_.push_back(&other);
  return *this;
}

CommandOption& CommandOption::excludes(const CommandOption& other) {
  excludes_.push_back(&other);
  return *this;
}

CommandOption& CommandOption::requests(Request what) { return set(request_, what); }

const std::string& CommandOption::name() const {
  if (is_argument()) return argument_;
  const auto is_long = [](const std::string& flag) { return flag.starts_with("--"); };
  const auto found = std::find_if(flags_.begin(), flags_.end(), is_long);
  return found == flags_.end() ? flags_.front() : *found;
}

Command::Command(std::string name, std::string description, const Command* parent)
    : name_(std::move(name)), description_(std::move(description)), parent_(parent) {}

Command& Command::add_command(const std::string& name, const std::string& description) {
  return *commands_.emplace_back(std::make_unique<Command>(name, description, this));
}

CommandOption& Command::add(std::string_view names, std::size_t most_values,
                            std::function<void(const CommandOption::Values&)> take, const std::string& description) {
  return *options_.emplace_back(std::make_unique<CommandOption>(names, most_values, std::move(take), description));
}

CommandOption& Command::add_option(std::string_view names, std::string& value, const std::string& description) {
  return add(
      names, 1, [&value](const auto& values) { value = values.front(); }, description);
}

CommandOption& Command::add_option(std::string_view names, std::vector<std::string>& values,
                                   const std::string& description) {
  return add(
      names, CommandOption::unlimited, [&values](const auto& given) { values = given; }, description);
}

CommandOption& Command::add_option(std::string_view names, std::function<void(const std::string&)> take,
                                   const std::string& description) {
  return add(
      names, 1, [take = std::move(take)](const auto& values) { take(values.front()); }, description);
}

CommandOption& Command::add_flag(std::string_view names, bool& value, const std::string& description) {
  return add_flag(
      names, [&value] { value = true; }, description);
}

CommandOption& Command::add_flag(std::string_view names, std::function<void()> act, const std::string& description) {
  return add(
      names, 0, [act = std::move(act)](const auto&) { act(); }, description);
}

void Command::remove_option(std::string_view name) {
  const CommandOption* const unwanted = &option(name);
  std::erase_if(options_, [unwanted](const auto& option) { return option.get() == unwanted; });
}

std::string Command::full_name() const { return parent_ == nullptr ? name_ : parent_->full_name() + " " + name_; }

CommandOption* Command::find_option(std::string_view name) const {
  for (const auto& option : options_) {
    const std::vector<std::string>& flags = option->flags();
    if (option->argument() == name || std::find(flags.begin(), flags.end(), name) != flags.end()) return option.get();
  }
  return nullptr;
}

CommandOption& Command::option(std::string_view name) const {
  CommandOption* const found = find_option(name);
  if (found == nullptr) throw std::out_of_range(full_name() + " has no option " + std::string(name));
  return *found;
}

const Command& Command::innermost() const { return chosen_ == nullptr ? *this : chosen_->innermost(); }

void Command::set_parsed(const Command* chosen, std::vector<std::string> unused) {
  chosen_ = chosen;
  unused_ = std::move(unused);
}

}  // namespace octavo::cli
