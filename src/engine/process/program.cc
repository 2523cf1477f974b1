#include "engine/process/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include "engine/process/descriptor.h"

extern "C" char** environ;

namespace octavo {
namespace {

// The actions and attributes of posix_spawn, and their ends.
struct SpawnPlan {
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

// A copy above the numbers that are replaced. Throws std::system_error.
Descriptor copy_above(int descriptor) {
  Descriptor copy(fcntl(descriptor, F_DUPFD_CLOEXEC, program_file + 1));
  if (copy.number() < 0) throw std::system_error(errno, std::generic_category());
  return copy;
}

// The variables of this process, with those of the program in place of their namesakes.
std::vector<std::string> environment(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  const auto name = [](std::string_view variable) { return variable.substr(0, variable.find('=')); };
  for (char** at = environ; *at != nullptr; ++at) {
    const auto is_namesake = [&](const std::string& other) { return name(other) == name(*at); };
    if (std::none_of(variables.begin(), variables.end(), is_namesake)) all.emplace_back(*at);
  }
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

void set_signals_and_group(posix_spawnattr_t& attributes, pid_t group) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setpgroup(&attributes, group);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

}  // namespace

ChildProcess start_program(const ProgramStart& start) {
  SpawnPlan plan;
  set_signals_and_group(plan.attributes, start.group);
  std::vector<Descriptor> copies;
  int number = STDIN_FILENO;
  for (const int descriptor : {start.input, start.output, start.errors, start.file}) {
    if (descriptor >= 0) {
      copies.push_back(copy_above(descriptor));
      posix_spawn_file_actions_adddup2(&plan.actions, copies.back().number(), number);
    } else if (number < program_file) {
      posix_spawn_file_actions_addopen(&plan.actions, number, "/dev/null", O_RDWR, 0);
    }
    ++number;
  }
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&plan.actions, start.file >= 0 ? program_file + 1 : program_file);
#endif
  const std::vector<std::string> variables = environment(start.variables);
  pid_t process = -1;
  const int error = posix_spawn(&process, start.words.at(0).c_str(), &plan.actions, &plan.attributes,
                                pointers(start.words).data(), pointers(variables).data());
  if (error != 0) throw std::system_error(error, std::generic_category());
  return ChildProcess(process);
}

bool is_program(const std::string& file) {
  return access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file);
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const char* const path = std::getenv("PATH");
  std::istringstream places(path != nullptr ? path : "");
  for (std::string place; std::getline(places, place, ':');) {
    const std::string file = std::filesystem::path(place) / name;
    if (!place.empty() && is_program(file)) return file;
  }
  return {};
}

}  // namespace octavo
