// Tables and plots of the measurements. Speed-ups are ratios of medians that were taken in turns, at one size and one
// budget; what a megapixel and a keypoint cost comes from a fit over all of a contender's measurements.

#include "cli/bench/report_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "cli/bench/cost_fit.h"
#include "cli/bench/quartiles.h"
#include "cli/json_text.h"
#include "cli/report/plots.h"

namespace octavo::cli {
namespace {

std::string size_of(const GridResult& result) { return fmt::format("{}x{}", result.size.width, result.size.height); }

std::string budget_of(int budget) { return budget == 0 ? "all" : fmt::format("{}", budget); }

double median(const GridResult& result) { return quartiles(result.milliseconds).median; }

bool same_task(const GridResult& a, const GridResult& b) { return a.size == b.size && a.budget == b.budget; }

std::vector<GridResult> of(std::span<const GridResult> results, const std::string& contender) {
  std::vector<GridResult> own;
  std::copy_if(results.begin(), results.end(), std::back_inserter(own),
               [&](const GridResult& result) { return result.contender == contender; });
  return own;
}

std::optional<CostFit> fit_of(std::span<const GridResult> own) {
  std::vector<CostSample> samples;
  for (const GridResult& result : own) {
    samples.push_back({result.megapixels(), static_cast<double>(result.keypoints), median(result)});
  }
  return fit_cost(samples);
}

// The largest size, and the largest budget: all, if that was measured.
Size largest_size(std::span<const GridResult> results) {
  return std::max_element(results.begin(), results.end(),
                          [](const GridResult& a, const GridResult& b) { return a.megapixels() < b.megapixels(); })
      ->size;
}
int largest_budget(std::span<const GridResult> results) {
  int largest = 0;
  for (const GridResult& result : results) {
    if (result.budget == 0) return 0;
    largest = std::max(largest, result.budget);
  }
  return largest;
}

// Contenders against whom the others' speed is told: the plain loops on one thread, and OpenCV.
bool is_baseline(const std::string& contender) {
  return contender == "reference, 1 thread" || contender.starts_with("OpenCV ");
}

Table speedup_table(const BenchCircumstances& circumstances, std::span<const GridResult> results,
                    const std::string& baseline) {
  Table table{.header = {"size, keypoints at most"}, .rows = {}};
  for (const auto& [name, description] : circumstances.contenders) {
    if (name != baseline) table.header.push_back(name);
  }
  for (const GridResult& base : of(results, baseline)) {
    std::vector<std::string> row{size_of(base) + ", " + budget_of(base.budget)};
    for (const auto& [name, description] : circumstances.contenders) {
      if (name == baseline) continue;
      const auto other = std::find_if(results.begin(), results.end(), [&, &contender = name](const GridResult& result) {
        return same_task(base, result) && result.contender == contender;
      });
      row.push_back(other == results.end() ? "–" : fmt::format("{:.3g}×", median(base) / median(*other)));
    }
    table.rows.push_back(row);
  }
  return table;
}

Table cost_table(const BenchCircumstances& circumstances, std::span<const GridResult> results) {
  Table table{.header = {"", "constant [ms]", "per megapixel [ms]", "per 1000 keypoints [ms]", "largest error"},
              .rows = {}};
  for (const auto& [name, description] : circumstances.contenders) {
    const std::optional<CostFit> fit = fit_of(of(results, name));
    if (!fit) {
      table.rows.push_back({name, "–", "–", "–", "–"});
      continue;
    }
    table.rows.push_back({name, fmt::format("{:.4g}", fit->constant), fmt::format("{:.4g}", fit->per_megapixel),
                          fmt::format("{:.4g}", 1000 * fit->per_keypoint),
                          fmt::format("{:.0f} %", 100 * fit->largest_error)});
  }
  return table;
}

Table stage_table(std::span<const GridResult> results) {
  Table table{.header = {"", "size", "stage", "ms"}, .rows = {}, .words = 3};
  const int budget = largest_budget(results);
  for (const GridResult& result : results) {
    if (result.budget != budget) continue;
    for (const StageTime& stage : result.stages) {
      table.rows.push_back({result.contender, size_of(result), stage.stage, fmt::format("{:.3f}", stage.milliseconds)});
    }
  }
  return table;
}

// One line for each contender through the measurements that `chosen` picks, with a band from quartile to quartile.
template <typename Chosen, typename XOf>
std::vector<Series> lines(const BenchCircumstances& circumstances, std::span<const GridResult> results, Chosen chosen,
                          XOf x_of) {
  std::vector<Series> series;
  for (const auto& [name, description] : circumstances.contenders) {
    std::vector<GridResult> own = of(results, name);
    std::erase_if(own, [&](const GridResult& result) { return !chosen(result); });
    std::sort(own.begin(), own.end(), [&](const auto& a, const auto& b) { return x_of(a) < x_of(b); });
    Series line{.label = name, .x = {}, .y = {}};
    for (const GridResult& result : own) {
      const Quartiles of_runs = quartiles(result.milliseconds);
      line.x.push_back(x_of(result));
      line.y.push_back(of_runs.median);
      line.low.push_back(of_runs.q1);
      line.high.push_back(of_runs.q3);
    }
    series.push_back(std::move(line));
  }
  return series;
}

std::vector<Plot> plots_of(const BenchCircumstances& circumstances, std::span<const GridResult> results) {
  const Size size = largest_size(results);
  const int budget = largest_budget(results);
  const std::string at_size = fmt::format("{}×{}", size.width, size.height);
  const auto of_budget = [&](const GridResult& result) { return result.budget == budget; };
  const auto of_size = [&](const GridResult& result) { return result.size == size; };

  Plot by_size{.title = fmt::format("Time by size of the image, {} keypoints",
                                    budget == 0 ? "all" : "at most " + budget_of(budget)),
               .x_label = "megapixels",
               .y_label = "time per image [ms]",
               .series = lines(circumstances, results, of_budget, [](const auto& r) { return r.megapixels(); }),
               .log_x = true,
               .log_y = true};
  Plot by_points{
      .title = "Time by number of keypoints, " + at_size,
      .x_label = "keypoints",
      .y_label = "time per image [ms]",
      .series = lines(circumstances, results, of_size, [](const auto& r) { return static_cast<double>(r.keypoints); }),
      .log_x = true,
      .log_y = true};
  Plot by_run{.title = fmt::format("Every run, {}, {} keypoints", at_size, budget_of(budget)),
              .x_label = "run",
              .y_label = "time [ms]",
              .series = {},
              .log_y = true};
  for (const GridResult& result : results) {
    if (!of_budget(result) || !of_size(result)) continue;
    Series runs{.label = result.contender, .x = {}, .y = result.milliseconds};
    for (std::size_t i = 1; i <= runs.y.size(); ++i) runs.x.push_back(static_cast<double>(i));
    by_run.series.push_back(std::move(runs));
  }
  return {by_size, by_points, by_run};
}

}  // namespace

Table times_table(std::span<const GridResult> results) {
  Table table{.header = {"", "size", "at most", "keypoints", "median [ms]", "quartiles", "least", "most", "runs"},
              .rows = {}};
  for (const GridResult& result : results) {
    const Quartiles of_runs = quartiles(result.milliseconds);
    const auto [least, most] = std::minmax_element(result.milliseconds.begin(), result.milliseconds.end());
    table.rows.push_back({result.contender, size_of(result), budget_of(result.budget),
                          fmt::format("{}", result.keypoints), fmt::format("{:.3f}", of_runs.median),
                          fmt::format("{:.3f}–{:.3f}", of_runs.q1, of_runs.q3), fmt::format("{:.3f}", *least),
                          fmt::format("{:.3f}", *most), fmt::format("{}", result.milliseconds.size())});
  }
  return table;
}

nlohmann::ordered_json report_json(const BenchCircumstances& circumstances, std::span<const GridResult> results) {
  auto contenders = nlohmann::ordered_json::array(), measured = nlohmann::ordered_json::array(),
       fits = nlohmann::ordered_json::array();
  for (const auto& [name, description] : circumstances.contenders) {
    contenders.push_back({{"name", name}, {"description", description}});
    if (const auto fit = fit_of(of(results, name))) {
      fits.push_back({{"contender", name},
                      {"constant_ms", fit->constant},
                      {"per_megapixel_ms", fit->per_megapixel},
                      {"per_keypoint_us", 1000 * fit->per_keypoint},
                      {"largest_error", fit->largest_error}});
    }
  }
  for (const GridResult& result : results) {
    const Quartiles of_runs = quartiles(result.milliseconds);
    auto stages = nlohmann::ordered_json::object();
    for (const StageTime& stage : result.stages) stages[stage.stage] = stage.milliseconds;
    measured.push_back({{"contender", result.contender},
                        {"width", result.size.width},
                        {"height", result.size.height},
                        {"max_features", result.budget},
                        {"keypoints", result.keypoints},
                        {"median_ms", of_runs.median},
                        {"q1_ms", of_runs.q1},
                        {"q3_ms", of_runs.q3},
                        {"runs_ms", result.milliseconds},
                        {"stages", stages}});
  }
  return {{"image", circumstances.image},
          {"octavo", circumstances.version},
          {"date", circumstances.date},
          {"machine", circumstances.machine},
          {"rounds", circumstances.rounds},
          {"warmup", circumstances.warmup},
          {"seconds", circumstances.seconds},
          {"contenders", contenders},
          {"absent", circumstances.absent},
          {"results", measured},
          {"fits", fits}};
}

std::string report_page(const BenchCircumstances& circumstances, std::span<const GridResult> results,
                        const std::string& python, std::string& problem) {
  HtmlPage page("SIFT extraction: " + std::filesystem::path(circumstances.image).filename().string());
  page.paragraph(
      fmt::format("Octavo {}, {}, {}. From pixels in host memory to features in host memory; medians of {} "
                  "runs after {} to warm up, in turns at each size and number of keypoints; who had taken "
                  "{:g} seconds rested.",
                  circumstances.version, circumstances.date, circumstances.machine, circumstances.rounds,
                  circumstances.warmup, circumstances.seconds));
  Table contenders{.header = {"", "what it is"}, .rows = {}, .words = 2};
  for (const auto& [name, description] : circumstances.contenders) contenders.rows.push_back({name, description});
  page.table(contenders);
  for (const std::string& absent : circumstances.absent) page.paragraph("Not measured: " + absent + ".");

  const std::vector<Plot> plots = plots_of(circumstances, results);
  const DrawnPlots drawn = draw_plots(plots, python);
  problem = drawn.problem;
  page.heading("Plots");
  if (!problem.empty()) page.paragraph("There are none: " + problem + ".");
  for (std::size_t i = 0; i < drawn.svg.size(); ++i) {
    page.figure(drawn.svg[i], i < 2 ? "Lines go through the medians, bands from quartile to quartile."
                                    : "Each mark is one extraction, in the order in which they were run.");
  }

  for (const auto& [name, description] : circumstances.contenders) {
    if (!is_baseline(name) || circumstances.contenders.size() < 2) continue;
    page.heading("How many times faster than " + name);
    page.table(speedup_table(circumstances, results, name));
  }
  page.heading("What a megapixel and a keypoint cost");
  page.paragraph(
      "time = constant + megapixels · cost + keypoints · cost, the fit without negative costs that has the smallest "
      "relative errors.");
  page.table(cost_table(circumstances, results));
  page.heading("Times");
  page.table(times_table(results));
  const Table stages = stage_table(results);
  if (!stages.rows.empty()) {
    page.heading("Stages");
    page.paragraph(
        "Medians over extractions of their own with the largest number of keypoints; on a GPU by its own clock.");
    page.table(stages);
  }
  page.details("JSON", json_text(report_json(circumstances, results), 1));
  return page.text();
}

}  // namespace octavo::cli
