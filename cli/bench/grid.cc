// Contenders meet at one size and one budget at a time, so that a slow moment of the machine falls on all of them, and
// no more is in memory than one of each holds.

#include "cli/bench/grid.h"

#include <fmt/core.h>

#include <utility>

#include "cli/bench/quartiles.h"
#include "cli/report/python_script.h"
#include "cli/stopwatch.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

// One contender, and what it does at one size and budget.
struct Turn {
  BenchContender& contender;
  bool broken = false;
  GridResult result{};
  double spent = 0;  // [s]
};

// Lets a contender work. One that breaks down is left out from then on.
template <typename Work>
void let_work(Turn& turn, std::vector<std::string>& problems, const Work& work) {
  if (turn.broken) return;
  const Stopwatch stopwatch;
  try {
    work();
  } catch (const PythonFailure& failure) {
    turn.broken = true;
    problems.push_back(fmt::format("{} at {}x{}: {}", turn.contender.name(), turn.result.size.width,
                                   turn.result.size.height, failure.what()));
  }
  turn.spent += stopwatch.milliseconds() / 1000;
}

// Medians of the stages' times over so many runs, or over as many as there is time for.
std::vector<StageTime> median_stages(BenchContender& contender, int runs, double seconds) {
  const Stopwatch stopwatch;
  std::vector<StageTime> stages = contender.stages();
  std::vector<std::vector<double>> times(stages.size());
  for (int run = 0; !stages.empty(); ++run) {
    const std::vector<StageTime> next = run == 0 ? stages : contender.stages();
    for (std::size_t i = 0; i < stages.size(); ++i) times[i].push_back(next[i].milliseconds);
    if (run + 1 >= runs || stopwatch.milliseconds() > 1000 * seconds) break;
  }
  for (std::size_t i = 0; i < stages.size(); ++i) stages[i].milliseconds = quartiles(times[i]).median;
  return stages;
}

}  // namespace

GridMeasurements measure_grid(const ImageView& image, const BenchGrid& grid, const BenchOptions& options,
                              std::span<const std::unique_ptr<BenchContender>> contenders,
                              const std::filesystem::path& folder, const GridProgress& progress) {
  const int rounds = options.warmup + options.rounds;
  const std::size_t total =
      grid.sizes.size() * grid.budgets.size() * static_cast<std::size_t>(rounds) * contenders.size();
  std::size_t done = 0;
  GridMeasurements measured;
  std::vector<Turn> turns;
  for (const auto& contender : contenders) turns.push_back({.contender = *contender});
  for (const Size size : grid.sizes) {
    BenchPicture picture{.image = resize_and_crop(image, size), .file = {}};
    picture.file = folder / fmt::format("{}x{}.{}", size.width, size.height, image.channels < 3 ? "pgm" : "ppm");
    write_image(picture.file, picture.image.view());
    for (const int budget : grid.budgets) {
      for (Turn& turn : turns) {
        turn.result = {
            .contender = turn.contender.name(), .size = size, .budget = budget, .milliseconds = {}, .stages = {}};
        turn.spent = 0;
        let_work(turn, measured.problems, [&] { turn.result.keypoints = turn.contender.prepare(picture, budget); });
      }
      for (int round = 0; round < rounds; ++round) {
        for (Turn& turn : turns) {
          progress(done++, total, fmt::format("{} at {}x{}", turn.result.contender, size.width, size.height));
          std::vector<double>& times = turn.result.milliseconds;
          const bool last_chance = round + 1 == rounds && times.empty();
          if (turn.spent > grid.seconds && !last_chance) continue;
          let_work(turn, measured.problems, [&] {
            const double milliseconds = turn.contender.run();
            if (round >= options.warmup) times.push_back(milliseconds);
          });
        }
      }
      for (Turn& turn : turns) {
        let_work(turn, measured.problems, [&] {
          turn.result.stages = median_stages(turn.contender, options.rounds, grid.seconds - turn.spent);
        });
        if (!turn.broken) measured.results.push_back(turn.result);
      }
    }
  }
  return measured;
}

}  // namespace octavo::cli
