// A process looks once for each name; a failed look is none.

#include "engine/device/found_once.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace octavo {
namespace {

TEST(FoundOnce, LooksOnceForEachName) {
  FoundOnce<std::string> found;
  int looks = 0;
  for (const std::string name : {"a", "b", "a", "b", "b"}) {
    EXPECT_EQ(found.get(name, [&] { return ++looks, "found " + name; }), "found " + name);
  }
  EXPECT_EQ(looks, 2);
}

TEST(FoundOnce, LooksAgainForWhatIsNotThere) {
  FoundOnce<int> found;
  EXPECT_THROW(found.get("a", []() -> int { throw std::runtime_error("not there"); }), std::runtime_error);
  EXPECT_EQ(found.get("a", [] { return 1; }), 1);
  EXPECT_EQ(found.get("a", [] { return 2; }), 1);
}

TEST(FoundOnce, ThreadsMayAskAtTheSameTime) {
  FoundOnce<int> found;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&found, i] {
      for (int k = 0; k < 100; ++k)
        EXPECT_EQ(found.get(std::to_string((i + k) % 50), [=] { return (i + k) % 50; }), (i + k) % 50);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace octavo
