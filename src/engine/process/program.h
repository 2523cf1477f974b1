// Programs that run as children.

#pragma once

#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "engine/process/child_process.h"

namespace OCTAVO_INTERNAL_API octavo {

/// The number of the descriptor that a program may have beside its standard streams.
inline constexpr int program_file = 3;

/// What a program is started with.
struct ProgramStart {
  std::vector<std::string> words;            ///< its path, and its arguments
  std::vector<std::string> variables{};      ///< "NAME=VALUE" in place of those of this process
  int input = -1, output = -1, errors = -1;  ///< its standard streams: descriptors; negative: /dev/null
  int file = -1;                             ///< its descriptor program_file; negative: none
  pid_t group = 0;                           ///< the process group that it joins; 0: one of its own
};

/// Starts a program. It has no other open files, and no signal of this process stays blocked or ignored. Its group is
/// not that of this process: Ctrl-C in the terminal does not reach it. Throws std::system_error.
ChildProcess start_program(const ProgramStart& start);

/// The path of a program: of a name with a slash itself, else in the folders of PATH. Empty if there is none.
std::string find_program(const std::string& name);

/// Whether the file is there and can be started.
bool is_program(const std::string& file);

}  // namespace octavo
