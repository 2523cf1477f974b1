// The report of timed work: one object or a list, times in seconds, and what else is told of the work.

#include "study/benchmark/timed_work.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "study/benchmark/work_benchmarks.h"

namespace octavo {
namespace {

struct Engine {
  static std::string device() { return "cpu"; }
  static std::string isa() { return "portable"; }
  static int threads() { return 2; }
};

TimedWork work_of(const std::string& subject) {
  return {.facts =
              {.subject = subject, .keypoints = 7, .of_images = true, .json = Json{{"more", 1}}, .lines = {"one more"}},
          .job = {.run = [] {},
                  .stages =
                      [] {
                        return std::vector<StageTime>{{"upload", 1000}, {"blurs", 2000}};
                      }}};
}

TEST(TimedWork, IsToldInSecondsAndInMilliseconds) {
  std::vector<std::string> items;
  const auto progress = [&](const ProgressStep& step) { items.emplace_back(step.item); };
  const WorkReport report =
      time_work(std::vector{work_of("a")}, BenchmarkPlace(Engine()), {.rounds = 2, .warmup = 1}, progress);
  EXPECT_EQ(items, (std::vector<std::string>{"a, warm-up 1 of 1", "a, round 1 of 2", "a, round 2 of 2"}));
  const Json json = parse_json(json_of(report));
  EXPECT_EQ(json["subject"], Json("a"));
  EXPECT_EQ(json["keypoint_count"], Json(7));
  EXPECT_EQ(json["run_seconds"].size(), 2u);
  EXPECT_EQ(json["stage_seconds"]["blurs"], Json(2.0));
  EXPECT_EQ(json["on_device_seconds"], Json(2.0));  // without the upload
  EXPECT_EQ(json["more"], Json(1));
  const std::string text = text_of(report);
  EXPECT_EQ(text.find("device cpu, portable, 2 threads\na: 7 keypoints\n"), 0u) << text;
  EXPECT_NE(text.find("on the device             2000.000 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  one more\n"), std::string::npos) << text;
}

TEST(TimedWork, OfSeveralPiecesIsAList) {
  const WorkReport report =
      time_work(std::vector{work_of("a"), work_of("b")}, BenchmarkPlace(Engine()), {.rounds = 1, .warmup = 0}, {});
  const Json json = parse_json(json_of(report));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[std::size_t{1}]["subject"], Json("b"));
}

TEST(MeasureMatching, TakesRandomDescriptorsOfEachNumber) {
  MatchBenchmark benchmark{.descriptor_counts = {20, 30}, .timing = {.rounds = 1, .warmup = 0}};
  benchmark.device.name = "cpu";
  const WorkReport report = measure_matching(benchmark);
  ASSERT_EQ(report.facts.size(), 2u);
  EXPECT_EQ(report.facts[1].subject, "30 x 30");
  EXPECT_EQ(report.facts[1].keypoints, 30u);
  EXPECT_EQ(report.times[1].runs.size(), 1u);
}

}  // namespace
}  // namespace octavo
