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

bool is_of_opencv(const std::string& contender) { return contender.starts_with("OpenCV "); }
bool is_reference(const std::string& contender) { return contender.starts_with("reference, "); }

// Whether the speed of the others is compared with this contender: the plain loops on one thread, or OpenCV.
bool is_baseline(const std::string& contender) { return contender == "reference, 1 thread" || is_of_opencv(contender); }

const GridResult* result_at(std::span<const GridResult> results, const GridResult& task, const std::string& contender) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const GridResult& result) {
    return same_task(task, result) && result.contender == contender;
  });
  return found == results.end() ? nullptr : &*found;
}

// How a time compares with another one, as people say it. Times whose middle halves overlap are the same.
std::string comparison_of(const GridResult& one, const GridResult& other) {
  const Quartiles a = quartiles(one.milliseconds), b = quartiles(other.milliseconds);
  const double ratio = std::max(a.median, b.median) / std::min(a.median, b.median);
  const bool overlap = a.q1 <= b.q3 && b.q1 <= a.q3;
  if (overlap || ratio < 1.01) return "the same";
  const std::string times = ratio < 1.1  ? fmt::format("{:.2f}", ratio)
                            : ratio < 10 ? fmt::format("{:.1f}", ratio)
                                         : fmt::format("{:.0f}", ratio);
  return fmt::format("{}× {}", times, a.median < b.median ? "faster" : "slower");
}

// The fastest of the contenders at a task; null if there are none.
template <class Wanted>
const GridResult* fastest(std::span<const GridResult> results, ImageSize size, int budget, const Wanted& wanted) {
  const GridResult* best = nullptr;
  for (const GridResult& result : results) {
    if (result.size != size || result.budget != budget || !wanted(result.contender)) continue;
    if (best == nullptr || median(result) < median(*best)) best = &result;
  }
  return best;
}

std::string sentence_of(const GridResult& one, const GridResult& other) {
  const std::string how = comparison_of(one, other);
  const std::string words = how == "the same" ? "is as fast as" : fmt::format("is {} than", how);
  return fmt::format("SIFT on {} {} {} on this machine at {}×{}, {} keypoints: {:.4g} ms instead of {:.4g} ms.",
                     one.contender, words, other.contender, one.size.width, one.size.height, budget_of(one.budget),
                     median(one), median(other));
}

// What the page says first: the fastest device of Octavo beside the fastest OpenCV, otherwise beside the plain loops.
std::vector<std::string> headlines(std::span<const GridResult> results) {
  const ImageSize size = largest_size(results);
  const int budget = largest_budget(results);
  const auto is_own = [](const std::string& name) { return !is_of_opencv(name) && !is_reference(name); };
  const GridResult* const own = fastest(results, size, budget, is_own);
  const GridResult* const opencv = fastest(results, size, budget, is_of_opencv);
  const GridResult* const plain = fastest(results, size, budget, is_reference);
  if (own != nullptr && opencv != nullptr) return {sentence_of(*own, *opencv)};
  if (own != nullptr && plain != nullptr) return {sentence_of(*own, *plain)};
  const GridResult* const any = fastest(results, size, budget, [](const std::string&) { return true; });
  if (any == nullptr) return {};
  return {fmt::format("SIFT on {} takes {:.4g} ms on this machine at {}×{}, {} keypoints.", any->contender,
                      median(*any), size.width, size.height, budget_of(budget))};
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
      const GridResult* const other = result_at(results, base, name);
      row.push_back(other == nullptr ? "not measured" : comparison_of(*other, base));
    }
    table.rows.push_back(row);
  }
  return table;
}

// Why the measurements of a contender do not determine its costs.
std::string why_no_fit(std::span<const GridResult> own) {
  if (own.empty()) return "not measured, see the notes above";
  if (own.size() < least_cost_samples) {
    return fmt::format("{} measurements, but at least {} are needed: more --sizes or --points", own.size(),
                       least_cost_samples);
  }
  return "sizes and numbers of keypoints go together: other --sizes or --points";
}

