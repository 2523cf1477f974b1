// Contenders meet at one size and one budget at a time, so that a slow moment of the machine falls on all of them, and
// no more is in memory than one of each holds.

#include "cli/bench_grid.h"

#include <fmt/core.h>

#include <utility>

#include "cli/stopwatch.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

// One contender at one size and budget.
struct Turn {
  Contender& contender;
  GridResult result;
  double spent = 0;  // [s] on all runs
};

}  // namespace

std::vector<GridResult> measure_grid(const ImageView& image, const BenchGrid& grid, const BenchOptions& options,
                                     std::span<const std::unique_ptr<Contender>> contenders,
                                     const std::filesystem::path& folder, const GridProgress& progress) {
  const std::size_t rounds = static_cast<std::size_t>(options.warmup) + static_cast<std::size_t>(options.rounds);
  const std::size_t total = grid.sizes.size() * grid.budgets.size() * rounds * contenders.size();
  std::size_t done = 0;
  std::vector<GridResult> results;
  for (const Size size : grid.sizes) {
    BenchPicture picture{.image = resize_and_crop(image, size), .file = {}};
    picture.file = folder / fmt::format("{}x{}.{}", size.width, size.height, image.channels < 3 ? "pgm" : "ppm");
    write_image(picture.file, picture.image.view());
    for (const int budget : grid.budgets) {
      std::vector<Turn> turns;
      for (const auto& contender : contenders) {
        const Stopwatch stopwatch;
        const std::size_t keypoints = contender->prepare(picture, budget);
        turns.push_back({.contender = *contender,
                         .result = {.contender = contender->name(),
                                    .size = size,
                                    .budget = budget,
                                    .keypoints = keypoints,
                                    .milliseconds = {},
                                    .stages = {}},
                         .spent = stopwatch.milliseconds() / 1000});
      }
      for (std::size_t round = 0; round < rounds; ++round) {
        for (Turn& turn : turns) {
          std::vector<double>& times = turn.result.milliseconds;
          progress(done++, total, fmt::format("{} at {}x{}", turn.result.contender, size.width, size.height));
          const bool rests = turn.spent > grid.seconds;
          const bool last = round + 1 == rounds;
          if (rests && !(last && times.empty())) continue;
          const double milliseconds = turn.contender.run();
          turn.spent += milliseconds / 1000;
          if (round >= static_cast<std::size_t>(options.warmup)) times.push_back(milliseconds);
        }
      }
      for (Turn& turn : turns) {
        if (turn.spent <= grid.seconds) turn.result.stages = turn.contender.stages();
        results.push_back(std::move(turn.result));
      }
    }
  }
  return results;
}

}  // namespace octavo::cli
