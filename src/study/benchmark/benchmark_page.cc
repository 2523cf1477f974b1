// Tables and plots of the measurements. A speed-up is the ratio of two medians at one size and one budget, for which
// the implementations ran in turns. The cost per megapixel and per keypoint comes from a fit over all measurements of a
// implementation.

#include "study/benchmark/benchmark_page.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "io/json/json.h"
#include "study/benchmark/times_json.h"

namespace octavo {
namespace {

std::string size_of(const GridResult& result) { return fmt::format("{}x{}", result.size.width, result.size.height); }

std::string budget_of(int budget) { return budget == 0 ? "all" : fmt::format("{}", budget); }

double median(const GridResult& result) { return quartiles(result.milliseconds).median; }

bool same_task(const GridResult& a, const GridResult& b) {
  return a.image == b.image && a.size == b.size && a.budget == b.budget;
}

std::vector<GridResult> of(std::span<const GridResult> results, const std::string& implementation) {
  std::vector<GridResult> own;
  std::copy_if(results.begin(), results.end(), std::back_inserter(own),
               [&](const GridResult& result) { return result.implementation == implementation; });
  return own;
}

std::optional<CostFit> fit_of(std::span<const GridResult> own) {
  std::vector<CostSample> samples;
  for (const GridResult& result : own) {
    samples.push_back({result.megapixels(), static_cast<double>(result.keypoints), median(result)});
  }
  return fit_cost(samples);
}

// The largest size, and the largest budget, of some results. The budget "all" is the largest.
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

// Whether the speed of the others is compared with this implementation: the plain loops on one thread, the CPU, or
// OpenCV.
bool is_baseline(const ImplementationFacts& implementation) {
  return implementation.kind == ImplementationKind::cpu || implementation.kind == ImplementationKind::opencv ||
         (implementation.kind == ImplementationKind::reference && implementation.threads == 1);
}

bool has_several_images(const BenchmarkCircumstances& circumstances) { return circumstances.images.size() > 1; }

// "at most" and "exactly" as the header of a column of budgets.
std::string budget_header(const BenchmarkCircumstances& circumstances) {
  return circumstances.exact ? "asked for" : "at most";
}

const GridResult* result_at(std::span<const GridResult> results, const GridResult& task,
                            const std::string& implementation) {
  const auto found = std::find_if(results.begin(), results.end(), [&](const GridResult& result) {
    return same_task(task, result) && result.implementation == implementation;
  });
  return found == results.end() ? nullptr : &*found;
}

// How many times one is faster or slower than another, as people say it; none where they are the same: the middle
// halves of their times overlap.
std::optional<std::string> difference_of(const GridResult& one, const GridResult& other) {
  const Quartiles a = quartiles(one.milliseconds), b = quartiles(other.milliseconds);
  const double ratio = std::max(a.median, b.median) / std::min(a.median, b.median);
  const bool overlap = a.q1 <= b.q3 && b.q1 <= a.q3;
  if (overlap || ratio < 1.01) return {};
  const std::string times = ratio < 1.1  ? fmt::format("{:.2f}", ratio)
                            : ratio < 10 ? fmt::format("{:.1f}", ratio)
                                         : fmt::format("{:.0f}", ratio);
  return fmt::format("{}× {}", times, a.median < b.median ? "faster" : "slower");
}

bool is_own(ImplementationKind kind) { return kind == ImplementationKind::cpu || kind == ImplementationKind::gpu; }
bool is_of_opencv(ImplementationKind kind) { return kind == ImplementationKind::opencv; }
bool is_reference(ImplementationKind kind) { return kind == ImplementationKind::reference; }

// The fastest of the implementations at a task; null if there are none.
template <class Wanted>
const GridResult* fastest(std::span<const GridResult> results, const GridResult& task, const Wanted& wanted) {
  const GridResult* best = nullptr;
  for (const GridResult& result : results) {
    if (!same_task(task, result) || !wanted(result.kind)) continue;
    if (best == nullptr || median(result) < median(*best)) best = &result;
  }
  return best;
}

// Fewer runs have no quartiles to speak of. Five is a usual least number, and not tuned.
constexpr std::size_t least_runs_of_headline = 5;

std::string sentence_of(const BenchmarkCircumstances& circumstances, const GridResult& one, const GridResult& other) {
  const std::size_t runs = std::min(one.milliseconds.size(), other.milliseconds.size());
  if (runs < least_runs_of_headline) {
    return fmt::format("{} {} too few to say which implementation is faster: at least {} are needed (--rounds).", runs,
                       runs == 1 ? "run is" : "runs are", least_runs_of_headline);
  }
  const std::optional<std::string> difference = difference_of(one, other);
  const std::string words = difference ? fmt::format("is {} than", *difference) : "is as fast as";
  return fmt::format("{} on {} {} {} on this machine at {}×{}, {} keypoints: {:.4g} ms instead of {:.4g} ms.",
                     circumstances.detector, one.implementation, words, other.implementation, one.size.width,
                     one.size.height, budget_of(one.budget), median(one), median(other));
}

// What the page says first of an image: the fastest device of Octavo beside the fastest OpenCV, otherwise beside the
// plain loops. Empty if nothing was measured.
std::string headline(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results,
                     const GridResult& task) {
  const GridResult* const own = fastest(results, task, is_own);
  const GridResult* const opencv = fastest(results, task, is_of_opencv);
  const GridResult* const plain = fastest(results, task, is_reference);
  if (own != nullptr && opencv != nullptr) return sentence_of(circumstances, *own, *opencv);
  if (own != nullptr && plain != nullptr) return sentence_of(circumstances, *own, *plain);
  const GridResult* const any = fastest(results, task, [](ImplementationKind) { return true; });
  if (any == nullptr) return {};
  return fmt::format("{} on {} takes {:.4g} ms on this machine at {}×{}, {} keypoints.", circumstances.detector,
                     any->implementation, median(*any), task.size.width, task.size.height, budget_of(task.budget));
}

std::vector<std::string> headlines(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  std::vector<std::string> sentences;
  if (results.empty()) return sentences;
  for (const auto& [image, pixels] : circumstances.images) {
    const GridResult task{.implementation = {},
                          .image = image,
                          .size = largest_size(results),
                          .budget = largest_budget(results),
                          .milliseconds = {},
                          .stages = {},
                          .memory = {}};
    const std::string sentence = headline(circumstances, results, task);
    if (sentence.empty()) continue;
    sentences.push_back(has_several_images(circumstances) ? image + ": " + sentence : sentence);
  }
  return sentences;
}

// The names of those implementations, each once, with which the fastest is compared: the CPU on one thread, and the CPU
// and OpenCV on the most threads.
std::vector<std::string> baselines_of(const BenchmarkCircumstances& circumstances) {
  const std::vector<ImplementationFacts>& all = circumstances.implementations;
  std::vector<std::string> names;
  const auto add = [&](auto found) {
    if (found != all.end() && std::find(names.begin(), names.end(), found->name) == names.end()) {
      names.push_back(found->name);
    }
  };
  add(std::find_if(all.begin(), all.end(),
                   [](const auto& one) { return one.kind == ImplementationKind::cpu && one.threads == 1; }));
  for (const ImplementationKind kind : {ImplementationKind::cpu, ImplementationKind::opencv}) {
    auto most = all.end();
    for (auto one = all.begin(); one != all.end(); ++one) {
      if (one->kind == kind && (most == all.end() || one->threads > most->threads)) most = one;
    }
    add(most);
  }
  return names;
}

// The first result of each task.
std::vector<GridResult> tasks_of(std::span<const GridResult> results) {
  std::vector<GridResult> tasks;
  for (const GridResult& result : results) {
    const auto same = [&](const GridResult& task) { return same_task(task, result); };
    if (std::none_of(tasks.begin(), tasks.end(), same)) tasks.push_back(result);
  }
  return tasks;
}

// The first cells of a row about a task: the image if there are several, size and budget.
std::vector<std::string> cells_of(const BenchmarkCircumstances& circumstances, const GridResult& task) {
  std::vector<std::string> cells{size_of(task), budget_of(task.budget)};
  if (has_several_images(circumstances)) cells.insert(cells.begin(), task.image);
  return cells;
}

// Those that are compared with this baseline. Baselines before it are compared with it already.
std::vector<std::string> others_of(const BenchmarkCircumstances& circumstances, const std::string& baseline) {
  std::vector<std::string> others;
  bool is_before = true;
  for (const ImplementationFacts& implementation : circumstances.implementations) {
    if (implementation.name == baseline) {
      is_before = false;
    } else if (!is_before || !is_baseline(implementation)) {
      others.push_back(implementation.name);
    }
  }
  return others;
}

Table speedup_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results,
                    const std::string& baseline, const std::vector<std::string>& others) {
  Table table{.header = {has_several_images(circumstances) ? "image, size, keypoints" : "size, keypoints"}, .rows = {}};
  table.header.insert(table.header.end(), others.begin(), others.end());
  for (const GridResult& base : of(results, baseline)) {
    std::vector<std::string> row{fmt::format("{}", fmt::join(cells_of(circumstances, base), ", "))};
    for (const std::string& name : others) {
      const GridResult* const other = result_at(results, base, name);
      row.push_back(other == nullptr ? "not measured" : difference_of(*other, base).value_or("the same"));
    }
    table.rows.push_back(row);
  }
  return table;
}

// Why the measurements of an implementation do not determine its costs.
std::string why_no_fit(std::span<const GridResult> own) {
  if (own.empty()) return "not measured, see the notes above";
  if (own.size() < least_cost_samples) {
    return fmt::format("{} measurements, but at least {} are needed: more --sizes or --max-features", own.size(),
                       least_cost_samples);
  }
  return "sizes and numbers of keypoints go together: other --sizes or --max-features";
}

Table cost_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  Table table{.header = {"implementation", "how good the fit is", "constant [ms]", "per megapixel [ms]",
                         "per 1000 keypoints [ms]"},
              .rows = {},
              .words = 2};
  const auto cost = [](double value) {
    return value <= 0 ? "none" : value < 100 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
  };
  for (const ImplementationFacts& implementation : circumstances.implementations) {
    const std::string& name = implementation.name;
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
  for (const AbsentImplementation& absent : circumstances.absent) {
    table.rows.push_back({absent.name, absent.reason, "–", "–", "–"});
  }
  return table;
}

// The plots of the image with this index; of some results.
std::vector<PagePlot> plots_of(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results,
                               std::size_t image) {
  const ImageSize size = largest_size(results);
  const int budget = largest_budget(results);
  const std::string at_size = fmt::format("{}x{}", size.width, size.height);
  const std::string lines = "Lines connect the medians; bands reach from quartile to quartile.";
  const std::string prefix = has_several_images(circumstances) ? circumstances.images[image].first + ": time" : "Time";
  const std::string number = budget == 0           ? "all"
                             : circumstances.exact ? budget_of(budget)
                                                   : "at most " + budget_of(budget);
  return {
      {.plot = "by_size",
       .subject = fmt::format("{} {}", image, budget),
       .title = fmt::format("{} by size of the image, {} keypoints", prefix, number),
       .caption = lines},
      {.plot = "by_keypoints",
       .subject = fmt::format("{} {}", image, at_size),
       .title = fmt::format("{} by number of keypoints, {}×{}", prefix, size.width, size.height),
       .caption = lines},
      {.plot = "by_run",
       .subject = fmt::format("{} {} {}", image, at_size, budget),
       .title = fmt::format("{} of every run, {}×{}, {} keypoints", prefix, size.width, size.height, budget_of(budget)),
       .caption = "Each mark is one extraction, in the order in which they were run."}};
}

PageSection plots_section(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  PageSection section{.heading = "Plots", .id = "plots"};
  for (std::size_t image = 0; image < circumstances.images.size(); ++image) {
    for (PagePlot& plot : plots_of(circumstances, results, image)) section.plots.push_back(std::move(plot));
  }
  return section;
}

std::string words_of(const BenchmarkCircumstances& circumstances) {
  std::vector<std::string> names;
  for (const auto& [name, pixels] : circumstances.images) names.push_back(fmt::format("{} ({})", name, pixels));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string title_of(const BenchmarkCircumstances& circumstances) {
  std::vector<std::string> names;
  for (const auto& [name, pixels] : circumstances.images) {
    names.push_back(std::filesystem::path(name).filename().string());
  }
  return fmt::format("{} extraction: {}", circumstances.detector, fmt::join(names, ", "));
}

}  // namespace

std::vector<std::string> shortages(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  std::vector<std::string> sentences;
  if (!circumstances.exact) return sentences;
  for (const GridResult& result : results) {
    if (result.keypoints >= static_cast<std::size_t>(result.budget)) continue;
    const std::string sentence =
        fmt::format("{} at {} has {} keypoints by {}, fewer than {}", result.image, size_of(result), result.keypoints,
                    is_of_opencv(result.kind) ? "OpenCV" : "Octavo", result.budget);
    if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) sentences.push_back(sentence);
  }
  return sentences;
}

