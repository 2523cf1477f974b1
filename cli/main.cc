// The program `octavo`: passes the command line to its command, and turns every error into one line on the error stream
// and an exit code.

#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

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

int run(int argc, char** argv) {
  int exit_code = octavo::cli::exit_done;
  octavo::cli::Command program("octavo", octavo::cli::parse_manual(octavo::octavo_txt));
  program.add_flag("--version", [] {}).requests(Request::version);
  octavo::cli::add_help_flag(program);

  octavo::cli::add_extract(program, exit_code);
  octavo::cli::add_describe(program, exit_code);
  octavo::cli::add_match(program, exit_code);
  octavo::cli::add_pairs(program, exit_code);
  octavo::cli::add_align(program, exit_code);
  octavo::cli::add_colmap(program, exit_code);
  octavo::cli::add_sfm(program, exit_code);
  octavo::cli::add_export(program, exit_code);
  octavo::cli::add_mosaic(program, exit_code);
  octavo::cli::add_evaluate(program, exit_code);
  octavo::cli::add_filter(program, exit_code);
  octavo::cli::add_inspect(program, exit_code);
  octavo::cli::add_video(program, exit_code);
  octavo::cli::add_merge(program, exit_code);
  octavo::cli::add_devices(program);
  octavo::cli::add_selftest(program, exit_code);
  octavo::cli::add_bench(program, exit_code);
  octavo::cli::add_completion(program);
  octavo::cli::add_help(program);

  octavo::cli::require_command_below(program, "command");

  try {
    switch (octavo::cli::parse(program, octavo::cli::arguments(argc, argv))) {
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
