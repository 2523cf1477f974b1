// Times FOAGDD corners of photographs and of chessboards, on GPUs and the CPU: the recorded work on the device alone,
// whole extractions from host memory to host memory, their stages, and throughput with several images in flight.
// Corners are compared with the CPU's, since the time of a wrong result has no meaning.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "bench/gpu/device_times.h"
#include "bench/gpu/extraction_times.h"
#include "bench/gpu/images.h"
#include "bench/peers/record.h"
#include "bench/peers/timing.h"
#include "engine/device/registry.h"
#include "engine/foagdd/foagdd_gpu.h"
#include "engine/selftest/images.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"

namespace {

using Json = nlohmann::ordered_json;
using octavo::bench::median;
using octavo::bench::milliseconds;

struct Call {
  std::vector<std::string> images, devices, chessboards, resized_boards;
  std::vector<int> threads{0};
  std::string json_file;
  octavo::FoagddOptions options;
  int rounds = 50, stream = 200;
  std::size_t in_flight = 4;
};

octavo::ImageSize size_of_board(const std::string& text) {
  octavo::ImageSize size;
  if (std::sscanf(text.c_str(), "%dx%d", &size.width, &size.height) != 2 || size.width < 1 || size.height < 8) {
    throw std::runtime_error("a chessboard wants WIDTHxHEIGHT, at least 1x8, not " + text);
  }
  return size;
}

// A chessboard that has eight squares from top to bottom.
octavo::Image chessboard(octavo::ImageSize size) {
  return octavo::images::checkerboard(size.width, size.height, size.height / 8);
}

// The board of 512×512 pixels in another size, each pixel the nearest one, as Stahl (2023) made his sizes of one image.
octavo::Image resized_board(octavo::ImageSize size) {
  constexpr int side = 512;
  const octavo::Image board = chessboard({side, side});
  octavo::Image resized(size.width, size.height, 1, octavo::PixelType::u8);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) resized.row(y)[x] = board.row(y * side / size.height)[x * side / size.width];
  }
  return resized;
}

std::vector<double> device_times(const std::string& device, const octavo::FoagddOptions& options,
                                 const octavo::ImageView& image, int rounds) {
  const std::shared_ptr<octavo::Gpu> gpu = octavo::resolve_device({.name = device}).open_gpu();
  octavo::FoagddGpu foagdd(options, gpu, gpu->queue());
  return octavo::bench::device_times(foagdd, image, rounds);
}

struct Bench {
  const Call& call;
  Json report;
  bool all_same = true;

  void measure(const std::string& name, const octavo::Image& image, const octavo::DeviceOptions& device) {
    octavo::Foagdd cpu(call.options, {.name = "cpu"}), foagdd(call.options, device);
    octavo::bench::ExtractionTimes times(image.view(), cpu, foagdd, call.rounds);
    Json row{{"image", name},
             {"device", foagdd.device()},
             {"threads", foagdd.threads()},
             {"isa", foagdd.isa()},
             {"width", image.width()},
             {"height", image.height()},
             {"corners", times.expected().size()}};
    if (times.on_one_gpu()) {
      const std::vector<double> alone = device_times(foagdd.device(), call.options, image.view(), call.rounds);
      if (!alone.empty()) row["device_ms"] = median(alone);
      if (!alone.empty()) row["device_smallest_ms"] = std::ranges::min(alone);
    }
    row["filters_ms"] = milliseconds([&] { octavo::plan_foagdd(call.options); });
    times.add_whole(row);
    if (call.stream > 0 && foagdd.best_in_flight() > 1) times.add_stream(row, call.stream, call.in_flight);
    row["same_as_cpu"] = times.same();
    all_same = all_same && times.same();
    fmt::print("{}\n", row.dump());
    std::fflush(stdout);
    report["results"].push_back(row);
  }

  void run() {
    for (const std::string& device : call.devices) {
      for (const int threads : call.threads) {
        const octavo::DeviceOptions options{.name = device, .threads = threads};
        for (const std::string& size : call.chessboards) {
          measure("chessboard", chessboard(size_of_board(size)), options);
        }
        for (const std::string& size : call.resized_boards) {
          measure("resized board", resized_board(size_of_board(size)), options);
        }
        for (const std::string& file : call.images) {
          measure(file.substr(file.rfind('/') + 1), octavo::bench::read_pgm(file), options);
        }
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv) try {
  Call call;
  CLI::App app("Octavo's FOAGDD corners: on the device alone, whole extractions and their stages, several in flight");
  app.add_option("PGM", call.images, "binary PGM files of 8 bits");
  app.add_option("--chessboard", call.chessboards, "sizes of boards to make and measure, as 512x512,640x480")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--resized-board", call.resized_boards, "sizes of one board of 512x512, resized to the nearest pixel")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--device", call.devices, "a device; may be given again")->required()->allow_extra_args(false);
  app.add_option("--threads", call.threads, "of the CPU, as 1,2; 0: as many as it has")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--rounds", call.rounds, "of which the median counts")->check(CLI::Range(1, 100'000));
  app.add_option("--images", call.stream, "in the stream that measures throughput, all different; 0: no such stream")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--in-flight", call.in_flight, "images of the stream that are unfinished at a time")
      ->check(CLI::Range(1, 1000));
  app.add_option("--directions", call.options.directions, "in which the image is filtered");
  app.add_option("--verify-scales", call.options.verify_scales, "at which a corner must stand");
  app.add_option("--window", call.options.window, "by which a pixel is judged");
  app.add_option("--json", call.json_file, "also write the figures to this file");
  CLI11_PARSE(app, argc, argv);

  Bench bench{call, octavo::bench::record(argc, argv)};
  for (const octavo::Device& d : octavo::list_devices()) {
    bench.report["devices"].push_back(d.name + ": " + d.description);
  }
  bench.report["rounds"] = call.rounds;
  bench.run();
  if (!call.json_file.empty()) std::ofstream(call.json_file) << bench.report.dump(2) << '\n';
  if (!bench.all_same) fmt::print(stderr, "the corners are not those of the CPU\n");
  return bench.all_same ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