Table times_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  Table table{.header = {"implementation", "size", budget_header(circumstances), "keypoints", "median [ms]",
                         "quartiles", "least", "most", "runs", "memory [MiB]"},
              .rows = {}};
  if (has_several_images(circumstances)) {
    table.header.insert(table.header.begin() + 1, "image");
    table.words = 2;
  }
  for (const GridResult& result : results) {
    const Quartiles of_runs = quartiles(result.milliseconds);
    const auto [least, most] = std::minmax_element(result.milliseconds.begin(), result.milliseconds.end());
    std::vector<std::string> row = cells_of(circumstances, result);
    row.insert(row.begin(), result.implementation);
    const double mebibytes =
        result.memory ? static_cast<double>(result.memory->host + result.memory->device) / (1 << 20) : 0;
    for (const std::string& cell : {fmt::format("{}", result.keypoints), fmt::format("{:.3f}", of_runs.median),
                                    fmt::format("{:.3f}–{:.3f}", of_runs.q1, of_runs.q3), fmt::format("{:.3f}", *least),
                                    fmt::format("{:.3f}", *most), fmt::format("{}", result.milliseconds.size()),
                                    result.memory ? fmt::format("{:.0f}", mebibytes) : std::string("–")}) {
      row.push_back(cell);
    }
    table.rows.push_back(row);
  }
  return table;
}