Table cost_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  Table table{
      .header = {"contender", "how good the fit is", "constant [ms]", "per megapixel [ms]", "per 1000 keypoints [ms]"},
      .rows = {},
      .words = 2};
  const auto cost = [](double value) {
    return value <= 0 ? "none" : value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
  };
  for (const auto& [name, description] : circumstances.contenders) {
    const std::vector<GridResult> own = of(results, name);
    if (const std::optional<CostFit> fit = fit_of(own)) {
      const double error = 100 * fit->largest_error;
      table.rows.push_back({name,
                            fmt::format("within {:.0f} %{}", error, error > 30 ? ": the times vary too much" : ""),
                            cost(fit->constant), cost(fit->per_megapixel), cost(1000 * fit->per_keypoint)});
    } else {
      table.rows.push_back({name, why_no_fit(own), "–", "–", "–"});
    }
  }
  for (const std::string& absent : circumstances.absent) {
    const std::size_t colon = absent.find(": ");
    const std::string name = absent.substr(0, colon);
    const bool is_known =
        std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return row[0] == name; });
    if (colon == std::string::npos || is_known) continue;
    table.rows.push_back({name, absent.substr(colon + 2), "–", "–", "–"});
  }
  return table;
}

Table stage_table(std::span<const GridResult> results) {
  Table table{.header = {"contender", "size", "stage", "ms"}, .rows = {}, .words = 3};
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
  Table table{
      .header = {"contender", "size", "at most", "keypoints", "median [ms]", "quartiles", "least", "most", "runs"},
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
  Table contenders{.header = {"contender", "what it is"}, .rows = {}, .words = 2};
  for (const auto& [name, description] : circumstances.contenders) contenders.rows.push_back({name, description});
  PageSection intro{.heading = "Result",
                    .id = "result",
                    .conclusions = headlines(results),
                    .paragraphs = {fmt::format(
                        "Octavo {}, {}, {}. From pixels in host memory to features in host memory; medians of {} runs "
                        "after {} to warm up. Contenders take turns at each size and number of keypoints; one that has "
                        "taken {:g} second{} there is not run again.",
                        circumstances.version, circumstances.date, circumstances.machine, circumstances.timing.rounds,
                        circumstances.timing.warmup, circumstances.seconds, circumstances.seconds == 1 ? "" : "s")},
                    .tables = {contenders}};
  for (const std::string& absent : circumstances.absent) intro.notes.push_back("Not measured: " + absent + ".");
  page.sections = {intro, {.heading = "Plots", .id = "plots", .plots = plots_of(results)}};

  for (const auto& [name, description] : circumstances.contenders) {
    if (!is_baseline(name) || circumstances.contenders.size() < 2) continue;
    page.sections.push_back(
        {.heading = "Compared with " + name,
         .id = fmt::format("than-{}", page.sections.size()),
         .paragraphs = {"Times are called the same if the middle halves of their runs overlap, or if "
                        "they differ by less than 1 %."},
         .tables = {speedup_table(circumstances, results, name)}});
  }
  page.sections.push_back(
      {.heading = "What a megapixel and a keypoint cost",
       .id = "costs",
       .paragraphs = {"time = constant + megapixels · cost + keypoints · cost, the fit without negative costs that has "
                      "the smallest relative errors. None: too small to be told from 0."},
       .tables = {cost_table(circumstances, results)}});
  PageSection numbers{.heading = "Times and stages", .id = "times"};
  numbers.details.push_back(
      {.summary = "Every time: median, quartiles, least and most", .tables = {times_table(results)}});
  if (Table stages = stage_table(results); !stages.rows.empty()) {
    stages.title = "Medians over further extractions with the largest number of keypoints; on a GPU by its own clock";
    numbers.details.push_back({.summary = "Every stage of an extraction", .tables = {stages}});
  }
  page.sections.push_back(std::move(numbers));
  return page;
}

}  // namespace octavo
