// A process that was forked looks for devices anew; one that has looked forks no more.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "engine/device/found_once.h"
#include "engine/device/registry.h"
#include "octavo/error.h"

namespace octavo {
namespace {

TEST(FoundOnce, AChildProcessLooksAnew) {
  FoundOnce<int> found;
  found.get("a", [] { return 1; });
  const pid_t child = fork();
  if (child == 0) _exit(found.get("a", [] { return 2; }));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
  EXPECT_EQ(found.get("a", [] { return 3; }), 1);
}

// What the child processes of this one have done: each has page faults.
long faults_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_minflt;
}

TEST(Registry, AProcessLooksOnceForTheDevicesOfAName) {
  for (const std::string name : {"auto", "cpu", "opencl:0"}) {
    try {
      const std::string found = resolve_device({.name = name}).name();
      const long before = faults_of_children();
      EXPECT_EQ(resolve_device({.name = name}).name(), found);
      EXPECT_EQ(faults_of_children(), before) << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::device_unavailable);
    }
  }
}

}  // namespace
}  // namespace octavo