Table speed_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  const std::vector<std::string> baselines = baselines_of(circumstances);
  Table table{.header = {"size", "keypoints", "fastest", "ms"}, .rows = {}, .words = 3};
  if (has_several_images(circumstances)) {
    table.header.insert(table.header.begin(), "image");
    table.words = 4;
  }
  for (const std::string& name : baselines) table.header.push_back("compared with " + name);
  for (const GridResult& task : tasks_of(results)) {
    const GridResult* const own = fastest(results, task, is_own);
    if (own == nullptr) continue;
    std::vector<std::string> row = cells_of(circumstances, task);
    row.push_back(own->implementation);
    row.push_back(fmt::format("{:.4g}", median(*own)));
    for (const std::string& name : baselines) {
      const GridResult* const base = result_at(results, task, name);
      row.push_back(base == nullptr ? "not measured"
                    : base == own   ? "itself"
                                    : difference_of(*own, *base).value_or("the same"));
    }
    table.rows.push_back(row);
  }
  return table;
}

namespace {

// The times of an implementation on an image, at each size, by the names of the stages in the order of the first size.
using StageRows = std::vector<std::pair<std::string, std::vector<std::string>>>;

StageRows stage_rows(std::span<const GridResult> results, const std::string& implementation, const std::string& image,
                     std::span<const ImageSize> sizes) {
  StageRows rows, whole;
  const auto put = [&](StageRows& into, const std::string& stage, std::size_t column, double milliseconds) {
    auto row = std::ranges::find(into, stage, &StageRows::value_type::first);
    if (row == into.end()) row = into.insert(into.end(), {stage, std::vector<std::string>(sizes.size(), "–")});
    row->second[column] = fmt::format("{:.3f}", milliseconds);
  };
  for (std::size_t column = 0; column < sizes.size(); ++column) {
    GridResult task;
    task.image = image;
    task.size = sizes[column];
    task.budget = largest_budget(results);
    const GridResult* const result = result_at(results, task, implementation);
    if (result == nullptr || result->stages.empty()) continue;
    for (const StageTime& stage : result->stages) put(rows, stage.stage, column, stage.milliseconds);
    put(whole, "whole", column, median(*result));
  }
  rows.insert(rows.end(), whole.begin(), whole.end());
  return rows;
}

}  // namespace

