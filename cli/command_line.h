#pragma once

// What a command line may say: a tree of commands, each with its options. The files of the commands define the tree,
// parse() matches words with it, and manuals and completions describe it. Every command file includes this header, so
// it needs neither the parser nor anything else that takes long to compile.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/manual_text.h"

namespace octavo::cli {

/// The entries of a list with commas: at least one, and each may be empty.
std::vector<std::string> split(std::string_view text);

/// Whether a word stands for an option: it begins with a hyphen, and is not that alone.
inline bool looks_like_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

/// What a command line asks for: the action of its command, or in place of it the manual or the version.
enum class Request { action, manual, version };

/// An option of a command. A flag is an option without a value; an argument has a place in place of a flag.
struct CommandOption {
  using Values = std::vector<std::string>;
  static constexpr std::size_t unlimited = -1;

  std::vector<std::string> flags{};  ///< the names as a user types them: "-o", "--output"; empty for an argument
  std::string argument{};            ///< the name of an argument, such as "IMAGE"; otherwise empty
  std::size_t most_values = 1;       ///< 0: a flag; above 1: it takes several
  /// Receives the values that the command line gives: the last one of an option that takes one, all of an option that
  /// takes several, and none of a flag. It may change whether another option is required.
  std::function<void(const Values&)> take;
  std::string description;                     ///< the sentence of the manual
  std::string type_name = "TEXT";              ///< the name of the value in manuals
  std::vector<std::string> choices{};          ///< the words that it takes, which manuals and completions show instead
  std::string group = "Options";               ///< the heading
  std::string shown_default{};                 ///< the default as the manual shows it
  bool is_required = false;                    ///< whether a call must give it
  std::vector<const CommandOption*> needed{};  ///< it is a wrong call without these
  std::vector<const CommandOption*> excluded{};  ///< it is a wrong call with these
  Request requests = Request::action;            ///< a flag may ask for something else than the command's action
  Values results{};  ///< the values that the command line gives; of a flag one for each time that it stands there

  /// The first long flag, or else the first flag, or the name of the argument.
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] bool is_argument() const { return flags.empty(); }
  [[nodiscard]] bool is_flag() const { return most_values == 0; }
  [[nodiscard]] bool takes_several() const { return most_values > 1; }
  [[nodiscard]] std::size_t count() const { return results.size(); }

  // These set the members above, and return the option.
  CommandOption& required(bool value = true);
  CommandOption& needs(const CommandOption& other);
  CommandOption& excludes(const CommandOption& other);
  CommandOption& default_str(std::string text);
  /// What the description is about, which stands in it as {}.
  CommandOption& about(std::string_view what);
};

class Command;

/// A command to add: its name, its manual, and what gives it options and an action.
struct NewCommand {
  std::string_view name;
  const std::string_view* manual;
  void (*define)(Command& command);
};

/// A command with its options and the commands below it, all of which stay where they are in memory.
class Command {
 public:
  /// A command without a name has options without texts.
  Command(std::string name, ManualText manual, const Command* parent = nullptr);
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// Adds a command below this one. Without an action there is no such command in this build.
  void add_command(const NewCommand& added);

  /// Adds commands that this one stands for: alone it is a wrong call, "no job given", if `what` is "job".
  void add_commands(const std::string& what, std::initializer_list<NewCommand> added);

  /// Adds an option or argument, of which the manual says sentence, name of the value and heading. Its value replaces
  /// that of the variable, which must outlive the parsing. Options are assigned in the order of their definition. Of an
  /// option that is given several times the last value counts.
  CommandOption& add_option(std::string_view names, std::string& value);
  CommandOption& add_option(std::string_view names, std::filesystem::path& value) {
    return add_option(names, [&value](const std::string& text) { value = text; });
  }
  /// Adds an argument that takes several values, or an option that may be given several times, with one value each.
  CommandOption& add_option(std::string_view names, std::vector<std::string>& values);
  CommandOption& add_option(std::string_view names, std::vector<std::filesystem::path>& values);
  CommandOption& add_option(std::string_view names, std::function<void(const std::string&)> take);

  /// Adds a flag that makes the variable true.
  CommandOption& add_flag(std::string_view names, bool& value);
  /// Adds a flag that calls `act`.
  CommandOption& add_flag(std::string_view names, std::function<void()> act);

  /// Removes an option that the command has and that no other option names.
  void remove_option(std::string_view name);

  std::function<void()> check;  ///< runs when the options of this command have their values; may be empty
  /// What the command does; returns the exit code. Empty: it is not in this build.
  std::function<int()> action;

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

  /// The command below this one with this name; null if there is none.
  [[nodiscard]] const Command* find_command(std::string_view name) const;
  /// The options that are arguments, in their order.
  [[nodiscard]] std::vector<const CommandOption*> arguments() const;
  /// The option with this name ("--output" or "IMAGE"); null if there is none.
  [[nodiscard]] CommandOption* find_option(std::string_view name) const;
  /// Whether the command line gives the option; false if the command has no such option.
  [[nodiscard]] bool is_given(std::string_view name) const;

  /// The command below this one that the command line names; null if it names none.
  [[nodiscard]] Command* chosen() const { return chosen_; }
  /// The innermost command below this one that the command line names; this one if it names none.
  [[nodiscard]] const Command& innermost() const;
  /// The words of the command line that follow this command and that the parser could not use.
  [[nodiscard]] const std::vector<std::string>& unused() const { return unused_; }

  /// Tells what the command line names and what is left of it. For parse().
  void set_parsed(Command* chosen, std::vector<std::string> unused);

 private:
  CommandOption& add(std::string_view names, std::size_t most_values,
                     std::function<void(const CommandOption::Values&)> take);

  std::string name_;
  ManualText manual_;
  const Command* parent_;
  std::vector<std::unique_ptr<Command>> commands_;
  std::vector<std::unique_ptr<CommandOption>> options_;
  Command* chosen_ = nullptr;
  std::vector<std::string> unused_;
};

}  // namespace octavo::cli
