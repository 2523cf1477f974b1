#include "sfm/child_program.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "octavo/error.h"

namespace octavo::sfm {
namespace {

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

TEST(ChildProgram, TellsLinesAndTheEnd) {
  std::vector<std::string> lines;
  const auto keep = [&](std::string_view line) { lines.emplace_back(line); };
  const ChildEnd end =
      run_program(shell("echo one; echo two >&2; printf 'a\\rb'; echo; echo ---; exit 4"), {}, keep, {});
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "a", "b", "---"}));
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_EQ(end.last_line, "b");
  EXPECT_FALSE(end.is_success());
  EXPECT_EQ(run_program(shell("kill -9 $$"), {}, {}, {}).exit_code, 137);
  EXPECT_TRUE(run_program(shell("exit 0"), {}, {}, {}).is_success());
}

TEST(ChildProgram, IsStopped) {
  int asked = 0;
  const ChildEnd end = run_program(shell("exec sleep 60"), {}, {}, [&] { return ++asked > 2; });
  EXPECT_TRUE(end.stopped);
  EXPECT_FALSE(end.is_success());
}

TEST(ChildProgram, IsFound) {
  EXPECT_FALSE(find_program("sh").empty());
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_EQ(find_program("/bin"), "");
  EXPECT_EQ(find_program("octavo-has-no-such-program"), "");
  EXPECT_THROW(run_program({"/octavo/has/no/such/program"}, {}, {}, {}), Error);
}

}  // namespace
}  // namespace octavo::sfm