Table stage_table(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  const bool several = has_several_images(circumstances);
  Table table{.header = {"implementation", "stage [ms]"}, .rows = {}, .words = 2};
  if (several) {
    table.header.insert(table.header.begin() + 1, "image");
    table.words = 3;
  }
  std::vector<ImageSize> sizes;
  for (const GridResult& result : results) {
    if (std::find(sizes.begin(), sizes.end(), result.size) == sizes.end()) sizes.push_back(result.size);
  }
  for (const ImageSize size : sizes) table.header.push_back(fmt::format("{}x{}", size.width, size.height));
  for (const ImplementationFacts& facts : circumstances.implementations) {
    for (const auto& [image, pixels] : circumstances.images) {
      const StageRows rows = stage_rows(results, facts.name, image, sizes);
      for (const auto& [stage, cells] : rows) {
        std::vector<std::string> row{facts.name, stage};
        if (several) row.insert(row.begin() + 1, image);
        row.insert(row.end(), cells.begin(), cells.end());
        table.rows.push_back(row);
      }
    }
  }
  return table;
}

std::string benchmark_json(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  auto implementations = Json::array(), measured = Json::array(), fits = Json::array();
  for (const ImplementationFacts& implementation : circumstances.implementations) {
    implementations.push_back({{"name", implementation.name}, {"description", implementation.description}});
    if (const auto fit = fit_of(of(results, implementation.name))) {
      fits.push_back({{"implementation", implementation.name},
                      {"constant_seconds", fit->constant / 1000},
                      {"megapixel_seconds", fit->per_megapixel / 1000},
                      {"keypoint_seconds", fit->per_keypoint / 1000},
                      {"largest_error", fit->largest_error}});
    }
  }
  for (const GridResult& result : results) {
    auto memory = Json();
    if (result.memory) memory = {{"host_bytes", result.memory->host}, {"device_bytes", result.memory->device}};
    Json one{{"implementation", result.implementation},
             {"image", result.image},
             {"width", result.size.width},
             {"height", result.size.height},
             {"max_features", result.budget},
             {"keypoint_count", result.keypoints}};
    one.update(times_json(result.milliseconds, result.stages));
    one["memory"] = memory;
    measured.push_back(one);
  }
  auto images = Json::array(), problems = Json::array();
  for (const AbsentImplementation& one : circumstances.absent) problems.push_back(one.sentence());
  for (const auto& [name, pixels] : circumstances.images) images.push_back({{"name", name}, {"pixels", pixels}});
  const Json report{{"detector", circumstances.detector},
                    {"images", images},
                    {"exact", circumstances.exact},
                    {"octavo", circumstances.version},
                    {"date", circumstances.date},
                    {"machine", circumstances.machine},
                    {"rounds", circumstances.timing.rounds},
                    {"warmup", circumstances.timing.warmup},
                    {"seconds", circumstances.seconds},
                    {"implementations", implementations},
                    {"problems", problems},
                    {"results", measured},
                    {"cost_fits", fits}};
  return json_text(report);
}

