#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace octavo::cli {

/// The words an option accepts where it accepts only certain ones (CLI::IsMember); empty otherwise.
std::vector<std::string> choices(const CLI::Option& option);

/// Whether the option takes no value.
bool is_flag(const CLI::Option& option);

/// What the manual calls the option's value, e.g. "DIR" or "response|scale"; empty for a flag.
std::string value_name(const CLI::Option& option);

/// The first line of a command's description: what lists of commands show.
std::string summary(const CLI::App& command);

/// Lays `--help` out as a manual page of at most 80 columns: every option on a line of its own, its text below.
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
