#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "io/json/json.h"
#include "octavo/device.h"
#include "octavo/progress.h"
#include "study/benchmark/benchmark.h"

// What `octavo bench extract`, `filter` and `match` share: pieces of work that are timed in turns, and their report.

namespace OCTAVO_INTERNAL_API octavo {

/// Where work ran, as an extractor, filter or matcher reports it.
struct BenchmarkPlace {
  template <typename Engine>
  explicit BenchmarkPlace(const Engine& engine)
      : device(engine.device()), isa(engine.isa()), threads(engine.threads()) {}

  std::string device, isa;
  int threads;
};

/// What is told of a piece of work besides its times.
struct WorkFacts {
  std::string subject;                     ///< its input, for people
  std::optional<std::size_t> keypoints{};  ///< their number, if the work finds or matches keypoints
  std::string mode{};                      ///< the value of --mode, if the command has this option
  bool of_images = false;                  ///< whether the parts of the work are images
  Json json = Json::object();              ///< more members of its JSON
  std::vector<std::string> lines{};        ///< more lines of its text
};

struct TimedWork {
  WorkFacts facts;
  TimedJob job;
};

struct WorkReport {
  BenchmarkPlace place;
  std::vector<WorkFacts> facts;
  std::vector<JobTimes> times;  ///< of each piece
};

/// Makes an engine to time. `make` makes it with device options. An engine on a GPU tells its steps to
/// `device.progress`, so that the first use of a driver is not silent. These are a few calls for an image, each of
/// which notes a few words, in less than a microsecond. An engine on the CPU would tell every piece of its loops, so it
/// tells nothing.
template <typename Make>
auto engine_to_time(DeviceOptions device, const Make& make) {
  auto engine = make(device);
  const bool is_on_cpu = engine.device() == "cpu" || engine.device() == "reference";
  if (!is_on_cpu || !device.progress) return engine;
  device.progress = {};
  return make(device);
}

/// Times the work, and tells the rounds to `progress`, as items, before a run's clock starts: a progress that only
/// notes what it is told does not change the times. Throws as time_jobs.
WorkReport time_work(std::span<const TimedWork> work, const BenchmarkPlace& place, const TimingOptions& timing,
                     const ProgressSink& progress);

/// A line for each time, in milliseconds.
std::string text_of(const WorkReport& report);

/// One object for one piece of work, otherwise an array of them. The manuals of the commands have all of it.
std::string json_of(const WorkReport& report);

/// The processor and its number of threads, for reports.
std::string machine_name();

}  // namespace octavo
