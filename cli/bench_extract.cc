// octavo bench extract: the time of the extraction, whole and by stage.

#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/resize.h"
#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(time the extraction of keypoints

Reads the images, then times their extraction, without reading and writing.
Where there are several, they take turns in every round.)";

constexpr auto examples = R"(Examples:
  octavo bench extract photo.jpg --resize 1920x1080 --threads 1
  octavo bench extract photos/ --rounds 5 --json

)";

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  bool apply_exif_rotation = true;
  std::optional<Size> size;
  BenchOptions bench;
  SiftOptions sift;
  DeviceOptions device;
};

void run(const Call& call) {
  Extractor extractor(call.sift, call.device);
  const Inputs inputs = find_inputs(call.images, false);
  if (!inputs.problems.empty()) throw Error(ErrorCode::file_error, inputs.problems.front());

  std::vector<Image> images;
  for (const Input& input : inputs.pictures) {
    Image image = read_image(input.file, call.apply_exif_rotation);
    images.push_back(call.size ? resize_and_crop(image.view(), *call.size) : std::move(image));
  }
  std::vector<BenchJob> jobs;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const ImageView image = images[i].view();
    const auto extract = [&extractor, image] {
      std::vector<StageTime> stages;
      extractor.extract(image, nullptr, &stages);
      return stages;
    };
    jobs.push_back({fmt::format("{} at {}x{}", inputs.pictures[i].file.string(), image.width, image.height),
                    extractor.extract(image).size(), extract});
  }
  print_results(time_jobs(jobs, call.bench), BenchPlace(extractor), call.bench.json);
}

}  // namespace

void add_bench_extract(CLI::App& bench) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(bench, "extract", description, std::string(examples) + bench_json_manual);
  command.add_option("IMAGE", call->images, "Pictures, folders of them, or quoted patterns.")
      ->required()
      ->type_name("FILE");
  add_read_options(command, call->apply_exif_rotation);
  command
      .add_option_function<std::string>(
          "--resize", [call](const std::string& text) { call->size = parse_size(text); },
          "Scale each picture until it covers W by H pixels and cut what is over, the same on all sides. Range of "
          "both: 1 to 65535.")
      ->type_name("WxH");
  add_bench_options(command, call->bench);
  add_sift_options(command, call->sift);
  add_device_options(command, call->device);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
