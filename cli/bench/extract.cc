// octavo bench extract: times the extraction of one image at a time, whole and by stage, or of a stream of images.

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cli/bench/bench.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/sizes.h"
#include "io/images/resize.h"
#include "octavo/error.h"
#include "octavo/io/find_images.h"
#include "octavo/io/image_files.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the extraction of keypoints

Reads the images, then times their extraction, without reading and writing.
Several images, or several sizes, take turns in every round.

--mode latency times one image at a time, from pixels in host memory to features
in host memory. The stages are timed in separate runs; a GPU's own clock
measures its stages. All stages but upload and download run on the device.

--mode throughput sends a stream of images through one extractor. Images are
submitted before the features of earlier images are collected, so that uploads,
work and downloads overlap on a GPU. Its times are per image.)";

constexpr auto examples = R"(Examples:
  octavo bench extract photo.jpg --sizes 1920x1080 --threads 1
  octavo bench extract photo.jpg --sizes 640x480,1920x1080 --device cuda:0
  octavo bench extract photos/ --sizes 1920x1080 --mode throughput
  octavo bench extract photos/ --rounds 5 --json

The JSON has the members below and "mode", "images_per_second" and, with --mode
latency, "on_device_seconds": the sum of all stages but upload and download.
With --mode throughput "keypoint_count" is the mean over the images, and
"stage_seconds" is empty.

)";

enum class Mode { latency, throughput };

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  ReadOptions read;
  std::vector<ImageSize> sizes;
  Mode mode = Mode::latency;
  int in_flight = 4, stream = 32;
  BenchOptions bench;
  DetectorOptions detector;
  DeviceOptions device;
};

struct NamedImage {
  std::string name;
  Image image;
};

// One extractor for each kind of image. An extractor on a GPU allocates new buffers whenever the size changes.
class Extractors {
 public:
  Extractors(const DetectorOptions& detector, const DeviceOptions& device) : detector_(detector), device_(device) {}

  Extractor& of(const ImageView& image) {
    const auto kind = std::tuple(image.width, image.height, image.channels, image.type);
    auto found = all_.find(kind);
    if (found == all_.end()) {
      const auto make = [this](const DeviceOptions& device) { return make_extractor(detector_, device); };
      found = all_.emplace(kind, engine_to_time(device_, make)).first;
    }
    return found->second;
  }

 private:
  const DetectorOptions& detector_;
  const DeviceOptions& device_;
  std::map<std::tuple<int, int, int, PixelType>, Extractor> all_;
};

// The images in each of the sizes of --sizes, or in their own size if there are none.
std::vector<std::vector<NamedImage>> read_images(const Call& call, Progress& progress) {
  const ImageFiles inputs = find_images(call.images);
  if (!inputs.problems.empty()) throw Error(ErrorCode::file_error, inputs.problems.front());
  std::vector<std::vector<NamedImage>> by_size(std::max<std::size_t>(call.sizes.size(), 1));
  for (const ImageFile& input : inputs.images) {
    progress.show(input.file.string());
    Image image = read_image(input.file, call.read);
    for (std::size_t s = 0; s < call.sizes.size(); ++s) {
      by_size[s].push_back({input.file.string(), resize_and_crop(image.view(), call.sizes[s])});
    }
    if (call.sizes.empty()) by_size[0].push_back({input.file.string(), std::move(image)});
  }
  return by_size;
}

void add_latency(std::vector<BenchJob>& jobs, const std::vector<NamedImage>& images, Extractors& extractors,
                 Progress& progress) {
  for (const auto& [name, pixels] : images) {
    const ImageView image = pixels.view();
    std::string subject = fmt::format("{} at {}x{}", name, image.width, image.height);
    progress.show(subject + ", first run");
    Extractor& extractor = extractors.of(image);
    const auto stages = [&extractor, image] {
      std::vector<StageTime> times;
      extractor.extract(image, nullptr, &times);
      return times;
    };
    jobs.push_back({.subject = std::move(subject),
                    .keypoints = extractor.extract(image).size(),
                    .mode = "latency",
                    .of_images = true,
                    .work = {.run = [&extractor, image] { extractor.extract(image); }, .stages = stages}});
  }
}

void add_throughput(std::vector<BenchJob>& jobs, const std::vector<NamedImage>& images, Extractors& extractors,
                    const Call& call, Progress& progress) {
  const ImageView& first = images.front().image.view();
  std::string subject = images.size() == 1 ? images.front().name : fmt::format("{} images", images.size());
  if (!call.sizes.empty() || images.size() == 1) subject += fmt::format(" at {}x{}", first.width, first.height);
  subject += fmt::format(", {} in flight", call.in_flight);
  progress.show(subject + ", first run");
  Extractor& extractor = extractors.of(first);
  std::vector<ImageView> views;
  for (const NamedImage& image : images) views.push_back(image.image.view());
  const auto length = static_cast<std::size_t>(call.stream);
  const auto stream = [&extractor, views, length, in_flight = call.in_flight] {
    return extract_stream(extractor, views, length, in_flight);
  };
  jobs.push_back({.subject = std::move(subject),
                  .keypoints = stream() / length,
                  .mode = "throughput",
                  .of_images = true,
                  .work = {.run = stream, .parts = call.stream}});
}

void run(const Call& call) {
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  const BenchPlace place(make_extractor(call.detector, device));
  const std::vector<std::vector<NamedImage>> by_size = read_images(call, progress);
  Extractors extractors(call.detector, device);
  std::vector<BenchJob> jobs;
  for (const std::vector<NamedImage>& images : by_size) {
    if (call.mode == Mode::latency) {
      add_latency(jobs, images, extractors, progress);
    } else {
      add_throughput(jobs, images, extractors, call, progress);
    }
  }
  time_and_print(jobs, place, call.bench, progress);
}

}  // namespace

void add_bench_extract(Command& bench) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(bench, "extract", description, std::string(examples) + bench_json_manual);
  command.add_option("IMAGE", call->images, "Images, folders of them, or quoted patterns.")
      .required()
      .type_name("FILE");
  add_read_options(command, call->read);
  add_sizes(
      command, "--sizes", call->sizes,
      "Scale each image until it covers W by H pixels and crop it to this size around its centre. Several sizes are "
      "separated by commas. Range of both: 1 to 65535.");
  add_choice<Mode>(command, "--mode", call->mode, {{"latency", Mode::latency}, {"throughput", Mode::throughput}},
                   "What is timed: one image at a time, or a stream of them.");
  add_number(command,
             {.name = "in_flight",
              .sentence = "Images of the stream that are submitted and not yet collected. Four keep one GPU busy. Only "
                          "with --mode throughput.",
              .symbol = "N",
              .low = 1,
              .high = 1000},
             call->in_flight);
  add_number(command,
             {.name = "stream",
              .sentence = "Number of images in the stream; the images repeat. Only with --mode throughput.",
              .symbol = "N",
              .low = 1,
              .high = 1e6},
             call->stream);
  add_bench_options(command, call->bench);
  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  command.callback([call, &command] {
    if (call->mode == Mode::latency) {
      for (const char* const flag : {"--in-flight", "--stream"}) refuse_if_given(command, flag, "with --mode latency");
    }
    run(*call);
  });
}

}  // namespace octavo::cli
