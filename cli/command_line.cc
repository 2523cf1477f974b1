// The tree of commands and options.

#include "cli/command_line.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace octavo::cli {

CommandOption::CommandOption(std::string_view names, std::size_t most_values, std::function<void(const Values&)> take)
    : most_values_(most_values), take_(std::move(take)) {
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

CommandOption& CommandOption::about(std::string_view what) {
  if (const std::size_t place = description_.find("{}"); place != std::string::npos)
    description_.replace(place, 2, what);
  return *this;
}

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

Command::Command(std::string name, ManualText manual, const Command* parent)
    : name_(std::move(name)), manual_(std::move(manual)), parent_(parent) {}

Command& Command::add_command(const std::string& name, ManualText manual) {
  return *commands_.emplace_back(std::make_unique<Command>(name, std::move(manual), this));
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
  CommandOption& option = *options_.emplace_back(std::make_unique<CommandOption>(names, most_values, std::move(take)));
  const OptionText text = text_of(names);
  option.description(text.sentence);
  if (!text.value.empty()) option.type_name(text.value);
  if (!text.group.empty()) option.group(text.group);
  return option;
}

CommandOption& Command::add_option(std::string_view names, std::string& value) {
  return add(names, 1, [&value](const auto& values) { value = values.front(); });
}

CommandOption& Command::add_option(std::string_view names, std::vector<std::string>& values) {
  return add(names, CommandOption::unlimited, [&values](const auto& given) { values = given; });
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
