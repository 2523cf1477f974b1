// Times SIFT of photographs on GPUs, by size of the image and by number of keypoints. It measures the work on the
// device alone, whole extractions from host memory to host memory, and the throughput with several different images in
// flight. The features may stay on the device and are matched there too. The CPU can be measured in the same way,
// without the work on the device alone and without features on a device. All features are compared with the CPU's,
// since the time of a wrong result has no meaning.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

#include "bench/gpu/contrast.h"
#include "bench/gpu/device_times.h"
#include "bench/gpu/extraction_times.h"
#include "bench/gpu/images.h"
#include "bench/gpu/throughput.h"
#include "bench/peers/record.h"
#include "bench/peers/timing.h"
#include "engine/device/registry.h"
#include "octavo/extractor.h"
#include "octavo/image.h"
#include "octavo/matcher.h"

namespace {

using Json = nlohmann::ordered_json;
using octavo::bench::median;
using octavo::bench::milliseconds;

const std::map<std::string, octavo::Rank> ranks{{"response", octavo::Rank::response},
                                                {"scale", octavo::Rank::scale},
                                                {"scaled-response", octavo::Rank::scaled_response}};

struct Call {
  std::vector<std::string> images, devices;
  std::string points_of, json_file;
  std::vector<std::size_t> points{500, 1000, 2000, 5000, 10000, 20000, 50000};
  std::vector<int> first_octaves{-1, 0};
  octavo::SiftOptions options = octavo::preset("opencv");  // of all measurements; the command line sets the budget
  int rounds = 50, stream = 200;
  std::size_t in_flight = 4;
};

// The measurement of one image on one device with one set of options.
class Measurement {
 public:
  Measurement(octavo::Image image, const std::string& device, const octavo::SiftOptions& options, int rounds)
      : image_(std::move(image)),
        options_(options),
        rounds_(rounds),
        cpu_(options, {.name = "cpu"}),
        extractor_(options, {.name = device}),
        times_(image_.view(), cpu_, extractor_, rounds) {}

  // Whether every result equals the CPU's.
  [[nodiscard]] bool same() const { return same_ && times_.same(); }

  Json whole_and_device() {
    Json row{{"device", extractor_.device()},
             {"first_octave", options_.first_octave},
             {"contrast_threshold", options_.contrast_threshold},
             {"width", image_.width()},
             {"height", image_.height()},
             {"keypoints", times_.expected().size()}};
    if (options_.max_features > 0) add_budget(row);
    if (times_.on_one_gpu()) {
      const std::vector<double> times = octavo::bench::device_times(
          octavo::resolve_device({.name = extractor_.device()}).open_gpu(), options_, image_.view(), rounds_);
      row["device_ms"] = median(times);
      row["device_smallest_ms"] = std::ranges::min(times);
    }
    times_.add_whole(row);
    return row;
  }

  void add_stream(Json& row, int count, std::size_t in_flight) {
    times_.add_stream(row, count, in_flight);
    const std::vector<octavo::Image> images = octavo::bench::moved_round(image_.view(), count);
    const auto kept = [&](octavo::Pixels pixels) {
      return octavo::bench::kept_stream_milliseconds(extractor_, images, in_flight, pixels) / count;
    };
    row["pipelined_kept_ms"] = kept(octavo::Pixels::until_submitted);
    row["pipelined_kept_lent_ms"] = kept(octavo::Pixels::until_collected);
  }

  // Matches the image with itself, from descriptors in host memory and from descriptors left on the device.
  void add_matching(Json& row) {
    octavo::Matcher matcher({}, {.name = extractor_.device()});
    const octavo::Features features = cpu_.extract(image_.view());
    const octavo::DeviceFeatures kept = extractor_.extract_on_device(image_.view());
    same_ = same_ && matcher.match(kept, kept) == matcher.match(features, features);
    std::vector<double> from_host, from_device;
    for (int i = 0; i < rounds_; ++i) {
      from_host.push_back(milliseconds([&] { matcher.match(features, features); }));
      from_device.push_back(milliseconds([&] { matcher.match(kept, kept); }));
    }
    row["match_ms"] = median(from_host);
    row["match_kept_ms"] = median(from_device);
  }

 private:
  void add_budget(Json& row) {
    octavo::SiftOptions all = options_;
    all.max_features = 0;
    row["max_features"] = options_.max_features;
    row["rank"] = std::ranges::find(ranks, options_.rank, &std::pair<const std::string, octavo::Rank>::second)->first;
    row["grid"] = options_.grid;
    row["chosen_from"] = octavo::Extractor(all, {.name = "cpu"}).extract(image_.view()).size();
  }

