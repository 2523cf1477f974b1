#pragma once

// Wrong calls, as sentences. CLI11 finds most of them while it parses the command line; its own words are not shown.

#include <CLI/App.hpp>
#include <span>
#include <string>
#include <string_view>

namespace octavo::cli {

/// The innermost command that the parsed command line names; the program itself if it names none.
const CLI::App& innermost(const CLI::App& program);

/// "octavo bench match" for the command; empty for an App without a name.
std::string full_name(const CLI::App& command);

/// The error of parsing as one sentence. `words` are those of the command line in their order.
std::string sentence_of(const CLI::App& program, const CLI::ParseError& error, std::span<const std::string> words);

/// Makes an empty name of a file or folder a wrong call, for every option and argument of the program.
void refuse_empty_names(CLI::App& program);

}  // namespace octavo::cli
