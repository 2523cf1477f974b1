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

struct CommandToAdd {
  std::string_view name, manual;
  void (*define)(Command& command);
};

// All commands have more than a thousand options, which take a third of the time of a short call to set up. So a call
// of one command has that one alone; what tells of all commands has all.
void add_commands(Command& program, std::span<const std::string> words) {
  const std::array commands{
      CommandToAdd{"extract", extract_txt, define_extract},
      CommandToAdd{"describe", describe_txt, define_describe},
      CommandToAdd{"match", match_txt, define_match},
      CommandToAdd{"pairs", pairs_txt, define_pairs},
      CommandToAdd{"align", align_txt, define_align},
      CommandToAdd{"colmap", colmap_txt, define_colmap},
      CommandToAdd{"sfm", sfm_txt, define_sfm},
      CommandToAdd{"export", export_txt, define_export},
      CommandToAdd{"mosaic", mosaic_txt, define_mosaic},
      CommandToAdd{"evaluate", evaluate_txt, define_evaluate},
      CommandToAdd{"filter", filter_txt, define_filter},
      CommandToAdd{"inspect", inspect_txt, define_inspect},
      CommandToAdd{"video", video_txt, define_video},
      CommandToAdd{"merge", merge_txt, define_merge},
      CommandToAdd{"devices", devices_txt, define_devices},
      CommandToAdd{"selftest", selftest_txt, define_selftest},
      CommandToAdd{"bench", bench_txt, define_bench},
      CommandToAdd{"completion", completion_txt, define_completion},
      CommandToAdd{"help", help_txt, define_help},
  };
  const auto add = [&](const auto& is_wanted) {
    for (const CommandToAdd& command : commands) {
      if (is_wanted(command)) program.add_command(std::string(command.name), command.manual, command.define);
    }
  };
  add([&](const CommandToAdd& command) {
    const bool tells_of_all = command.define == define_completion || command.define == define_help;
    return !words.empty() && command.name == words.front() && !tells_of_all;
  });
  if (program.commands().empty()) add([](const CommandToAdd&) { return true; });
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
  require_command_below(program, "command");

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
