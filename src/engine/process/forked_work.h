// Code that may end or stop its process runs in a child process, which is forked from this one: the search for devices
// by a driver of other people, and a first attempt at a file by a library that crashes where a file is damaged. A
// driver that runs out of memory may abort, one in a bad state may crash or wait for ever, and the constructors of its
// libraries run as soon as it is opened.
//
// The alternatives were weaker. A helper program would be a file that every program with this library has to install
// and find. A look at the registry of drivers (/etc/OpenCL/vendors) or at /dev does not tell what devices a driver has.
// The child needs care, because other threads of the caller are not in it, and a lock that one of them holds stays
// locked. The GNU C library makes its own locks usable in a child (malloc, the loader, streams). If the child still
// stops at a lock, the time limit ends it, and the driver counts as unavailable, or the file as damaged. The first
// costs a device but no result: all devices give the same bytes. The caller sees a child for that time: SIGCHLD
// arrives, and wait() without a process number may take its status, which is not needed.
//
// Windows cannot fork. There the work has no child, and who asks for it does it in this process or does without.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "engine/core/internal_api.h"

namespace OCTAVO_INTERNAL_API octavo {

/// Whether this system can fork.
bool processes_fork();

/// What became of the work in the child.
struct ChildAnswer {
  std::string bytes;       ///< what the work returned; empty if there is a problem
  std::string problem;     ///< why there is no answer, e.g. "it ended by a signal: Aborted"; empty if there is one
  bool has_begun = false;  ///< whether there was a child at all
};

/// A child process that is forked when it is made, and works when it is asked. So this process can open a driver in
/// between, and need not have opened it to know whether there is something to ask. The child's standard streams are
/// closed, it runs no handler of the caller, writes no core file, and ends with this process and with its object.
class WaitingChild {
 public:
  /// Throws nothing: if no child can be started, `ask` says why.
  explicit WaitingChild(const std::function<std::string(const std::string& question)>& work);
  ~WaitingChild();

  [[nodiscard]] bool is_there() const;

  /// Runs the work in the child and waits for its answer, at most for `limit`. Once only. Throws nothing.
  ChildAnswer ask(const std::string& question, std::chrono::milliseconds limit);

 private:
  struct Child;
  std::unique_ptr<Child> child_;  // null: none
  std::string problem_;           // why there is none
};

/// Runs `work` in a WaitingChild and waits for its answer, at most for `limit`. Throws nothing.
inline ChildAnswer answer_of_child(const std::function<std::string()>& work, std::chrono::milliseconds limit) {
  return WaitingChild([&work](const std::string&) { return work(); }).ask({}, limit);
}

}  // namespace octavo
