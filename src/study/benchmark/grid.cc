// All implementations run in turns on one image at one size and one budget, then at the next. So a slow moment of the
// machine affects all of them alike, and each implementation holds the memory of one size only.

#include <fmt/core.h>

#include <exception>
#include <utility>

#include "engine/core/stopwatch.h"
#include "octavo/image.h"
#include "study/benchmark/benchmark.h"

namespace octavo {
namespace {

// One implementation and its measurements on one image at one size and budget.
struct Turn {
  BenchmarkImplementation& implementation;
  bool broken = false;
  GridResult result{};
  double spent = 0;  // [s]
};

// Runs work of an implementation. An implementation that fails is left out from then on.
template <typename Work>
void let_work(Turn& turn, std::vector<AbsentImplementation>& problems, const Work& work) {
  if (turn.broken) return;
  const Stopwatch stopwatch;
  try {
    work();
  } catch (const std::exception& failure) {
    turn.broken = true;
    problems.push_back(
        {fmt::format("{} at {}x{}", turn.result.implementation, turn.result.size.width, turn.result.size.height),
         failure.what()});
  }
  turn.spent += stopwatch.milliseconds() / 1000;
}

// Medians of the stages' times over `runs` runs, or over fewer if they exceed `seconds`, but over at least one.
std::vector<StageTime> median_stages(BenchmarkImplementation& implementation, int runs, double seconds) {
  const Stopwatch stopwatch;
  std::vector<StageTime> stages = implementation.stages();
  std::vector<std::vector<double>> times(stages.size());
  for (int run = 0; !stages.empty(); ++run) {
    const std::vector<StageTime> next = run == 0 ? stages : implementation.stages();
    for (std::size_t i = 0; i < stages.size(); ++i) times[i].push_back(next[i].milliseconds);
    if (run + 1 >= runs || stopwatch.milliseconds() > 1000 * seconds) break;
  }
  for (std::size_t i = 0; i < stages.size(); ++i) stages[i].milliseconds = quartiles(times[i]).median;
  return stages;
}

// Measures one task after the other: an image at a size and a budget.
class GridRun {
 public:
  GridRun(const BenchmarkGrid& grid, const TimingOptions& options,
          std::span<const std::unique_ptr<BenchmarkImplementation>> implementations, const ProgressSink& progress,
          std::size_t tasks)
      : grid_(grid), options_(options), progress_(progress) {
    for (const auto& implementation : implementations) turns_.push_back({.implementation = *implementation});
    total_ = tasks * static_cast<std::size_t>(rounds()) * turns_.size();
  }

  void measure(const GridResult& task, const Image& image) {
    for (Turn& turn : turns_) prepare(turn, task, image);
    for (int round = 0; round < rounds(); ++round) {
      for (Turn& turn : turns_) run(turn, round);
    }
    for (Turn& turn : turns_) {
      if (!turn.broken) show(turn, ", stages");
      let_work(turn, measured_.problems, [&] {
        turn.result.stages = median_stages(turn.implementation, options_.rounds, grid_.seconds - turn.spent);
      });
      if (!turn.broken) measured_.results.push_back(turn.result);
    }
  }
  GridMeasurements measured() && { return std::move(measured_); }

 private:
  [[nodiscard]] int rounds() const { return options_.warmup + options_.rounds; }

  void show(const Turn& turn, std::string_view work) const {
    if (!progress_) return;
    const GridResult& at = turn.result;
    report_item(progress_, fmt::format("{} at {}x{}{}", at.implementation, at.size.width, at.size.height, work), done_,
                total_);
  }

  void prepare(Turn& turn, const GridResult& task, const Image& image) {
    turn.result = task;
    const ImplementationFacts facts = turn.implementation.facts();
    turn.result.implementation = facts.name;
    turn.result.kind = facts.kind;
    turn.spent = 0;
    if (!turn.broken) show(turn, ", preparation");
    let_work(turn, measured_.problems, [&] {
      turn.result.keypoints = turn.implementation.prepare(image.view(), task.budget);
      turn.result.memory = turn.implementation.memory();
    });
  }

  void run(Turn& turn, int round) {
    show(turn, "");
    ++done_;
    std::vector<double>& times = turn.result.milliseconds;
    const bool last_chance = round + 1 == rounds() && times.empty();
    if (turn.spent > grid_.seconds && !last_chance) return;
    let_work(turn, measured_.problems, [&] {
      const double milliseconds = turn.implementation.run();
      if (round >= options_.warmup) times.push_back(milliseconds);
    });
  }

  const BenchmarkGrid& grid_;
  const TimingOptions& options_;
  const ProgressSink& progress_;
  std::vector<Turn> turns_;
  std::size_t done_ = 0, total_ = 0;
  GridMeasurements measured_;
};

}  // namespace

GridMeasurements measure_grid(std::span<const BenchmarkImage> images, const BenchmarkGrid& grid,
                              const TimingOptions& options,
                              std::span<const std::unique_ptr<BenchmarkImplementation>> implementations,
                              const ProgressSink& progress) {
  validate(options);
  GridRun run(grid, options, implementations, progress, images.size() * grid.sizes.size() * grid.budgets.size());
  for (const BenchmarkImage& input : images) {
    for (const ImageSize size : grid.sizes) {
      const Image image = input.in_size(size);
      for (const int budget : grid.budgets) {
        run.measure({.implementation = {},
                     .image = input.name,
                     .size = size,
                     .budget = budget,
                     .milliseconds = {},
                     .stages = {},
                     .memory = {}},
                    image);
      }
    }
  }
  return std::move(run).measured();
}

}  // namespace octavo
