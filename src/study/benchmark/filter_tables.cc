// Times the filter on devices in turns, and tells the steps as tables, JSON and a page.

#include "study/benchmark/filter_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "io/json/json.h"
#include "octavo/error.h"
#include "study/benchmark/named_implementation.h"
#include "study/benchmark/sized_images.h"
#include "study/benchmark/times_json.h"

namespace octavo {
namespace {

constexpr std::array steps{"grey", "range", "scaling", "levels", "order", "smoothing", "windows"};

// The devices, each GPU in both orders, and what makes their filters.
struct Contestant {
  FilterImplementation facts;
  TrilateralOptions options;
  DeviceOptions device;
};

std::vector<std::string> usual_devices() {
  std::vector<std::string> names;
  for (const DeviceOptions& device : devices_to_compare()) {
    if (device.name == "reference") continue;
    names.push_back(device.threads > 0 ? fmt::format("{}@{}", device.name, device.threads) : device.name);
  }
  return names;
}

std::vector<Contestant> contestants_of(const FilterComparison& comparison, const ProgressSink& progress) {
  std::vector<Contestant> all;
  for (const std::string& name : comparison.devices.empty() ? usual_devices() : comparison.devices) {
    report_item(progress, name);
    const DeviceOptions device = device_named(name, comparison.filter.device);
    const BenchmarkPlace place = [&] {
      try {
        return BenchmarkPlace(Trilateral(comparison.filter.options, device));
      } catch (const Error& error) {
        if (error.option() != "device") throw;
        refuse_device(name, std::string(error.reason()));
      }
    }();
    const bool is_gpu = place.isa == "cuda" || place.isa == "opencl";
    const auto add = [&](TrilateralOrder order, const std::string& how) {
      TrilateralOptions options = comparison.filter.options;
      options.trilateral_order = order;
      all.push_back({{place.device + ", " + how, place.device, order, is_gpu}, options, device});
    };
    if (is_gpu) {
      add(TrilateralOrder::rows, "in rows");
      add(TrilateralOrder::windows, "by windows");
    } else {
      add(TrilateralOrder::windows, fmt::format("{} thread{}", place.threads, place.threads == 1 ? "" : "s"));
    }
  }
  return all;
}

std::string in_milliseconds(double time) { return time > 0 ? fmt::format("{:.3f}", time) : "-"; }

// The gain of one time over another; nothing to tell where one is missing.
std::string gain(double before, double after) {
  return before > 0 && after > 0 ? fmt::format("{:.2f}", before / after) : "-";
}

std::string size_text(ImageSize size) { return fmt::format("{}x{}", size.width, size.height); }

}  // namespace

double FilterTimes::step(std::string_view stage) const {
  double sum = 0;
  for (const StageTime& one : times.stages) {
    if (one.stage == stage) sum += one.milliseconds;
  }
  return sum;
}

double FilterTimes::last_step(TrilateralOrder order) const {
  return step("windows") + (order == TrilateralOrder::windows ? step("order") : 0);
}

FilterMeasurements compare_filters(const FilterComparison& comparison, const ProgressSink& progress) {
  validate(comparison.filter.timing);
  validate(comparison.filter.options);
  const std::vector<Contestant> contestants = contestants_of(comparison, progress);
  FilterMeasurements measured{.filter = comparison.filter};
  for (const Contestant& one : contestants) measured.implementations.push_back(one.facts);
  std::deque<Trilateral> filters;  // each image has its own, since a GPU allocates new buffers when the size changes
  std::vector<TimedJob> jobs;
  const std::vector<std::vector<SizedImage>> by_size = images_by_size(comparison.filter.input, progress);
  for (const std::vector<SizedImage>& images : by_size) {
    for (const SizedImage& sized : images) {
      for (std::size_t i = 0; i < contestants.size(); ++i) {
        report_item(progress, fmt::format("{}, {}, first run", sized.subject(), contestants[i].facts.name));
        Trilateral& filter = filters.emplace_back(contestants[i].options, contestants[i].device);
        const ImageView image = sized.image.view();
        filter.filter(image);
        measured.times.push_back({i, sized.name, {image.width, image.height}, filter.work().taps, {}});
        jobs.push_back({.name = fmt::format("{} at {}, {}", sized.name, size_text({image.width, image.height}),
                                            contestants[i].facts.name),
                        .run = [&filter, image] { filter.filter(image); },
                        .stages =
                            [&filter, image] {
                              std::vector<StageTime> times;
                              filter.filter(image, &times);
                              return times;
                            }});
      }
    }
  }
  std::vector<JobTimes> times = time_jobs(jobs, comparison.filter.timing, progress);
  for (std::size_t i = 0; i < times.size(); ++i) measured.times[i].times = std::move(times[i]);
  return measured;
}

Table last_step_table(const FilterMeasurements& measured) {
  const std::vector<FilterImplementation>& all = measured.implementations;
  Table table{.title = "The last step [ms]", .header = {"image", "size", "taps"}, .rows = {}, .words = 2};
  for (const FilterImplementation& one : all) table.header.push_back(one.name);
  const auto cpu = std::ranges::find(all, false, &FilterImplementation::is_gpu) - all.begin();
  const bool has_cpu = cpu < std::ssize(all);
  for (const FilterImplementation& one : all) {
    if (!one.is_gpu || one.order != TrilateralOrder::windows) continue;
    if (has_cpu) table.header.push_back(fmt::format("{} over {}", one.device, all[static_cast<std::size_t>(cpu)].name));
    table.header.push_back(one.device + ", gain of the order");
  }
  for (std::size_t first = 0; first < measured.times.size(); first += all.size()) {
    const auto last_step = [&](std::size_t i) { return measured.times[first + i].last_step(all[i].order); };
    const FilterTimes& one = measured.times[first];
    std::vector<std::string> row{one.image, size_text(one.size), fmt::format("{:.0f}", one.taps)};
    for (std::size_t i = 0; i < all.size(); ++i) row.push_back(in_milliseconds(last_step(i)));
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (!all[i].is_gpu || all[i].order != TrilateralOrder::windows) continue;
      if (has_cpu) row.push_back(gain(last_step(static_cast<std::size_t>(cpu)), last_step(i)));
      row.push_back(gain(last_step(i - 1), last_step(i)));  // the same GPU in rows stands before it
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table steps_table(const FilterMeasurements& measured) {
  Table table{.title = "Steps [ms]", .header = {"image", "size", "device"}, .rows = {}, .words = 3};
  for (const char* const step : steps) table.header.emplace_back(step);
  table.header.insert(table.header.end(), {"all steps", "whole"});
  for (const FilterTimes& one : measured.times) {
    const FilterImplementation& by = measured.implementations[one.implementation];
    std::vector<std::string> row{one.image, size_text(one.size), by.name};
    double sum = 0;
    for (const char* const step : steps) {
      const bool is_listing = by.order == TrilateralOrder::rows && std::string_view(step) == "order";
      const double time = is_listing ? 0 : one.step(step);
      row.push_back(in_milliseconds(time));
      sum += time;
    }
    row.push_back(in_milliseconds(sum));
    row.push_back(in_milliseconds(one.times.milliseconds.median));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string filter_tables_json(const FilterMeasurements& measured) {
  auto implementations = Json::array(), results = Json::array();
  for (const FilterImplementation& one : measured.implementations) implementations.push_back({{"name", one.name}});
  for (const FilterTimes& one : measured.times) {
    const FilterImplementation& by = measured.implementations[one.implementation];
    Json result{{"implementation", by.name},
                {"device", by.device},
                {"trilateral_order", by.order == TrilateralOrder::rows ? "rows" : "windows"},
                {"image", one.image},
                {"width", one.size.width},
                {"height", one.size.height},
                {"tap_count", one.taps}};
    result.update(times_json(one.times.runs, one.times.stages));
    result["last_step_seconds"] = one.last_step(by.order) / 1000;
    results.push_back(result);
  }
  Json options = parse_json(json_of(option_table<TrilateralOptions>(), measured.filter.options));
  options.erase("trilateral_order");
  return json_text({{"octavo", measured.version},
                    {"date", measured.date},
                    {"machine", measured.machine},
                    {"rounds", measured.filter.timing.rounds},
                    {"warmup", measured.filter.timing.warmup},
                    {"options", options},
                    {"implementations", implementations},
                    {"results", results}});
}

ReportPage filter_page(const FilterMeasurements& measured) {
  ReportPage page{.subject = PageSubject::benchmark,
                  .title = "The trilateral filter by steps",
                  .json = filter_tables_json(measured)};
  page.sections.push_back(
      {.heading = "The last step",
       .id = "last-step",
       .paragraphs = {fmt::format("Octavo {}, {}, {}. Medians of {} runs after {} to warm up; the devices take turns.",
                                  measured.version, measured.date, measured.machine, measured.filter.timing.rounds,
                                  measured.filter.timing.warmup),
                      "The sums over the windows alone, by a GPU's own clock. \"In rows\" a GPU takes neighbours "
                      "together, \"by windows\" pixels with windows of one size, and putting them in order is part of "
                      "the time. All give the same image. (Sawada 2024, table 5.2)"},
       .tables = {last_step_table(measured)}});
  PageSection plots{.heading = "By size", .id = "plots"};
  std::vector<std::string> images;
  for (const FilterTimes& one : measured.times) {
    if (std::ranges::find(images, one.image) == images.end()) images.push_back(one.image);
  }
  for (const std::string& image : images) {
    plots.plots.push_back({.plot = "last_step",
                           .subject = image,
                           .title = "The last step: " + image,
                           .caption = "Medians; lines connect the sizes."});
  }
  page.sections.push_back(std::move(plots));
  page.sections.push_back(
      {.heading = "Steps",
       .id = "steps",
       .paragraphs = {"Each step, and all of them, without the upload and the download of the image; \"whole\" is the "
                      "wall time with both. A CPU puts pixels in order within its windows. (Sawada 2024, table 4.1)"},
       .tables = {steps_table(measured)}});
  return page;
}

}  // namespace octavo
