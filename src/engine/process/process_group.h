// A process group that ends with this process.

#pragma once

#include <sys/types.h>

#include "engine/core/internal_api.h"
#include "engine/process/child_process.h"
#include "engine/process/descriptor.h"

namespace OCTAVO_INTERNAL_API octavo {

/// A group for programs (ProgramStart::group), which holds those that they start as well, such as the mapper in a
/// wrapper script. Its first member is a fork of this process that waits: if this process dies, by whatever, it kills
/// the group. As long as the object lives, no other group gets the number.
class ProcessGroup {
 public:
  /// Throws std::system_error.
  ProcessGroup();

  [[nodiscard]] pid_t number() const { return guard_.number(); }
  /// Sends a signal that is not SIGKILL to all its programs.
  void ask(int signal) const;
  /// Kills all its programs. It takes no others then.
  void kill();

 private:
  DescriptorPair life_;  // the guard has the first end; the second one closes when this process dies
  ChildProcess guard_;
};

}  // namespace octavo
