#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace octavo::cli {

/// The words that an option accepts if it has a list of choices (type_of_words); otherwise empty.
std::vector<std::string> choices(const CLI::Option& option);

/// The names of an option as a user types them: "-o", "--output". Empty for an argument.
std::vector<std::string> flags_of(const CLI::Option& option);

/// Whether the option takes no value.
bool is_flag(const CLI::Option& option);

/// The name of the option's value in the manual, e.g. "DIR" or "response|scale"; empty for a flag.
std::string value_name(const CLI::Option& option);

/// The first line of a command's description, which lists of commands show.
std::string summary(const CLI::App& command);

/// Formats `--help` as a manual page of at most 80 columns: each option stands on its own line, and its text below.
class Manual : public CLI::Formatter {
 public:
  Manual();
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_usage(const CLI::Option* option) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* command) const override;
};

}  // namespace octavo::cli
