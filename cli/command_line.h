#pragma once

// What a command line may say: a tree of commands, each with its options. The files of the commands define the tree,
// parse() matches words with it, and manuals and completions describe it. Every command file includes this header, so
// it needs neither the parser nor anything else that takes long to compile.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/manual_text.h"

namespace octavo::cli {

/// What a command line asks for: the action of its command, or in place of it the manual or the version.
enum class Request { action, manual, version };

/// An option of a command. A flag is an option without a value; an argument has a place in place of a flag.
class CommandOption {
 public:
  using Values = std::vector<std::string>;
  static constexpr std::size_t unlimited = -1;

  /// `names` are "-o,--output" of an option, or "IMAGE" of an argument. `take` receives the values: the last one of an
  /// option that takes one, all of an option that takes several, and none of a flag.
  CommandOption(std::string_view names, std::size_t most_values, std::function<void(const Values&)> take);

  /// Whether a call must give the option. A function that takes the values of an option may change it for another one.
  CommandOption& required(bool value = true);
  /// The name of the value in manuals.
  CommandOption& type_name(std::string name);
  /// The words that the option takes; manuals and completions show them in place of the name of the value.
  CommandOption& choices(std::vector<std::string> words);
  CommandOption& group(std::string heading);
  CommandOption& description(std::string text);
  /// What the description is about, which stands in it as {}.
  CommandOption& about(std::string_view what);
  /// The default as the manual shows it.
  CommandOption& default_str(std::string text);
  /// The number of values that an argument which takes several has at most.
  CommandOption& at_most(std::size_t values);
  /// The option is a wrong call without the other one, which must outlive it.
  CommandOption& needs(const CommandOption& other);
  /// The two options together are a wrong call.
  CommandOption& excludes(const CommandOption& other);
  /// Makes a flag ask for this in place of the command's action.
  CommandOption& requests(Request what);

  /// The names as a user types them: "-o", "--output". Empty for an argument.
  [[nodiscard]] const std::vector<std::string>& flags() const { return flags_; }
  /// The name of an argument; otherwise empty.
  [[nodiscard]] const std::string& argument() const { return argument_; }
  /// The first long flag, or else the first flag, or the name of the argument.
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] bool is_argument() const { return flags_.empty(); }
  [[nodiscard]] bool is_flag() const { return most_values_ == 0; }
  [[nodiscard]] bool takes_several() const { return most_values_ > 1; }
  [[nodiscard]] std::size_t most_values() const { return most_values_; }
  [[nodiscard]] bool is_required() const { return is_required_; }
  [[nodiscard]] const std::string& type_name() const { return type_name_; }
  [[nodiscard]] const std::vector<std::string>& choices() const { return choices_; }
  [[nodiscard]] const std::string& group() const { return group_; }
  [[nodiscard]] const std::string& description() const { return description_; }
  [[nodiscard]] const std::string& default_str() const { return default_; }
  [[nodiscard]] const std::vector<const CommandOption*>& needs() const { return needs_; }
  [[nodiscard]] const std::vector<const CommandOption*>& excludes() const { return excludes_; }
  [[nodiscard]] Request requests() const { return request_; }

  /// The values that the command line gives; of a flag one for each time that it stands there.
  [[nodiscard]] const Values& results() const { return results_; }
  [[nodiscard]] std::size_t count() const { return results_.size(); }

  /// Tells the values that the command line gives. For parse().
  void set_results(const Values& results) { results_ = results; }
  /// Passes values to the variable or function of the option. For parse().
  void take(const Values& values) const { take_(values); }

 private:
  template <class Member>
  CommandOption& set(Member& member, Member value);

  std::vector<std::string> flags_;
  std::string argument_;
  std::size_t most_values_;
  std::function<void(const Values&)> take_;
  std::string description_, type_name_ = "TEXT", group_ = "Options", default_;
  std::vector<std::string> choices_;
  bool is_required_ = false;
  std::vector<const CommandOption*> needs_, excludes_;
  Request request_ = Request::action;
  Values results_;
};

