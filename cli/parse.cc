// CLI11 parses the command line. No other file includes it: it takes a second to compile, and more where its code of
// manuals and configuration files is generated.

#include "cli/parse.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>

#include "cli/completion.h"
#include "cli/parse_fault.h"
#include "cli/wrong_call.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

Fault fault_of(const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return Fault::unused_word;
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return Fault::missing_option;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return Fault::number_of_values;
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return Fault::no_such_value;
  if (dynamic_cast<const CLI::RequiresError*>(&error) != nullptr) return Fault::missing_need;
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) return Fault::exclusion;
  return Fault::other;
}

// Refuses an empty name of a file or folder.
void require_name(const CommandOption& option, const std::string& value) {
  const ValueKind kind = value_kind(option);
  if (!value.empty() || (kind != ValueKind::file && kind != ValueKind::image && kind != ValueKind::folder)) return;
  const std::string what = kind == ValueKind::folder ? "folder" : "file";
  throw Error(ErrorCode::invalid_option, InvalidOption{option.name(), "\"\"", "must be the name of a " + what});
}

// CLI11's counterpart of a tree of commands.
class Parser {
 public:
  explicit Parser(Command& program) : app_("", program.name()) { build(app_, program); }

  void parse(std::span<const std::string> words) {
    try {
      app_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (...) {
      read_back();
      throw;
    }
    read_back();
  }

 private:
  void build(CLI::App& app, Command& command) {
    commands_.emplace(&app, &command);
    app.allow_windows_style_options(false);  // "/a" is a path there too
    app.set_help_flag();                     // here, so that the commands below do not inherit it
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    for (const auto& child : command.commands()) build(*app.add_subcommand(child->name()), *child);
    if (!command.commands().empty()) app.require_subcommand(0, 1);

    std::map<const CommandOption*, CLI::Option*> added;
    for (const auto& option : command.options()) added[option.get()] = add(app, *option);
    for (const auto& option : command.options()) {
      for (const CommandOption* other : option->needs()) added.at(option.get())->needs(added.at(other));
      for (const CommandOption* other : option->excludes()) added.at(option.get())->excludes(added.at(other));
    }
    if (command.parse_complete_callback())
      app.parse_complete_callback(after_reading(command.parse_complete_callback()));
    if (command.callback()) app.callback(after_reading(command.callback()));
  }

  CLI::Option* add(CLI::App& app, CommandOption& option) {
    const std::string names =
        option.is_argument() ? option.argument() : fmt::format("{}", fmt::join(option.flags(), ","));
    CLI::Option* const added = option.is_flag() ? add_flag(app, names, option) : add_values(app, names, option);
    options_.push_back({added, &option});
    return added;
  }

  CLI::Option* add_flag(CLI::App& app, const std::string& names, const CommandOption& option) {
    if (option.requests() == Request::manual) return app.set_help_flag(names);
    if (option.requests() == Request::version) return app.set_version_flag(names);
    return app.add_flag_callback(names, [this, &option] { take(option, {}); });
  }

  CLI::Option* add_values(CLI::App& app, const std::string& names, const CommandOption& option) {
    CLI::Option* const added = app.add_option(names, [this, &option](const CLI::results_t& results) {
      take(option, results);
      return true;
    });
    added->required(option.is_required())->type_name(option.type_name());
    added->check([&option](const std::string& value) {
      require_name(option, value);
      return std::string();
    });
    if (!option.takes_several()) return added;
    added->expected(CLI::detail::expected_max_vector_size);
    if (!option.is_argument()) added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
    if (option.most_values() == CommandOption::unlimited) return added;
    return added->expected(0, static_cast<int>(option.most_values()))
        ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }

  // Passes values on. An option may take away that another one is required.
  void take(const CommandOption& option, const CLI::results_t& results) {
    option.take(results);
    for (const auto& [parsed, known] : options_) parsed->required(known->is_required());
  }

  std::function<void()> after_reading(const std::function<void()>& act) {
    return [this, &act] {
      read_back();
      act();
    };
  }

  // Tells the tree what the command line gives.
  void read_back() {
    for (const auto& [parsed, option] : options_) option->set_results(parsed->results());
    for (const auto& [parsed, command] : commands_) {
      const std::vector<CLI::App*> chosen = parsed->get_subcommands();
      command->set_parsed(chosen.empty() ? nullptr : commands_.at(chosen.front()), parsed->remaining());
    }
  }

  CLI::App app_;
  std::map<const CLI::App*, Command*> commands_;
  std::vector<std::pair<CLI::Option*, CommandOption*>> options_;
};

}  // namespace

Request parse(Command& program, std::span<const std::string> words) {
  try {
    Parser(program).parse(words);
  } catch (const CLI::CallForVersion&) {
    return Request::version;
  } catch (const CLI::CallForHelp&) {
    return Request::manual;
  } catch (const CLI::ParseError& error) {
    throw WrongCall(sentence_of(program, fault_of(error), error.what(), words));
  }
  return Request::action;
}

std::vector<std::string> split_words(std::string text) {
  // CLI11 takes the quotes away from '--name="two words"' only where a space stands for the '='.
  std::vector<std::string> words =
      CLI::detail::split_up(CLI::detail::find_and_modify(std::move(text), "=", CLI::detail::escape_detect));
  std::erase(words, "");
  return words;
}

}  // namespace octavo::cli
