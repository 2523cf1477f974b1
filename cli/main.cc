// The program `octavo`: passes the command line to its command, and turns every error into one line on the error stream
// and an exit code.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/parse.h"
#include "cli/system.h"
#include "octavo/error.h"

namespace octavo::cli {
namespace {

bool is_wrong_call(ErrorCode code) {
  return code == ErrorCode::invalid_option || code == ErrorCode::device_unavailable;
}

// All commands have more than a thousand options, which take a third of the time of a short call to set up. So a call
// of one command has that one alone; what tells of all commands has all.
void add_commands(Command& program, std::span<const std::string> words) {
  constexpr std::array commands{extract_command, describe_command,   match_command,   pairs_command,
                                align_command,   colmap_command,     sfm_command,     export_command,
                                mosaic_command,  evaluate_command,   filter_command,  inspect_command,
                                video_command,   merge_command,      devices_command, selftest_command,
                                bench_command,   completion_command, help_command};
  const std::string_view name = words.empty() ? std::string_view() : words.front();
  const auto one = std::ranges::find(commands, name, &NewCommand::name);
  const bool tells_of_one = one != commands.end() && one->define != define_completion && one->define != define_help;
  if (tells_of_one) program.add_command(*one);
  if (!program.commands().empty()) return;
  for (const NewCommand& command : commands) program.add_command(command);
}

// Answers `octavo completion --line WORD...`, whose words are another call's, so nothing parses them.
int complete(Command& program, std::span<const std::string> line) {
  add_commands(program, line.first(line.empty() ? 0 : line.size() - 1));
  print_whole(completions_of(program, line));
  return exit_done;
}

int run(int argc, char** argv) {
  Command program("octavo", parse_manual(octavo_txt));
  program.add_flag("--version", [] {}).requests = Request::version;
  program.add_flag("-h,--help", [] {}).requests = Request::manual;

  const std::vector<std::string> words = arguments(argc, argv);
  if (words.size() > 1 && words[0] == "completion" && words[1] == "--line") {
    return complete(program, std::span(words).subspan(2));
  }
  add_commands(program, words);
  program.add_commands("command", {});

  int exit_code = exit_done;
  try {
    switch (parse(program, words)) {
      case Request::version:
        fmt::print("octavo {}\n", OCTAVO_VERSION);
        break;
      case Request::manual:
        fmt::print("{}", manual_of(program.innermost()));
        break;
      case Request::action:
        exit_code = program.innermost().action();
        break;
    }
  } catch (const WrongCall& error) {
    complain(error.what());
    return exit_wrong_call;
  } catch (const Error& error) {
    const bool wrong_call = is_wrong_call(error.code());
    complain(sentence_of(program.innermost(), error));
    return wrong_call ? exit_wrong_call : exit_failed;
  }

  if (std::fflush(stdout) != 0) {
    complain(complaint_of_output(errno));
    return exit_failed;
  }
  return exit_code;
}

}  // namespace
}  // namespace octavo::cli

int main(int argc, char** argv) {
  using namespace octavo::cli;
  prepare_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::system_error& error) {  // that of fmt does not name the stream
    const bool is_of_output = std::ferror(stdout) != 0;
    complain(is_of_output ? complaint_of_output(error.code().value()) : error.what());
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return exit_failed;
}