/// A command with its options and the commands below it, all of which stay where they are in memory.
class Command {
 public:
  /// A command without a name has options without texts.
  Command(std::string name, ManualText manual, const Command* parent = nullptr);
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// Adds a command below this one.
  Command& add_command(const std::string& name, ManualText manual);

  /// Adds an option or argument, of which the manual says sentence, name of the value and heading. Its value replaces
  /// that of the variable, which must outlive the parsing. Options are assigned in the order of their definition. Of an
  /// option that is given several times the last value counts.
  CommandOption& add_option(std::string_view names, std::string& value);
  CommandOption& add_option(std::string_view names, std::filesystem::path& value) {
    return add_option(names, [&value](const std::string& text) { value = text; });
  }
  /// Adds an argument that takes several values, or an option that may be given several times, with one value each.
  CommandOption& add_option(std::string_view names, std::vector<std::string>& values);
  CommandOption& add_option(std::string_view names, std::function<void(const std::string&)> take);

  /// Adds a flag that makes the variable true.
  CommandOption& add_flag(std::string_view names, bool& value);
  /// Adds a flag that calls `act`.
  CommandOption& add_flag(std::string_view names, std::function<void()> act);

  /// Removes an option that the command has and that no other option names.
  void remove_option(std::string_view name);

  /// What runs when the options of this command have their values, before the action of any command.
  void parse_complete_callback(std::function<void()> check) { check_ = std::move(check); }
  /// The action, which runs at the end of the parsing if the command line names the command.
  void callback(std::function<void()> action) { action_ = std::move(action); }

  [[nodiscard]] const std::string& name() const { return name_; }
  /// "octavo bench match"; empty for a command without a name.
  [[nodiscard]] std::string full_name() const;
  [[nodiscard]] const std::string& description() const { return manual_.description; }
  /// The text that ends the manual.
  [[nodiscard]] const std::string& footer() const { return manual_.footer; }
  /// What the manual says of an option; nothing if it does not name the option.
  [[nodiscard]] OptionText text_of(std::string_view names) const;
  [[nodiscard]] const Command* parent() const { return parent_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Command>>& commands() const { return commands_; }
  [[nodiscard]] const std::vector<std::unique_ptr<CommandOption>>& options() const { return options_; }
  [[nodiscard]] const std::function<void()>& parse_complete_callback() const { return check_; }
  [[nodiscard]] const std::function<void()>& callback() const { return action_; }

  /// The option with this name ("--output" or "IMAGE"); null if there is none.
  [[nodiscard]] CommandOption* find_option(std::string_view name) const;
  /// The option with this name. Throws std::out_of_range if there is none.
  [[nodiscard]] CommandOption& option(std::string_view name) const;
  /// How often the command line gives the option, which the command must have.
  [[nodiscard]] std::size_t count(std::string_view name) const { return option(name).count(); }

  /// The command below this one that the command line names; null if it names none.
  [[nodiscard]] const Command* chosen() const { return chosen_; }
  /// The innermost command below this one that the command line names; this one if it names none.
  [[nodiscard]] const Command& innermost() const;
  /// The words of the command line that follow this command and that the parser could not use.
  [[nodiscard]] const std::vector<std::string>& unused() const { return unused_; }

  /// Tells what the command line names and what is left of it. For parse().
  void set_parsed(const Command* chosen, std::vector<std::string> unused);

 private:
  CommandOption& add(std::string_view names, std::size_t most_values,
                     std::function<void(const CommandOption::Values&)> take);

  std::string name_;
  ManualText manual_;
  const Command* parent_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::unique_ptr<CommandOption>> options_;
  std::function<void()> check_, action_;
  const Command* chosen_ = nullptr;
  std::vector<std::string> unused_;
};

}  // namespace octavo::cli
