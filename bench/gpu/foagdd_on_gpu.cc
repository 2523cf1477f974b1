// FOAGDD corners of photographs on GPUs and the CPU: whole detections, from an image in host memory to corners there,
// and each stage by the device's own clock. Corners are compared with the CPU's: a wrong answer has no speed.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "bench/gpu/pictures.h"
#include "bench/peers/record.h"
#include "bench/peers/timing.h"
#include "foagdd/foagdd.h"

namespace {

using Json = nlohmann::ordered_json;
using octavo::bench::median;
using octavo::bench::milliseconds;

struct Call {
  std::vector<std::string> images, devices;
  std::string json_file;
  octavo::FoagddOptions options;
  int rounds = 50;
};

Json measured(const Call& call, const std::string& device, const octavo::ImageView& image) {
  const auto engine = octavo::make_foagdd_engine(call.options, {.name = device});
  const auto expected = octavo::make_foagdd_engine(call.options, {.name = "cpu"})->detect(image);
  bool same = true;
  for (int i = 0; i < 3; ++i) same = same && engine->detect(image) == expected;

  std::vector<double> whole;
  for (int i = 0; i < call.rounds; ++i) whole.push_back(milliseconds([&] { engine->detect(image); }));
  std::vector<std::vector<double>> stages;
  std::vector<octavo::StageTime> times;
  for (int i = 0; i < call.rounds; ++i) {
    times.clear();
    engine->detect(image, &times);
    stages.resize(times.size());
    for (std::size_t s = 0; s < times.size(); ++s) stages[s].push_back(times[s].milliseconds);
  }
  Json row{{"device", device},           {"width", image.width},       {"height", image.height},
           {"corners", expected.size()}, {"detect_ms", median(whole)}, {"smallest_ms", std::ranges::min(whole)}};
  for (std::size_t s = 0; s < times.size(); ++s) row["stages"][times[s].stage] = median(stages[s]);
  row["same_as_cpu"] = same;
  return row;
}

}  // namespace

int main(int argc, char** argv) try {
  Call call;
  CLI::App app("Octavo's FOAGDD corners on any device: whole detections and their stages");
  app.add_option("PGM", call.images, "binary PGM files of 8 bits")->required();
  app.add_option("--device", call.devices, "a device; may be given again")->required()->allow_extra_args(false);
  app.add_option("--rounds", call.rounds, "of which the median counts")->check(CLI::Range(1, 100'000));
  app.add_option("--directions", call.options.directions, "in which the image is filtered");
  app.add_option("--verify-scales", call.options.verify_scales, "at which a corner must stand");
  app.add_option("--window", call.options.window, "by which a pixel is judged");
  app.add_option("--json", call.json_file, "also write the figures to this file");
  CLI11_PARSE(app, argc, argv);

  Json report = octavo::bench::record(argc, argv);
  for (const octavo::Device& d : octavo::list_devices()) report["devices"].push_back(d.name + ": " + d.description);
  report["rounds"] = call.rounds;
  bool all_same = true;
  for (const std::string& device : call.devices) {
    for (const std::string& file : call.images) {
      const octavo::Image image = octavo::bench::read_pgm(file);
      Json row{{"image", file.substr(file.rfind('/') + 1)}};
      row.update(measured(call, device, image.view()));
      all_same = all_same && row["same_as_cpu"];
      fmt::print("{}\n", row.dump());
      std::fflush(stdout);
      report["results"].push_back(row);
    }
  }
  if (!call.json_file.empty()) std::ofstream(call.json_file) << report.dump(2) << '\n';
  if (!all_same) fmt::print(stderr, "the corners are not those of the CPU\n");
  return all_same ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
