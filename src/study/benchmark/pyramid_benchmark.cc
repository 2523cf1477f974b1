// Times the pyramids of an image, and reports them as tables, JSON and a page.

#include "study/benchmark/pyramid_benchmark.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <random>
#include <utility>

#include "io/images/resize.h"
#include "io/json/json.h"
#include "octavo/io/image_files.h"
#include "study/benchmark/times_json.h"

namespace octavo {
namespace {

std::string_view word_of(GreyOn grey) { return grey == GreyOn::device ? "device" : "host"; }

Image coloured_noise(ImageSize size) {
  Image image(size.width, size.height, 3, PixelType::u8);
  std::mt19937 random(1);
  for (int y = 0; y < size.height; ++y) {
    for (std::ptrdiff_t i = 0; i < image.stride(); ++i) image.row(y)[i] = static_cast<std::byte>(random() & 255);
  }
  return image;
}

// The time of a run on the device itself.
double on_device(const std::vector<StageTime>& stages) {
  double sum = 0;
  for (const StageTime& stage : stages) {
    if (stage.stage != "upload" && stage.stage != "grey on the host") sum += stage.milliseconds;
  }
  return sum;
}

std::string text_of(double milliseconds) { return fmt::format("{:.3f}", milliseconds); }

std::string title_of_pyramids(const PyramidMeasurements& measured) {
  return "Pyramids: " + std::filesystem::path(measured.image).filename().string();
}

// One job: an image in one size, with grey made in one place.
struct Task {
  ImageSize size;
  GreyOn grey;
  Pyramid pyramid;
};

}  // namespace

std::string PyramidTimes::name(bool on_gpu) const {
  return fmt::format("{}x{}, grey on the {}{}", size.width, size.height, word_of(grey),
                     !on_gpu ? ""
                     : whole ? ", with upload"
                             : ", on the GPU alone");
}

PyramidMeasurements measure_pyramids(const std::filesystem::path& file, const ReadOptions& read,
                                     const PyramidBenchmark& benchmark, const DeviceOptions& device,
                                     const ProgressSink& progress) {
  validate(benchmark.timing);
  const Image image = file.empty() ? coloured_noise(benchmark.sizes.at(0)) : read_image(file, read);
  DeviceOptions silent = device;  // a loop on the CPU would tell each of its pieces
  silent.progress = {};
  std::vector<Image> resized;
  for (const ImageSize& size : benchmark.sizes) resized.push_back(resize_and_crop(image.view(), size));
  std::vector<ImageView> views;
  for (const Image& one : resized) views.push_back(one.view());
  if (views.empty()) views.push_back(image.view());

  std::deque<Task> tasks;
  std::vector<TimedJob> jobs;
  for (const ImageView& view : views) {
    for (const GreyOn grey : benchmark.grey) {
      // Each job has its own pyramid, since a pyramid on a GPU allocates new buffers whenever the size changes.
      Task& task = tasks.emplace_back(
          Task{{view.width, view.height}, grey, Pyramid(benchmark.scale_space, silent, {.grey = grey})});
      jobs.push_back({.name = PyramidTimes{task.size, grey, true, {}, {}}.name(false),
                      .run = [&task, view] { task.pyramid.compute(view); },
                      .stages =
                          [&task, view] {
                            std::vector<StageTime> times;
                            task.pyramid.compute(view, &times);
                            return times;
                          }});
    }
  }
  const std::vector<JobTimes> times = time_jobs(jobs, benchmark.timing, progress);

  const Pyramid& pyramid = tasks.front().pyramid;
  PyramidMeasurements measured{.device = pyramid.device(),
                               .isa = pyramid.isa(),
                               .threads = pyramid.threads(),
                               .on_gpu = pyramid.isa() == "cuda" || pyramid.isa() == "opencl",
                               .benchmark = benchmark,
                               .times = {}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    measured.times.push_back({tasks[i].size, tasks[i].grey, true, times[i].runs, times[i].stages});
    if (!measured.on_gpu) continue;
    PyramidTimes alone{tasks[i].size, tasks[i].grey, false, {}, {}};
    for (const std::vector<StageTime>& stages : times[i].runs_of_stages) {
      alone.milliseconds.push_back(on_device(stages));
    }
    measured.times.push_back(std::move(alone));
  }
  return measured;
}

Table pyramid_times_table(const PyramidMeasurements& measured) {
  Table table{.header = {"pyramid", "median [ms]", "quartiles", "least", "most", "runs"}, .rows = {}};
  for (const PyramidTimes& times : measured.times) {
    const Quartiles of_runs = quartiles(times.milliseconds);
    const auto [least, most] = std::minmax_element(times.milliseconds.begin(), times.milliseconds.end());
    table.rows.push_back({times.name(measured.on_gpu), text_of(of_runs.median),
                          fmt::format("{:.3f}–{:.3f}", of_runs.q1, of_runs.q3), text_of(*least), text_of(*most),
                          std::to_string(times.milliseconds.size())});
  }
  return table;
}

Table pyramid_stages_table(const PyramidMeasurements& measured) {
  Table table{.header = {"pyramid", "stage", "median [ms]"}, .rows = {}, .words = 2};
  for (const PyramidTimes& times : measured.times) {
    for (const StageTime& stage : times.stages) {
      table.rows.push_back({times.name(false), stage.stage, text_of(stage.milliseconds)});
    }
  }
  return table;
}

std::string pyramid_json(const PyramidMeasurements& measured) {
  auto list = Json::array();
  for (const PyramidTimes& times : measured.times) {
    Json one{{"name", times.name(measured.on_gpu)},
             {"width", times.size.width},
             {"height", times.size.height},
             {"grey_on", word_of(times.grey)},
             {"whole", times.whole}};
    one.update(times_json(times.milliseconds, times.stages));
    list.push_back(one);
  }
  const PyramidBenchmark& benchmark = measured.benchmark;
  const Json json{{"image", measured.image},
                  {"octavo", measured.version},
                  {"date", measured.date},
                  {"machine", measured.machine},
                  {"device", measured.device},
                  {"isa", measured.isa},
                  {"threads", measured.threads},
                  {"rounds", benchmark.timing.rounds},
                  {"warmup", benchmark.timing.warmup},
                  {"options", parse_json(json_of(option_table<SiftOptions>(), benchmark.scale_space))},
                  {"pyramids", list}};
  return json_text(json);
}

ReportPage pyramid_page(const PyramidMeasurements& measured) {
  ReportPage page{
      .subject = PageSubject::benchmark, .title = title_of_pyramids(measured), .json = pyramid_json(measured)};
  const PyramidTimes& first = measured.times.front();
  page.sections.push_back(
      {.heading = "Result",
       .id = "result",
       .conclusions = {fmt::format("The pyramid of {}×{} pixels takes {:.4g} ms on {}.", first.size.width,
                                   first.size.height, quartiles(first.milliseconds).median, measured.device)},
       .paragraphs = {fmt::format("Octavo {}, {}, {}; {}, {}, {} threads. Grey, blurs and differences, from pixels in "
                                  "host memory to the pyramid where it is made; {} iterations after {} to warm up.",
                                  measured.version, measured.date, measured.machine, measured.device, measured.isa,
                                  measured.threads, measured.benchmark.timing.rounds,
                                  measured.benchmark.timing.warmup)},
       .tables = {pyramid_times_table(measured)}});
  std::vector<PagePlot> plots;
  for (std::size_t i = 0; i < measured.times.size(); ++i) {
    plots.push_back({.plot = "iterations",
                     .subject = std::to_string(i),
                     .title = measured.times[i].name(measured.on_gpu),
                     .caption = "Each mark is one iteration; lines mark the median and the quartiles."});
  }
  page.sections.push_back({.heading = "Every iteration", .id = "iterations", .plots = std::move(plots)});
  page.sections.push_back({.heading = "Stages",
                           .id = "stages",
                           .paragraphs = {"Medians over iterations of their own; on a GPU by its own clock."},
                           .tables = {pyramid_stages_table(measured)}});
  return page;
}

}  // namespace octavo
