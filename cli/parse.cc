// CLI11 parses the command line. No other file includes it: it takes a second to compile, and more where its code of
// manuals and configuration files is generated.

#include "cli/parse.h"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <utility>

#include "cli/complaint.h"
#include "cli/completion.h"
#include "cli/parse_fault.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

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
    app.allow_extras();                      // which require_sense refuses
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    for (const auto& child : command.commands()) build(*app.add_subcommand(child->name()), *child);
    if (!command.commands().empty()) app.require_subcommand(0, 1);

    for (const auto& option : command.options()) options_.emplace_back(add(app, *option), option.get());
  }

  CLI::Option* add(CLI::App& app, CommandOption& option) {
    const std::string names = option.is_argument() ? option.argument : fmt::format("{}", fmt::join(option.flags, ","));
    return option.is_flag() ? add_flag(app, names, option) : add_values(app, names, option);
  }

  CLI::Option* add_flag(CLI::App& app, const std::string& names, const CommandOption& option) {
    if (option.requests == Request::manual) return app.set_help_flag(names);
    if (option.requests == Request::version) return app.set_version_flag(names);
    return app.add_flag_callback(names, [&option] { option.take({}); });
  }

  CLI::Option* add_values(CLI::App& app, const std::string& names, const CommandOption& option) {
    CLI::Option* const added = app.add_option(names, [&option](const CLI::results_t& results) {
      option.take(results);
      return true;
    });
    added->type_name(option.type_name);
    added->check([&option](const std::string& value) {
      require_name(option, value);
      return std::string();
    });
    if (!option.takes_several()) return added;
    added->expected(CLI::detail::expected_max_vector_size);
    if (!option.is_argument()) added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
    if (option.most_values == CommandOption::unlimited) return added;
    return added->expected(0, static_cast<int>(option.most_values))->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }

  // Tells the tree what the command line gives.
  void read_back() {
    for (const auto& [parsed, option] : options_) option->results = parsed->results();
    for (const auto& [parsed, command] : commands_) {
      const std::vector<CLI::App*> chosen = parsed->get_subcommands();
      std::vector<std::string> unused = parsed->remaining();
      std::erase(unused, "--");
      command->set_parsed(chosen.empty() ? nullptr : commands_.at(chosen.front()), std::move(unused));
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
  } catch (const CLI::ArgumentMismatch& error) {
    throw WrongCall(about_number_of_values(program.innermost(), error.what()));
  } catch (const CLI::ConversionError& error) {  // of a flag, since others take every text
    throw WrongCall(about_number_of_values(program.innermost(), error.what()));
  } catch (const CLI::ParseError& error) {
    throw WrongCall(error.what());
  }
  require_sense(program, words);
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
