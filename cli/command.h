#pragma once

// The commands of the program, one file each. Every `add_…` adds its command, with options, manual and action, to the
// program. The action runs when the command line names the command. It sets `exit_code` if the exit code is not 0, and
// throws octavo::Error or CLI::ParseError if it cannot continue.

#include <CLI/App.hpp>
#include <string>

namespace octavo::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_wrong_call = 2;

/// Adds a command below `parent`. The first line of `description` is its summary. `footer` ends its manual.
CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::string& footer);

void add_extract(CLI::App& program, int& exit_code);
void add_describe(CLI::App& program, int& exit_code);
void add_match(CLI::App& program, int& exit_code);
void add_pairs(CLI::App& program, int& exit_code);
void add_align(CLI::App& program, int& exit_code);
void add_colmap(CLI::App& program, int& exit_code);
void add_sfm(CLI::App& program, int& exit_code);
void add_mosaic(CLI::App& program, int& exit_code);
void add_merge(CLI::App& program, int& exit_code);
void add_evaluate(CLI::App& program, int& exit_code);
void add_filter(CLI::App& program, int& exit_code);
void add_inspect(CLI::App& program, int& exit_code);
void add_video(CLI::App& program, int& exit_code);
void add_devices(CLI::App& program);
void add_selftest(CLI::App& program, int& exit_code);
void add_bench(CLI::App& program, int& exit_code);
void add_completion(CLI::App& program);

}  // namespace octavo::cli