ReportPage benchmark_page(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  ReportPage page{.subject = PageSubject::benchmark,
                  .title = title_of(circumstances),
                  .json = benchmark_json(circumstances, results)};
  Table implementations{.header = {"implementation", "what it is"}, .rows = {}, .words = 2};
  for (const ImplementationFacts& one : circumstances.implementations)
    implementations.rows.push_back({one.name, one.description});
  PageSection intro{
      .heading = "Result",
      .id = "result",
      .conclusions = headlines(circumstances, results),
      .paragraphs = {fmt::format(
          "Octavo {}, {}, {}. {}. From pixels in host memory to features in host memory, with grey and "
          "transfers; medians of {} runs after {} to warm up. Implementations take turns at each size and "
          "number of keypoints; one that has taken {:g} second{} there is not run again.{}",
          circumstances.version, circumstances.date, circumstances.machine, words_of(circumstances),
          circumstances.timing.rounds, circumstances.timing.warmup, circumstances.seconds,
          circumstances.seconds == 1 ? "" : "s",
          circumstances.exact ? " Each implementation keeps the given number of strongest keypoints, whatever "
                                "their contrast."
                              : "")},
      .tables = {}};
  if (Table fastest = speed_table(circumstances, results); !fastest.rows.empty()) {
    // Without the comparisons, which have sections of their own.
    fastest.header.resize(fastest.words + 1);
    for (std::vector<std::string>& row : fastest.rows) row.resize(fastest.words + 1);
    intro.tables.push_back(std::move(fastest));
  }
  intro.tables.push_back(implementations);
  for (const AbsentImplementation& absent : circumstances.absent) {
    intro.notes.push_back("Not measured: " + absent.sentence() + ".");
  }
  for (const std::string& shortage : shortages(circumstances, results)) intro.notes.push_back(shortage + ".");
  page.sections.push_back(std::move(intro));
  if (!results.empty()) page.sections.push_back(plots_section(circumstances, results));

  for (const ImplementationFacts& implementation : circumstances.implementations) {
    const std::vector<std::string> others = others_of(circumstances, implementation.name);
    if (!is_baseline(implementation) || others.empty()) continue;
    page.sections.push_back(
        {.heading = "Compared with " + implementation.name,
         .id = fmt::format("than-{}", page.sections.size()),
         .paragraphs = {"Times are called the same if the middle halves of their runs overlap, or if "
                        "they differ by less than 1 %."},
         .tables = {speedup_table(circumstances, results, implementation.name, others)}});
  }
  page.sections.push_back(
      {.heading = "What a megapixel and a keypoint cost",
       .id = "costs",
       .paragraphs = {"time = constant + megapixels · cost + keypoints · cost, the fit without negative costs that has "
                      "the smallest relative errors. None: too small to be told from 0."},
       .tables = {cost_table(circumstances, results)}});
  PageSection numbers{.heading = "Times and stages", .id = "times"};
  numbers.details.push_back(
      {.summary = "Every time: median, quartiles, least and most", .tables = {times_table(circumstances, results)}});
  if (Table stages = stage_table(circumstances, results); !stages.rows.empty()) {
    stages.title =
        "Medians over further extractions with the largest number of keypoints; on a GPU by its own clock. \"Whole\" "
        "is "
        "the median of the timed runs";
    numbers.details.push_back({.summary = "Every stage of an extraction", .tables = {stages}});
  }
  page.sections.push_back(std::move(numbers));
  return page;
}

}  // namespace octavo
