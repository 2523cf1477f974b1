// octavo bench extract: the time of the extraction: of one image at a time, whole and by stage, or of a stream of
// images.

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/detector.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/resize.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the extraction of keypoints

Reads the images, then times their extraction, without reading and writing.
Where there are several, or several sizes, they take turns in every round.

--mode latency times one image at a time, from pixels in host memory to features
in host memory. The stages are timed beside it in runs of their own, on a GPU by
its own clock; all but upload and download are what happens on the device.

--mode throughput sends a stream of images through one extractor, as a program
does that submits images before it has collected the features of those before:
on a GPU uploads, work and downloads overlap. Its times are per image.)";

constexpr auto examples = R"(Examples:
  octavo bench extract photo.jpg --resize 1920x1080 --threads 1
  octavo bench extract photo.jpg --resize 640x480,1920x1080 --device cuda:0
  octavo bench extract photos/ --resize 1920x1080 --mode throughput
  octavo bench extract photos/ --rounds 5 --json

Besides what is below, the JSON has "mode", "images_per_s" and, with --mode
latency, "on_device_ms": the sum of the stages but upload and download. With
--mode throughput "keypoints" is the mean of the images and "stages" is empty.

)";

enum class Mode { latency, throughput };

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  bool apply_exif_rotation = true;
  std::vector<Size> sizes;
  Mode mode = Mode::latency;
  int in_flight = 4, stream = 32;
  BenchOptions bench;
  DetectorOptions detector;
  DeviceOptions device;
};

struct Picture {
  std::string name;
  Image image;
};

// Extractors for images of one kind each, since going to and fro between sizes costs a GPU new buffers each time.
class Extractors {
 public:
  explicit Extractors(const Call& call) : call_(call) {}

  Extractor& of(const ImageView& image) {
    const auto kind = std::tuple(image.width, image.height, image.channels, image.type);
    auto found = all_.find(kind);
    if (found == all_.end()) found = all_.emplace(kind, make_extractor(call_.detector, call_.device)).first;
    return found->second;
  }

 private:
  const Call& call_;
  std::map<std::tuple<int, int, int, PixelType>, Extractor> all_;
};

// The pictures in each of the sizes, or in their own alone.
std::vector<std::vector<Picture>> read_pictures(const Call& call) {
  const Inputs inputs = find_inputs(call.images, false);
  if (!inputs.problems.empty()) throw Error(ErrorCode::file_error, inputs.problems.front());
  std::vector<std::vector<Picture>> by_size(std::max<std::size_t>(call.sizes.size(), 1));
  for (const Input& input : inputs.pictures) {
    Image image = read_image(input.file, call.apply_exif_rotation);
    for (std::size_t s = 0; s < call.sizes.size(); ++s) {
      by_size[s].push_back({input.file.string(), resize_and_crop(image.view(), call.sizes[s])});
    }
    if (call.sizes.empty()) by_size[0].push_back({input.file.string(), std::move(image)});
  }
  return by_size;
}

void add_latency(std::vector<BenchJob>& jobs, const std::vector<Picture>& pictures, Extractors& extractors) {
  for (const auto& [name, picture] : pictures) {
    const ImageView image = picture.view();
    Extractor& extractor = extractors.of(image);
    const auto stages = [&extractor, image] {
      std::vector<StageTime> times;
      extractor.extract(image, nullptr, &times);
      return times;
    };
    jobs.push_back({.subject = fmt::format("{} at {}x{}", name, image.width, image.height),
                    .keypoints = extractor.extract(image).size(),
                    .mode = "latency",
                    .images = 1,
                    .run = [&extractor, image] { extractor.extract(image); },
                    .stages = stages});
  }
}

// The pictures again and again until the stream is long enough. Returns the number of keypoints.
std::size_t stream(Extractor& extractor, const std::vector<Picture>& pictures, const Call& call) {
  std::deque<Ticket> tickets;
  std::size_t keypoints = 0;
  const auto collect = [&] {
    keypoints += extractor.collect(tickets.front()).size();
    tickets.pop_front();
  };
  for (std::size_t i = 0; i < static_cast<std::size_t>(call.stream); ++i) {
    if (tickets.size() == static_cast<std::size_t>(call.in_flight)) collect();
    tickets.push_back(extractor.submit(pictures[i % pictures.size()].image.view()));
  }
  while (!tickets.empty()) collect();
  return keypoints;
}

void add_throughput(std::vector<BenchJob>& jobs, const std::vector<Picture>& pictures, Extractors& extractors,
                    const Call& call) {
  const ImageView& first = pictures.front().image.view();
  Extractor& extractor = extractors.of(first);
  std::string subject = pictures.size() == 1 ? pictures.front().name : fmt::format("{} pictures", pictures.size());
  if (!call.sizes.empty() || pictures.size() == 1) subject += fmt::format(" at {}x{}", first.width, first.height);
  jobs.push_back({.subject = subject + fmt::format(", {} in flight", call.in_flight),
                  .keypoints = stream(extractor, pictures, call) / static_cast<std::size_t>(call.stream),
                  .mode = "throughput",
                  .images = call.stream,
                  .run = [&extractor, &pictures, &call] { stream(extractor, pictures, call); }});
}

void run(const Call& call) {
  const BenchPlace place(make_extractor(call.detector, call.device));
  const std::vector<std::vector<Picture>> by_size = read_pictures(call);
  Extractors extractors(call);
  std::vector<BenchJob> jobs;
  for (const std::vector<Picture>& pictures : by_size) {
    if (call.mode == Mode::latency) {
      add_latency(jobs, pictures, extractors);
    } else {
      add_throughput(jobs, pictures, extractors, call);
    }
  }
  print_results(time_jobs(jobs, call.bench), place, call.bench.json);
}

}  // namespace

void add_bench_extract(CLI::App& bench) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(bench, "extract", description, std::string(examples) + bench_json_manual);
  command.add_option("IMAGE", call->images, "Pictures, folders of them, or quoted patterns.")
      ->required()
      ->type_name("FILE");
  add_read_options(command, call->apply_exif_rotation);
  add_sizes(
      command, "--resize", call->sizes,
      "Scale each picture until it covers W by H pixels and cut what is over, the same on all sides; for each of the "
      "sizes, with commas between. Range of both: 1 to 65535.");
  add_choice<Mode>(command, "--mode", call->mode, {{"latency", Mode::latency}, {"throughput", Mode::throughput}},
                   "What is timed: one image at a time, or a stream of them.");
  add_number(command, "--in-flight", call->in_flight, "N",
             "Images of the stream that are submitted and not yet collected; four for each GPU keep it busy. Range: 1 "
             "to 1000.")
      ->check(CLI::Range(1, 1000).description(""));
  add_number(command, "--stream", call->stream, "N",
             "Images of the stream: the pictures, again and again. Range: 1 to 1000000.")
      ->check(CLI::Range(1, 1000000).description(""));
  add_bench_options(command, call->bench);
  add_detector_options(command, call->detector);
  add_device_options(command, call->device);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
