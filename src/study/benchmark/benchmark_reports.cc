// From the names of images to what is told of a measurement.

#include "study/benchmark/benchmark_reports.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <array>
#include <ctime>
#include <span>
#include <string_view>

#include "io/files/output_file.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"
#include "study/benchmark/benchmark_page.h"
#include "study/benchmark/timed_work.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

// Refuses an output that cannot be written, or that is an input.
void require_output(const fs::path& file, std::span<const std::string_view> endings, std::span<const fs::path> read) {
  if (file.empty()) return;
  const std::array written{file};
  require_ending(written, endings);
  require_writable(written);
  require_not_read(written, read);
}

constexpr std::array<std::string_view, 3> endings_of_plots{".html", ".htm", ".svg"};
constexpr std::span endings_of_pages = std::span(endings_of_plots).first<2>();

// Results and plots are found by the name of their image.
void require_distinct_names(const GridReportJob& job, std::span<const ImageFile> images) {
  if (const auto same = same_name(images)) {
    throw Error(
        ErrorCode::invalid_option,
        fmt::format("{} and {} have the same name, so their times cannot be told apart; give them one call each",
                    same->first.file.string(), same->second.file.string()));
  }
  if (!job.chessboard) return;
  for (const ImageFile& image : images) {
    if (image.name != benchmark_chessboard().name) continue;
    throw Error(
        ErrorCode::invalid_option,
        fmt::format("{} has the name of the image of `chessboard`; give it a call of its own", image.file.string()));
  }
}

std::vector<BenchmarkImage> read_images(const GridReportJob& job, std::span<const ImageFile> files,
                                        const ProgressSink& progress) {
  std::vector<BenchmarkImage> images;
  for (const ImageFile& image : files) {
    report_item(progress, image.file.string());
    images.push_back(benchmark_image(image.name.string(), image.file, job.read));
  }
  if (job.chessboard) images.push_back(benchmark_chessboard());
  return images;
}

std::string grid_text(const BenchmarkCircumstances& circumstances, std::span<const GridResult> results) {
  std::string text = fmt::format("{}\n{}", circumstances.machine, text_of(times_table(circumstances, results)));
  for (const Table& table : {speed_table(circumstances, results), stage_table(circumstances, results)}) {
    if (!table.rows.empty()) text += "\n" + text_of(table);
  }
  for (const AbsentImplementation& one : circumstances.absent) text += "not measured: " + one.sentence() + "\n";
  for (const std::string& shortage : shortages(circumstances, results)) text += shortage + "\n";
  return text;
}

}  // namespace

BenchmarkReport report_grid(const GridReportJob& job, const ProgressSink& progress) {
  const ImageFiles inputs = find_images(job.places);
  if (!inputs.problems.empty()) throw Error(ErrorCode::file_error, inputs.problems.front());
  require_distinct_names(job, inputs.images);
  std::vector<fs::path> files;
  for (const ImageFile& image : inputs.images) files.push_back(image.file);
  require_output(job.page, endings_of_pages, files);
  DeviceOptions device = job.device;
  device.progress = progress;
  const Implementations implementations = implementations_of(job.devices, job.work, device);
  const std::vector<BenchmarkImage> images = read_images(job, inputs.images, progress);
  const GridMeasurements measured = measure_grid(images, job.grid, job.timing, implementations.all, progress);
  BenchmarkCircumstances circumstances{.version = OCTAVO_VERSION,
                                       .date = today(),
                                       .machine = machine_name(),
                                       .detector = std::string(detector_of(job.work.detector).title),
                                       .exact = job.work.exact,
                                       .images = {},
                                       .implementations = implementations.facts,
                                       .absent = implementations.absent,
                                       .timing = job.timing,
                                       .seconds = job.grid.seconds};
  for (const BenchmarkImage& image : images) circumstances.images.emplace_back(image.name, image.pixels);
  circumstances.absent.insert(circumstances.absent.end(), measured.problems.begin(), measured.problems.end());
  if (!job.page.empty()) write_file(job.page, html_of(benchmark_page(circumstances, measured.results), job.places));
  return {.json = benchmark_json(circumstances, measured.results),
          .text = grid_text(circumstances, measured.results),
          .is_measured = !measured.results.empty()};
}

BenchmarkReport report_pyramids(const PyramidReportJob& job, const ProgressSink& progress) {
  const bool is_noise = job.image.empty();
  require_output(job.plot, endings_of_plots, std::span(&job.image, is_noise ? 0 : 1));
  report_item(progress, "looking for the device");
  Pyramid(job.benchmark.scale_space, job.device);  // reports a wrong option before the image is read
  PyramidBenchmark benchmark = job.benchmark;
  if (is_noise && benchmark.sizes.empty()) benchmark.sizes = {{1920, 1080}};
  if (!is_noise) report_item(progress, job.image.string());
  PyramidMeasurements measured = measure_pyramids(job.image, job.read, benchmark, job.device, progress);
  measured.image = is_noise ? "noise" : job.image.string();
  measured.version = OCTAVO_VERSION;
  measured.date = today();
  measured.machine = machine_name();
  if (!job.plot.empty()) {
    const bool is_page = job.plot.extension() != ".svg" && job.plot.extension() != ".SVG";
    const std::string name = job.image.string();
    write_file(job.plot, is_page ? html_of(pyramid_page(measured), std::span(&name, 1)) : pyramid_svg(measured));
  }
  return {.json = pyramid_json(measured),
          .text = fmt::format("device {}, {}, {} threads\n{}\n{}", measured.device, measured.isa, measured.threads,
                              text_of(pyramid_times_table(measured)), text_of(pyramid_stages_table(measured)))};
}

BenchmarkReport report_filters(const FilterReportJob& job, const ProgressSink& progress) {
  const std::vector<std::string>& places = job.comparison.filter.input.places;
  require_output(job.page, endings_of_pages, std::vector<fs::path>(places.begin(), places.end()));
  FilterMeasurements measured = compare_filters(job.comparison, progress);
  measured.version = OCTAVO_VERSION;
  measured.date = today();
  measured.machine = machine_name();
  if (!job.page.empty()) write_file(job.page, html_of(filter_page(measured), places));
  BenchmarkReport report{.json = filter_tables_json(measured), .text = measured.machine + "\n"};
  for (const Table& table : {last_step_table(measured), steps_table(measured)}) {
    report.text += fmt::format("\n{}\n{}", table.title, text_of(table));
  }
  return report;
}

}  // namespace octavo
