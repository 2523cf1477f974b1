// Tables and plots of the measurements. A speed-up is the ratio of two medians at one size and one budget, for which
// the contenders ran in turns. The cost per megapixel and per keypoint comes from a fit over all measurements of a
// contender.

#include "octavo/benchmark_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

namespace octavo {
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

// The largest size, and the largest budget. The budget "all" is the largest.
ImageSize largest_size(std::span<const GridResult> results) {
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

// Whether the speed of the others is compared with this contender: the plain loops on one thread, or OpenCV.
bool is_baseline(const std::string& contender) {
  return contender == "reference, 1 thread" || contender.starts_with("OpenCV ");
}

Table speedup_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results,
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

Table cost_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
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

std::vector<PagePlot> plots_of(std::span<const GridResult> results) {
  const ImageSize size = largest_size(results);
  const int budget = largest_budget(results);
  const std::string at_size = fmt::format("{}x{}", size.width, size.height);
  const std::string lines = "Lines connect the medians; bands reach from quartile to quartile.";
  return {{.plot = "by_size",
           .subject = fmt::format("{}", budget),
           .title = fmt::format("Time by size of the image, {} keypoints",
                                budget == 0 ? "all" : "at most " + budget_of(budget)),
           .caption = lines},
          {.plot = "by_keypoints",
           .subject = at_size,
           .title = fmt::format("Time by number of keypoints, {}×{}", size.width, size.height),
           .caption = lines},
          {.plot = "by_run",
           .subject = fmt::format("{} {}", at_size, budget),
           .title = fmt::format("Every run, {}×{}, {} keypoints", size.width, size.height, budget_of(budget)),
           .caption = "Each mark is one extraction, in the order in which they were run."}};
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

std::string benchmark_json(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
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
  const nlohmann::ordered_json report{{"image", circumstances.image},
                                      {"octavo", circumstances.version},
                                      {"date", circumstances.date},
                                      {"machine", circumstances.machine},
                                      {"rounds", circumstances.timing.rounds},
                                      {"warmup", circumstances.timing.warmup},
                                      {"seconds", circumstances.seconds},
                                      {"contenders", contenders},
                                      {"absent", circumstances.absent},
                                      {"results", measured},
                                      {"fits", fits}};
  return report.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

ReportPage benchmark_page(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  ReportPage page{.subject = PageSubject::benchmark,
                  .title = "SIFT extraction: " + std::filesystem::path(circumstances.image).filename().string(),
                  .json = benchmark_json(circumstances, results)};
  Table contenders{.header = {"", "what it is"}, .rows = {}, .words = 2};
  for (const auto& [name, description] : circumstances.contenders) contenders.rows.push_back({name, description});
  PageSection intro{.paragraphs = {fmt::format(
                        "Octavo {}, {}, {}. From pixels in host memory to features in host memory; medians of {} runs "
                        "after {} to warm up. Contenders take turns at each size and number of keypoints; one that has "
                        "taken {:g} seconds there is not run again.",
                        circumstances.version, circumstances.date, circumstances.machine, circumstances.timing.rounds,
                        circumstances.timing.warmup, circumstances.seconds)},
                    .tables = {contenders}};
  for (const std::string& absent : circumstances.absent) intro.notes.push_back("Not measured: " + absent + ".");
  page.sections = {intro, {.heading = "Plots", .plots = plots_of(results)}};

  for (const auto& [name, description] : circumstances.contenders) {
    if (!is_baseline(name) || circumstances.contenders.size() < 2) continue;
    page.sections.push_back(
        {.heading = "How many times faster than " + name, .tables = {speedup_table(circumstances, results, name)}});
  }
  page.sections.push_back(
      {.heading = "What a megapixel and a keypoint cost",
       .paragraphs = {"time = constant + megapixels · cost + keypoints · cost, the fit without negative costs that has "
                      "the smallest relative errors."},
       .tables = {cost_table(circumstances, results)}});
  page.sections.push_back({.heading = "Times", .tables = {times_table(results)}});
  if (const Table stages = stage_table(results); !stages.rows.empty()) {
    page.sections.push_back({.heading = "Stages",
                             .paragraphs = {"Medians over further extractions with the largest number of keypoints; on "
                                            "a GPU by its own clock."},
                             .tables = {stages}});
  }
  return page;
}

}  // namespace octavo