  octavo::Image image_;
  octavo::SiftOptions options_;
  int rounds_;
  octavo::Extractor cpu_, extractor_;
  octavo::bench::ExtractionTimes times_;
  bool same_ = true;
};

struct Bench {
  const Call& call;
  Json report;
  bool all_same = true;

  void add(const char* list, const std::string& file, const std::string& device, const octavo::SiftOptions& options,
           bool with_stream) {
    Measurement measurement(octavo::bench::read_pgm(file), device, options, call.rounds);
    Json row{{"image", file.substr(file.rfind('/') + 1)}};
    row.update(measurement.whole_and_device());
    if (with_stream) {
      measurement.add_stream(row, call.stream, call.in_flight);
      measurement.add_matching(row);
    }
    row["same_as_cpu"] = measurement.same();
    all_same = all_same && measurement.same();
    fmt::print("{}\n", row.dump());
    std::fflush(stdout);
    report[list].push_back(row);
  }

  void by_size() {
    octavo::SiftOptions options = call.options;
    for (const std::string& device : call.devices) {
      const bool with_stream = call.stream > 0 && device != "cpu" && device != "reference";
      for (const std::string& file : call.images) {
        for (const int first_octave : call.first_octaves) {
          options.first_octave = first_octave;
          add("results", file, device, options, with_stream);
        }
      }
    }
  }

  void by_points() {
    octavo::SiftOptions options = call.options;
    const octavo::Image image = octavo::bench::read_pgm(call.points_of);
    for (const std::size_t points : call.points) {
      const auto threshold = octavo::bench::contrast_threshold_for(points, image.view(), options);
      if (!threshold) {
        fmt::print(stderr, "{} has fewer than {} keypoints\n", call.points_of, points);
        continue;
      }
      options.contrast_threshold = *threshold;
      for (const std::string& device : call.devices) add("by_points", call.points_of, device, options, false);
    }
  }
};

}  // namespace

int main(int argc, char** argv) try {
  Call call;
  CLI::App app("Octavo's SIFT on GPUs: on the device alone, whole extractions, several in flight");
  app.add_option("PGM", call.images, "binary PGM files of 8 bits");
  app.add_option("--device", call.devices, "a device, or GPUs with commas between; may be given again")
      ->required()
      ->allow_extra_args(false);
  app.add_option("--rounds", call.rounds, "of which the median counts")->check(CLI::Range(1, 100'000));
  app.add_option("--first-octave", call.first_octaves, "-1, 0, or -1,0")->delimiter(',')->allow_extra_args(false);
  app.add_option("--images", call.stream, "in the stream that measures throughput, all different; 0: no such stream")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--in-flight", call.in_flight, "images of the stream that are unfinished at a time")
      ->check(CLI::Range(1, 1000));
  app.add_option("--points-of", call.points_of, "the PGM file that is measured with each number of --points");
  app.add_option("--points", call.points, "numbers of keypoints without a budget, by the contrast threshold")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
      "--preset", [&call](const std::string& name) { call.options = octavo::preset(name); },
      "SIFT's options: opencv, octavo, best …; stands before the budget");
  app.add_option("--max-features", call.options.max_features, "the budget; 0: none")->check(CLI::Range(0, 100'000'000));
  app.add_option("--rank", call.options.rank, "what the budget goes by")->transform(CLI::CheckedTransformer(ranks));
  app.add_option("--grid", call.options.grid, "share the budget among so many times so many cells")
      ->check(CLI::Range(1, 64));
  app.add_option("--pool", call.options.pool, "sizes of windows of a descriptor; 0: one window")
      ->check(CLI::Range(0, 32));
  app.add_option("--max-orientations", call.options.max_orientations, "keypoints per point")->check(CLI::Range(1, 36));
  app.add_option("--json", call.json_file, "also write the figures to this file");
  CLI11_PARSE(app, argc, argv);

  Bench bench{call, octavo::bench::record(argc, argv)};
  for (const octavo::Device& d : octavo::list_devices())
    bench.report["devices"].push_back(d.name + ": " + d.description);
  bench.report["rounds"] = call.rounds;
  bench.by_size();
  if (!call.points_of.empty()) bench.by_points();
  if (!call.json_file.empty()) std::ofstream(call.json_file) << bench.report.dump(2) << '\n';
  if (!bench.all_same) fmt::print(stderr, "the features are not those of the CPU\n");
  return bench.all_same ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
