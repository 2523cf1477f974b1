#include "multiview/sfm/child_program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"

namespace octavo::sfm {
namespace {

std::vector<std::string> shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

TEST(ChildProgram, TellsLinesAndTheEnd) {
  std::vector<std::string> lines;
  const auto keep = [&](std::string_view line) { lines.emplace_back(line); };
  const ProgramEnd end =
      run_program(shell("echo one; echo two >&2; printf 'a\\rb'; echo; echo ---; exit 4"), {}, keep, {});
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "a", "b", "---"}));
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_EQ(end.last_line, "b");
  EXPECT_FALSE(end.is_success());
  EXPECT_EQ(run_program(shell("kill -9 $$"), {}, {}, {}).exit_code, 137);
  EXPECT_TRUE(run_program(shell("exit 0"), {}, {}, {}).is_success());
}

TEST(ChildProgram, IsStopped) {
  std::stop_source stop;
  const ProgramEnd end = run_program(
      shell("echo begun; exec sleep 60"), {}, [&](std::string_view) { stop.request_stop(); }, stop.get_token());
  EXPECT_TRUE(end.stopped);
  EXPECT_FALSE(end.is_success());
}

// A process that has ended may wait for its parent to ask.
bool is_alive(const std::string& process) {
  std::ifstream facts("/proc/" + process + "/stat");
  std::string number, name, state;
  return facts >> number >> name >> state && state != "Z" && state != "X";
}

// The shell waits for the program, which holds the output.
TEST(ChildProgram, IsStoppedWithWhatItHasStarted) {
  std::string process;
  std::stop_source stop;
  const auto take = [&](std::string_view line) {
    process = line;
    stop.request_stop();
  };
  const ProgramEnd end = run_program(shell("sleep 60 & echo $!; wait; true"), {}, take, stop.get_token());
  EXPECT_TRUE(end.stopped);
  for (int i = 0; i < 500 && is_alive(process); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(is_alive(process));
}

// Another process runs a program that has started another one, and is killed.
TEST(ChildProgram, EndsWithItsParentWhateverKillsIt) {
  const TestFolder folder;
  const std::filesystem::path told = folder / "told";
  for (int round = 0; round < 5; ++round) {
    const pid_t parent = fork();
    if (parent == 0) {
      run_program(shell("sleep 60 & echo $! $$ > " + told.string() + ".new; mv " + told.string() + ".new " +
                        told.string() + "; exec sleep 60"),
                  {}, {}, {});
      _exit(0);
    }
    std::string started, program;
    while (program.empty()) {
      std::ifstream(told) >> started >> program;
      std::this_thread::sleep_for(std::chrono::milliseconds(round));
    }
    std::filesystem::remove(told);
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    for (const std::string& process : {program, started}) {
      for (int i = 0; i < 500 && is_alive(process); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      EXPECT_FALSE(is_alive(process));
    }
  }
}

TEST(ChildProgram, IsLeftIfItsOutputIsHeld) {
  const auto begin = std::chrono::steady_clock::now();
  std::stop_source stop;
  const ProgramEnd end = run_program(
      shell("setsid sh -c 'echo begun; exec sleep 20' & wait"), {}, [&](std::string_view) { stop.request_stop(); },
      stop.get_token());
  EXPECT_TRUE(end.stopped);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

TEST(ChildProgram, CannotBeStarted) { EXPECT_THROW(run_program({"/octavo/has/no/such/program"}, {}, {}, {}), Error); }

}  // namespace
}  // namespace octavo::sfm
