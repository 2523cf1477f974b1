// Jobs run in turns for the given number of rounds, and their stages run separately.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "octavo/error.h"
#include "octavo/image.h"
#include "study/benchmark/benchmark.h"

namespace octavo {
namespace {

TEST(TimeJobs, RunInTurns) {
  std::string log;
  int stage_calls = 0;
  const auto stages = [&] { return std::vector<StageTime>{{"x", static_cast<double>(stage_calls++)}}; };
  const std::vector<TimedJob> jobs{{.run = [&] { log += 'a'; }, .stages = stages}, {.run = [&] { log += 'b'; }}};
  const std::vector<JobTimes> times = time_jobs(jobs, {.rounds = 3, .warmup = 1});
  EXPECT_EQ(log, "abababab");
  ASSERT_EQ(times.size(), 2u);
  ASSERT_EQ(times[0].stages.size(), 1u);
  EXPECT_EQ(times[0].stages[0].milliseconds, 2);  // the median of 1, 2, 3; run 0 is a warm-up
  EXPECT_TRUE(times[1].stages.empty());
  ASSERT_EQ(times[0].runs_of_stages.size(), 3u);
  EXPECT_EQ(times[0].runs_of_stages[2][0].milliseconds, 3);
  EXPECT_TRUE(times[1].runs_of_stages.empty());
  ASSERT_EQ(times[1].runs.size(), 3u);
  EXPECT_EQ(times[1].milliseconds.median, quartiles(times[1].runs).median);
  EXPECT_GE(times[0].milliseconds.q3, times[0].milliseconds.q1);
}

TEST(TimeJobs, TellTheirProgressBeforeEachRun) {
  std::string log;
  std::vector<std::string> told;
  const std::vector<TimedJob> jobs{{.name = "A", .run = [&] { log += 'a'; }},
                                   {.name = "B", .run = [&] { log += 'b'; }}};
  time_jobs(jobs, {.rounds = 2, .warmup = 1}, [&](const ProgressStep& step) {
    EXPECT_EQ(step.done, log.size());
    EXPECT_EQ(step.total, 6U);
    told.emplace_back(step.item);
  });
  EXPECT_EQ(log, "ababab");
  EXPECT_EQ(told, (std::vector<std::string>{"A, warm-up 1 of 1", "B, warm-up 1 of 1", "A, round 1 of 2",
                                            "B, round 1 of 2", "A, round 2 of 2", "B, round 2 of 2"}));
}

TEST(TimeJobs, RefuseRoundsOutOfRange) {
  EXPECT_THROW(time_jobs({}, {.rounds = 0}), Error);
  EXPECT_THROW(time_jobs({}, {.warmup = -1}), Error);
}

TEST(ExtractStream, GoesThroughTheImagesAgainAndAgain) {
  Image square(64, 64, 1, PixelType::u8), flat(64, 64, 1, PixelType::u8);
  for (int y = 0; y < 64; ++y) {
    std::fill_n(square.row(y), 64, std::byte{0});
    std::fill_n(flat.row(y), 64, std::byte{0});
    if (y >= 20 && y < 44) std::fill_n(square.row(y) + 20, 24, std::byte{255});
  }
  Extractor extractor({}, {.name = "cpu", .threads = 1});
  const std::size_t in_square = extractor.extract(square.view()).size();
  ASSERT_GT(in_square, 0u);
  const std::vector<ImageView> images{square.view(), flat.view()};
  for (const int in_flight : {1, 3, 50}) {
    EXPECT_EQ(extract_stream(extractor, images, 7, in_flight), 4 * in_square);
  }
  EXPECT_THROW(extract_stream(extractor, {}, 7, 1), Error);
  EXPECT_THROW(extract_stream(extractor, images, 7, 0), Error);
}

}  // namespace
}  // namespace octavo
