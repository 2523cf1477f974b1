// A child process answers, or the reason why it does not is told; whatever it does, this process goes on.

#include "engine/process/forked_work.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace octavo {
namespace {

constexpr std::chrono::seconds long_enough{30};

ChildAnswer answer(const std::function<std::string()>& work) { return answer_of_child(work, long_enough); }

TEST(ChildProcess, Answers) {
  EXPECT_EQ(answer([] { return std::string("seven"); }).bytes, "seven");
  EXPECT_EQ(answer([] { return std::string("seven"); }).problem, "");
  EXPECT_EQ(answer([] { return std::string(); }).problem, "");
  const std::string much(1 << 20, 'x');  // more than a pipe holds
  EXPECT_EQ(answer([&] { return much; }).bytes, much);
}

TEST(ChildProcess, MayEndInAnyWay) {
  EXPECT_EQ(answer([]() -> std::string { std::abort(); }).problem, "it ended by a signal: Aborted");
  EXPECT_EQ(answer([]() -> std::string { std::terminate(); }).problem, "it ended by a signal: Aborted");
  EXPECT_NE(answer([] { return std::raise(SIGSEGV), std::string(); }).problem.find("Segmentation"), std::string::npos);
  EXPECT_EQ(answer([] { return std::raise(SIGKILL), std::string(); }).problem, "it ended by a signal: Killed");
  EXPECT_EQ(answer([]() -> std::string { _exit(3); }).problem, "it ended without an answer");
  EXPECT_EQ(answer([]() -> std::string { throw std::bad_alloc(); }).problem, "it ended without an answer");
  EXPECT_EQ(answer([]() -> std::string { throw 7; }).problem, "it ended without an answer");
}

TEST(ChildProcess, IsEndedAtTheTimeLimit) {
  const auto sleep = [] { return pause(), std::string(); };
  EXPECT_EQ(answer_of_child(sleep, std::chrono::seconds(1)).problem, "it did not answer within 1 s");
}

TEST(WaitingChild, WorksWhenItIsAsked) {
  int number = 7;
  WaitingChild child([&](const std::string& question) { return question + std::to_string(number); });
  ASSERT_TRUE(child.is_there());
  number = 8;  // the child is a copy from before
  const std::string much(1 << 20, 'x');
  EXPECT_EQ(child.ask(much, long_enough).bytes, much + "7");
  EXPECT_FALSE(child.is_there());
  EXPECT_EQ(child.ask("", long_enough).problem, "it has been asked before");
  WaitingChild aborting([](const std::string&) -> std::string { std::abort(); });
  EXPECT_EQ(aborting.ask("", long_enough).problem, "it ended by a signal: Aborted");
}

TEST(WaitingChild, EndsWithItsObject) {
  {
    const WaitingChild child([](const std::string& question) { return question; });
  }
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // this process has no child
}

TEST(WaitingChild, MayHaveChildren) {
  WaitingChild child([](const std::string& question) {
    std::string problems;
    for (const char signal : question) {
      problems += answer_of_child([signal] { return std::raise(signal), std::string(); }, long_enough).problem + "\n";
    }
    return problems;
  });
  EXPECT_EQ(child.ask({SIGABRT, SIGKILL}, long_enough).bytes,
            "it ended by a signal: Aborted\nit ended by a signal: Killed\n");
}

TEST(ChildProcess, RunsNoHandlerOfThisProcess) {
  static std::array<int, 2> reports{};
  ASSERT_EQ(pipe2(reports.data(), O_NONBLOCK), 0);
  const auto before = std::signal(SIGABRT, [](int) { [[maybe_unused]] const ssize_t n = write(reports[1], "x", 1); });
  testing::internal::CaptureStderr();
  EXPECT_EQ(answer([]() -> std::string {
              std::fputs("terminate called\n", stderr);
              std::fflush(stderr);
              std::abort();
            }).problem,
            "it ended by a signal: Aborted");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  std::signal(SIGABRT, before);
  char report = 0;
  EXPECT_LT(read(reports[0], &report, 1), 0) << "the handler of this process ran in the child";
  for (const int end : reports) close(end);
}

TEST(ChildProcess, MayStartBesideThreadsThatAllocate) {
  std::atomic<bool> done = false;
  std::thread other([&] {
    std::string text;
    while (!done) text = std::to_string(text.size()) + std::string(1000, 'x');
  });
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(answer([] { return std::string(10000, 'z'); }).bytes.size(), 10000u);
  }
  done = true;
  other.join();
}

}  // namespace
}  // namespace octavo
