// Programs get what they are started with and nothing else, and end with their object or their group.

#include "engine/process/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "engine/process/descriptor.h"
#include "engine/process/process_group.h"

namespace octavo {
namespace {

constexpr std::chrono::seconds most_patience{30};

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

std::string all_of(const Descriptor& output) {
  std::string text;
  std::array<char, 100> part{};
  while (const auto count = read_within(output.number(), std::as_writable_bytes(std::span(part)), most_patience)) {
    if (*count == 0) break;
    text.append(part.data(), *count);
  }
  return text;
}

std::string told_by(ProgramStart start) {
  DescriptorPair pipe = make_pipe();
  start.output = pipe.second.number();
  ChildProcess program = start_program(start);
  pipe.second.close();
  return all_of(pipe.first);
}

TEST(Program, GetsItsStreamsAndItsFileAlone) {
  const Descriptor open_here(open("/dev/null", O_RDONLY));  // without O_CLOEXEC
  DescriptorPair input = make_pipe(), file = make_pipe();
  ASSERT_EQ(write(input.second.number(), "question", 8), 8);
  input.second.close();
  const std::string script = "cat; echo answer >&3; exec ls /proc/self/fd";
  const std::string told =
      told_by({.words = shell(script), .input = input.first.number(), .file = file.second.number()});
  file.second.close();
  EXPECT_EQ(told, "question0\n1\n2\n3\n4\n") << "the last is the folder that ls reads";
  EXPECT_EQ(all_of(file.first), "answer\n");
  EXPECT_EQ(told_by({.words = shell("cat; exec ls /proc/self/fd")}), "0\n1\n2\n3\n");
}

TEST(Program, MayGetTheStreamsOfThisProcess) {
  DescriptorPair pipe = make_pipe();
  const Descriptor output(dup(STDOUT_FILENO));
  dup2(pipe.second.number(), STDOUT_FILENO);
  // Its descriptor 3 is what stands under 1 here, and its 1 what stands under 2 or above.
  start_program({.words = shell("echo x >&3"), .output = STDERR_FILENO, .file = STDOUT_FILENO}).wait();
  dup2(output.number(), STDOUT_FILENO);
  pipe.second.close();
  EXPECT_EQ(all_of(pipe.first), "x\n");
}

TEST(Program, GetsVariablesInPlaceOfThoseOfThisProcess) {
  setenv("OCTAVO_TEST_A", "old", 1);
  setenv("OCTAVO_TEST_AB", "kept", 1);
  EXPECT_EQ(told_by({.words = shell("env | grep ^OCTAVO_TEST | sort"), .variables = {"OCTAVO_TEST_A=new"}}),
            "OCTAVO_TEST_A=new\nOCTAVO_TEST_AB=kept\n");
}

TEST(Program, HasNoSignalBlockedOrIgnored) {
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  EXPECT_EQ(start_program({.words = shell("kill -USR1 $$; true")}).wait().signal, SIGUSR1);
  std::signal(SIGUSR1, before);
}

TEST(Program, EndsAreTold) {
  EXPECT_EQ(start_program({.words = shell("exit 4")}).wait().code, 4);
  ChildProcess sleeping = start_program({.words = shell("exec sleep 60")});
  EXPECT_FALSE(sleeping.wait(std::chrono::milliseconds(10)));
  sleeping.kill();
  EXPECT_FALSE(sleeping.is_there());
  EXPECT_TRUE(sleeping.wait(std::chrono::milliseconds(10))) << "there is none to wait for";
}

TEST(Program, CannotBeStarted) {
  EXPECT_THROW(start_program({.words = {"/octavo/has/no/such/program"}}), std::system_error);
  EXPECT_THROW(start_program({.words = {"/bin/sh"}, .input = 9999}), std::system_error);
}

TEST(Program, IsFound) {
  EXPECT_FALSE(find_program("sh").empty());
  EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
  EXPECT_EQ(find_program("/bin"), "");
  EXPECT_EQ(find_program("octavo-has-no-such-program"), "");
}

TEST(ReadWithin, TellsNothingAndTheEnd) {
  DescriptorPair pipe = make_pipe();
  std::array<std::byte, 4> bytes{};
  EXPECT_FALSE(read_within(pipe.first.number(), bytes, std::chrono::milliseconds(1)));
  ASSERT_EQ(write(pipe.second.number(), "abc", 3), 3);
  EXPECT_EQ(read_within(pipe.first.number(), bytes, most_patience), 3u);
  pipe.second.close();
  EXPECT_EQ(read_within(pipe.first.number(), bytes, most_patience), 0u);
}

TEST(ProcessGroup, HoldsWhatItsProgramsStart) {
  ProcessGroup group;
  DescriptorPair pipe = make_pipe();
  ChildProcess program = start_program({.words = shell("trap 'echo asked' TERM; sleep 60 & echo begun; wait; sleep 60"),
                                        .output = pipe.second.number(),
                                        .group = group.number()});
  pipe.second.close();
  std::array<char, 6> begun{};
  EXPECT_EQ(read_within(pipe.first.number(), std::as_writable_bytes(std::span(begun)), most_patience), 6u);
  group.ask(SIGTERM);  // it and its first sleep; the group goes on
  std::array<char, 6> asked{};
  EXPECT_EQ(read_within(pipe.first.number(), std::as_writable_bytes(std::span(asked)), most_patience), 6u);
  EXPECT_FALSE(program.wait(std::chrono::milliseconds(10)));
  group.kill();
  EXPECT_EQ(program.wait().signal, SIGKILL);
  EXPECT_EQ(all_of(pipe.first), "") << "all that hold the pipe are gone";
}

}  // namespace
}  // namespace octavo
