// SIFT of photographs on GPUs: the stages by the device's own clock, whole extractions from host memory to host memory,
// throughput with several images in flight, and both with the features left on the device, where they are matched too.
// Reads binary PGM files of 8 bits, so that it needs no image library and can be carried to any machine. Features are
// compared with the CPU's: a wrong answer has no speed.

#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>

#include "bench/peers/record.h"
#include "bench/peers/timing.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/matcher.h"

namespace {

using Json = nlohmann::ordered_json;
using octavo::bench::median;
using octavo::bench::milliseconds;

octavo::Image read_pgm(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string magic;
  int width = 0, height = 0, top = 0;
  in >> magic >> width >> height >> top;
  in.get();
  if (!in || magic != "P5" || top != 255) throw std::runtime_error(file + " is no binary PGM of 8 bits");
  octavo::Image image(width, height, 1, octavo::PixelType::u8);
  for (int y = 0; y < height; ++y) in.read(reinterpret_cast<char*>(image.row(y)), width);
  if (!in) throw std::runtime_error(file + " ends too early");
  return image;
}

// Per image, with as many in flight as keep the devices busy.
double pipelined(octavo::Extractor& extractor, const octavo::ImageView& image, octavo::Keep keep) {
  const int images = 200, in_flight = extractor.best_in_flight();
  const double total = milliseconds([&] {
    std::vector<octavo::Ticket> tickets;
    for (int i = 0; i < images + in_flight; ++i) {
      if (i >= in_flight) {
        const octavo::Ticket ticket = tickets[static_cast<std::size_t>(i - in_flight)];
        if (keep == octavo::Keep::on_device) {
          extractor.collect_on_device(ticket);
        } else {
          extractor.collect(ticket);
        }
      }
      if (i < images) tickets.push_back(extractor.submit(image, nullptr, keep));
    }
  });
  return total / images;
}

Json measure(const std::string& file, const std::string& device, int first_octave, int rounds) {
  const octavo::Image image = read_pgm(file);
  const octavo::SiftOptions options{.first_octave = first_octave};
  octavo::Extractor extractor(options, {.name = device});
  const octavo::Features expected = octavo::Extractor(options, {.name = "cpu"}).extract(image.view());
  Json row{{"image", file.substr(file.rfind('/') + 1)},
           {"device", device},
           {"first_octave", first_octave},
           {"width", image.width()},
           {"height", image.height()},
           {"keypoints", expected.size()}};
  bool same = true;
  for (int i = 0; i < 3; ++i) same = same && extractor.extract(image.view()) == expected;
  std::vector<double> whole;
  for (int i = 0; i < rounds; ++i) whole.push_back(milliseconds([&] { extractor.extract(image.view()); }));
  row["extract_ms"] = median(whole);

  std::vector<std::vector<double>> stages;
  std::vector<octavo::StageTime> times;
  std::vector<double> on_device;
  for (int i = 0; i < rounds; ++i) {
    extractor.extract(image.view(), nullptr, &times);
    stages.resize(times.size());
    double sum = 0;
    for (std::size_t s = 0; s < times.size(); ++s) {
      stages[s].push_back(times[s].milliseconds);
      if (times[s].stage != "upload" && times[s].stage != "download") sum += times[s].milliseconds;
    }
    on_device.push_back(sum);
  }
  row["stages_sum_ms"] = median(on_device);
  for (std::size_t s = 0; s < times.size(); ++s) row["stages"][times[s].stage] = median(stages[s]);

  row["pipelined_ms"] = pipelined(extractor, image.view(), octavo::Keep::in_host_memory);
  row["pipelined_kept_ms"] = pipelined(extractor, image.view(), octavo::Keep::on_device);

  octavo::Matcher matcher({}, {.name = device});
  const octavo::DeviceFeatures kept = extractor.extract_on_device(image.view());
  same = same && matcher.match(kept, kept) == matcher.match(expected, expected);
  row["same_as_cpu"] = same;
  std::vector<double> from_host, where_they_are;
  for (int i = 0; i < rounds; ++i) {
    from_host.push_back(milliseconds([&] { matcher.match(expected, expected); }));
    where_they_are.push_back(milliseconds([&] { matcher.match(kept, kept); }));
  }
  row["match_ms"] = median(from_host);
  row["match_kept_ms"] = median(where_they_are);
  return row;
}

}  // namespace

// usage: extract_on_gpu JSON ROUNDS DEVICE[;DEVICE...] PGM...     a DEVICE may be several GPUs: "cuda:0;cuda:0,cuda:1"
int main(int argc, char** argv) try {
  if (argc < 5) throw std::runtime_error("usage: extract_on_gpu JSON ROUNDS DEVICE[;DEVICE...] PGM...");
  Json report = octavo::bench::record(argc, argv);
  for (const octavo::Device& d : octavo::list_devices()) report["devices"].push_back(d.name + ": " + d.description);
  std::istringstream devices(argv[3]);
  bool all_same = true;
  for (std::string device; std::getline(devices, device, ';');) {
    for (int i = 4; i < argc; ++i) {
      for (const int first_octave : {-1, 0}) {
        const Json row = measure(argv[i], device, first_octave, std::stoi(argv[2]));
        all_same = all_same && row["same_as_cpu"].get<bool>();
        std::cout << row.dump() << std::endl;
        report["results"].push_back(row);
      }
    }
  }
  std::ofstream(argv[1]) << report.dump(2) << '\n';
  return all_same ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
