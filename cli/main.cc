// The program `octavo`: passes the command line to its command, and turns every error into one line on the error stream
// and an exit code.

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/manual.h"
#include "cli/parse.h"
#include "cli/system.h"
#include "octavo/error.h"

namespace {

using octavo::cli::complain;
using octavo::cli::Request;

bool is_wrong_call(octavo::ErrorCode code) {
  return code == octavo::ErrorCode::invalid_option || code == octavo::ErrorCode::device_unavailable;
}

struct CommandToAdd {
  std::string_view name;
  void (*add)(octavo::cli::Command& program, int& exit_code);
};

constexpr std::array commands{
    CommandToAdd{"extract", octavo::cli::add_extract}, CommandToAdd{"describe", octavo::cli::add_describe},
    CommandToAdd{"match", octavo::cli::add_match},     CommandToAdd{"pairs", octavo::cli::add_pairs},
    CommandToAdd{"align", octavo::cli::add_align},     CommandToAdd{"colmap", octavo::cli::add_colmap},
    CommandToAdd{"sfm", octavo::cli::add_sfm},         CommandToAdd{"export", octavo::cli::add_export},
    CommandToAdd{"mosaic", octavo::cli::add_mosaic},   CommandToAdd{"evaluate", octavo::cli::add_evaluate},
    CommandToAdd{"filter", octavo::cli::add_filter},   CommandToAdd{"inspect", octavo::cli::add_inspect},
    CommandToAdd{"video", octavo::cli::add_video},     CommandToAdd{"merge", octavo::cli::add_merge},
    CommandToAdd{"devices", octavo::cli::add_devices}, CommandToAdd{"selftest", octavo::cli::add_selftest},
    CommandToAdd{"bench", octavo::cli::add_bench},
};

// All commands have more than a thousand options, which take a third of the time of a short call to set up. So a call
// of one command has that one alone; what tells of all commands has all.
void add_commands(octavo::cli::Command& program, std::span<const std::string> words, int& exit_code) {
  for (const CommandToAdd& command : commands) {
    if (!words.empty() && command.name == words.front()) command.add(program, exit_code);
  }
  if (!program.commands().empty()) return;
  for (const CommandToAdd& command : commands) command.add(program, exit_code);
  octavo::cli::add_completion(program);
  octavo::cli::add_help(program);
}

int run(int argc, char** argv) {
  int exit_code = octavo::cli::exit_done;
  octavo::cli::Command program("octavo", octavo::cli::parse_manual(octavo::octavo_txt));
  program.add_flag("--version", [] {}).requests(Request::version);
  octavo::cli::add_help_flag(program);

  const std::vector<std::string> words = octavo::cli::arguments(argc, argv);
  add_commands(program, words, exit_code);
  octavo::cli::require_command_below(program, "command");

  try {
    switch (octavo::cli::parse(program, words)) {
      case Request::version:
        fmt::print("octavo {}\n", OCTAVO_VERSION);
        break;
      case Request::manual:
        fmt::print("{}", octavo::cli::manual_of(program.innermost()));
        break;
      case Request::action:
        break;
    }
  } catch (const octavo::cli::WrongCall& error) {
    complain(error.what());
    return octavo::cli::exit_wrong_call;
  } catch (const octavo::Error& error) {
    const bool wrong_call = is_wrong_call(error.code());
    complain(octavo::cli::sentence_of(program.innermost(), error));
    return wrong_call ? octavo::cli::exit_wrong_call : octavo::cli::exit_failed;
  }

  if (std::fflush(stdout) != 0) {
    complain(octavo::cli::complaint_of_output(errno));
    return octavo::cli::exit_failed;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  octavo::cli::prepare_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::system_error& error) {  // that of fmt does not name the stream
    const bool is_of_output = std::ferror(stdout) != 0;
    complain(is_of_output ? octavo::cli::complaint_of_output(error.code().value()) : error.what());
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return octavo::cli::exit_failed;
}
