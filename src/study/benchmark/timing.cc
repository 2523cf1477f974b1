// Jobs take turns, so that a slow moment of the machine affects all of them alike.

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "engine/core/check.h"
#include "engine/core/stopwatch.h"
#include "octavo/error.h"
#include "study/benchmark/benchmark.h"

namespace octavo {

namespace {

// The rounds before 0 are those of the warm-up.
std::string name_of_run(const TimedJob& job, int round, const TimingOptions& options) {
  return round < 0 ? fmt::format("{}, warm-up {} of {}", job.name, round + options.warmup + 1, options.warmup)
                   : fmt::format("{}, round {} of {}", job.name, round + 1, options.rounds);
}

}  // namespace

void validate(const TimingOptions& options) {
  check_range("rounds", options.rounds, 1, 1000000);
  check_range("warmup", options.warmup, 0, 1000000);
}

std::vector<JobTimes> time_jobs(std::span<const TimedJob> jobs, const TimingOptions& options,
                                const ProgressSink& progress) {
  validate(options);
  const std::size_t total = static_cast<std::size_t>(options.warmup + options.rounds) * jobs.size();
  std::size_t done = 0;
  // samples[job][stage]; stage 0 is the whole job.
  std::vector<std::vector<std::vector<double>>> samples(jobs.size());
  std::vector<JobTimes> times(jobs.size());
  for (int round = -options.warmup; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (progress) report_item(progress, name_of_run(jobs[i], round, options), done, total);
      ++done;
      const Stopwatch stopwatch;
      jobs[i].run();
      const double time = stopwatch.milliseconds() / std::max(jobs[i].parts, 1);
      const std::vector<StageTime> stages = jobs[i].stages ? jobs[i].stages() : std::vector<StageTime>();
      if (round < 0) continue;
      times[i].stages = stages;
      if (jobs[i].stages) times[i].runs_of_stages.push_back(stages);
      samples[i].resize(stages.size() + 1);
      samples[i][0].push_back(time);
      for (std::size_t s = 0; s < stages.size(); ++s) samples[i][s + 1].push_back(stages[s].milliseconds);
    }
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    times[i].runs = samples[i][0];
    times[i].milliseconds = quartiles(times[i].runs);
    for (std::size_t s = 0; s < times[i].stages.size(); ++s) {
      times[i].stages[s].milliseconds = quartiles(samples[i][s + 1]).median;
    }
  }
  return times;
}

std::size_t extract_stream(Extractor& extractor, std::span<const ImageView> images, std::size_t length, int in_flight) {
  if (images.empty()) throw Error(ErrorCode::invalid_argument, "the stream has no images");
  check_range("in_flight", in_flight, 1, 1000);
  std::deque<Ticket> tickets;
  std::size_t keypoints = 0;
  const auto collect = [&] {
    const Ticket first = tickets.front();
    tickets.pop_front();
    keypoints += extractor.collect(first).size();
  };
  for (std::size_t i = 0; i < length; ++i) {
    if (tickets.size() == static_cast<std::size_t>(in_flight)) collect();
    tickets.push_back(extractor.submit(images[i % images.size()]));
  }
  while (!tickets.empty()) collect();
  return keypoints;
}

}  // namespace octavo
