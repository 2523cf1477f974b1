// The times of some work, told to people in milliseconds and to programs in seconds.

#include "study/benchmark/timed_work.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <thread>

#include "study/benchmark/times_json.h"

namespace octavo {
namespace {

// The sum of the stages' times, without those of the host and the transfers [ms].
double time_on_device(const std::vector<StageTime>& stages) {
  constexpr std::array<std::string_view, 4> others{"grey on the host", "upload", "download", "image"};
  double sum = 0;
  for (const StageTime& stage : stages) {
    if (std::ranges::find(others, stage.stage) == others.end()) sum += stage.milliseconds;
  }
  return sum;
}

double images_per_second(const JobTimes& times) { return 1000 / times.milliseconds.median; }

// "photo.jpg at 640x480, round 2 of 15".
std::string text_of_work(const WorkFacts& facts, const JobTimes& times) {
  std::string text =
      fmt::format("{}{}\n", facts.subject, facts.keypoints ? fmt::format(": {} keypoints", *facts.keypoints) : "");
  text += fmt::format("  {:<24}{:>10.3f} ms  (quartiles {:.3f} to {:.3f})\n", "median", times.milliseconds.median,
                      times.milliseconds.q1, times.milliseconds.q3);
  if (facts.of_images) text += fmt::format("  {:<24}{:>10.1f}\n", "images per second", images_per_second(times));
  if (!times.stages.empty()) {
    text += fmt::format("  {:<24}{:>10.3f} ms\n", "on the device", time_on_device(times.stages));
  }
  for (const StageTime& stage : times.stages) {
    text += fmt::format("    {:<22}{:>10.3f} ms\n", stage.stage, stage.milliseconds);
  }
  for (const std::string& line : facts.lines) text += "  " + line + "\n";
  return text;
}

Json json_of_work(const BenchmarkPlace& place, const WorkFacts& facts, const JobTimes& times) {
  Json json{{"subject", facts.subject}};
  if (facts.keypoints) json["keypoint_count"] = *facts.keypoints;
  json.update({{"device", place.device}, {"isa", place.isa}, {"threads", place.threads}});
  json.update(times_json(times.runs, times.stages));
  if (!facts.mode.empty()) json["mode"] = facts.mode;
  if (facts.of_images) json["images_per_second"] = images_per_second(times);
  if (!times.stages.empty()) json["on_device_seconds"] = time_on_device(times.stages) / 1000;
  json.update(facts.json);
  return json;
}

}  // namespace

WorkReport time_work(std::span<const TimedWork> work, const BenchmarkPlace& place, const TimingOptions& timing,
                     const ProgressSink& progress) {
  WorkReport report{.place = place, .facts = {}, .times = {}};
  std::vector<TimedJob> jobs;
  for (const TimedWork& one : work) {
    report.facts.push_back(one.facts);
    jobs.push_back(one.job);
    jobs.back().name = one.facts.subject;
  }
  report.times = time_jobs(jobs, timing, progress);
  return report;
}

std::string text_of(const WorkReport& report) {
  std::string text =
      fmt::format("device {}, {}, {} threads\n", report.place.device, report.place.isa, report.place.threads);
  for (std::size_t i = 0; i < report.facts.size(); ++i) text += text_of_work(report.facts[i], report.times[i]);
  return text;
}

std::string json_of(const WorkReport& report) {
  Json list = Json::array();
  for (std::size_t i = 0; i < report.facts.size(); ++i) {
    list.push_back(json_of_work(report.place, report.facts[i], report.times[i]));
  }
  return json_text(list.size() == 1 ? list.front() : list);
}

std::string machine_name() {
  std::ifstream cpus("/proc/cpuinfo");
  std::string line, model = "unknown processor";
  while (std::getline(cpus, line)) {
    if (line.starts_with("model name")) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  }
  return fmt::format("{}, {} threads", model, std::thread::hardware_concurrency());
}

}  // namespace octavo
