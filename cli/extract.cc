// octavo extract: keypoints and descriptors of pictures, to files or as JSON. One extractor works through the list,
// with as many pictures in flight as its devices can use, while the next are decoded beside it.

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/inputs.h"
#include "cli/mask.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/stopwatch.h"
#include "cli/text_file.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(find and describe the keypoints of images

Finds the points of each image that can be recognised in other images of the
same scene (SIFT), and describes each by 128 bytes; or its corners (FOAGDD).
Without --output and --json it just counts them. An image that cannot be read is
reported, the others are done.)";

constexpr auto footer = R"(Output files:
  DIR/NAME.txt            colmap: a line "N 128", then x y scale orientation and
                          128 numbers a line. The origin is the corner of the
                          image: (0.5, 0.5) is the centre of its first pixel.
  DIR/NAME.npz            npz: for NumPy: keypoints (N x 5 float32: x, y, scale,
                          orientation, response), octave_layer (N x 2 int32),
                          descriptors (N x 128 uint8; or 0 x 128)
  DIR/NAME.json           json: as below
  DIR/NAME.keypoints.png  with --draw
NAME is the file name of the image with its ending, and for an image found by
--recursive its path below the folder. Except in colmap files (0, 0) is the
centre of the first pixel. Scales are in pixels, orientations in radians from
+x towards +y.

JSON:
  {"image": "a.png", "milliseconds": 41.5,
   "keypoints": [{"x": 1.5, "y": 2.5, "scale": 2.1, "orientation": 0.7,
                  "response": 0.03}, ...]}
One image named: this object. Several, a folder or a pattern: an array of them.
The milliseconds are those of the extraction, without reading and writing. On
GPUs several images are under way at a time: theirs are from the submission to
the result, the waiting for each other included.

Examples:
  octavo extract photo.jpg --json
  octavo extract photos/ --output features --preset colmap
  octavo extract 'scan-*.tif' --output features --format npz --max-features 2000
  octavo extract photo.jpg --output . --format json --draw --mask sky.png
  octavo extract photo.jpg --detector foagdd --json
  octavo extract photos/ --detector foagdd --describe --output features
  octavo extract photos/ --output features --device cuda:all

Exit codes:
  0  done
  1  at least one image failed, see the error stream; the others are done
  2  the call was wrong)";

enum class Format { colmap, npz, json };

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  bool recursive = false;
  bool apply_exif_rotation = true;
  std::string mask;
  std::string output;
  Format format = Format::colmap;
  bool draw = false;
  bool json = false;
  DetectorOptions detector;
  DeviceOptions device;
};

// The path of a result: the picture's name below the output folder, with one more ending.
fs::path result_file(const Call& call, const Input& input, const std::string& ending) {
  fs::path file = fs::path(call.output) / input.name;
  file += ending;
  make_folder(file.parent_path());
  return file;
}

void write_results(const Call& call, const Input& input, const Image& image, const Features& features,
                   double milliseconds) {
  switch (call.format) {
    case Format::colmap:
      write_colmap_features(result_file(call, input, ".txt"), features);
      break;
    case Format::npz:
      write_npz_features(result_file(call, input, ".npz"), features);
      break;
    case Format::json:
      write_text(result_file(call, input, ".json"), json_features(input.file.string(), features, milliseconds) + "\n");
      break;
  }
  if (call.draw) {
    write_image(result_file(call, input, ".keypoints.png"), draw_keypoints(image.view(), features.keypoints).view());
  }
}

// The standard output: a line for people or an object for programs, picture by picture.
class Listing {
 public:
  Listing(bool json, bool array) : json_(json), array_(array) {
    if (json_ && array_) fmt::print("[");
  }
  void add(const Input& input, const Features& features, double milliseconds) {
    const std::string name = input.file.string();
    if (json_) {
      fmt::print("{}{}", is_first_ ? "" : ",\n", json_features(name, features, milliseconds));
    } else {
      fmt::print("{}: {} keypoints, {:.1f} ms\n", name, features.size(), milliseconds);
    }
    is_first_ = false;
  }
  void finish() {
    if (json_) fmt::print("{}", array_ ? "]\n" : is_first_ ? "" : "\n");
  }

 private:
  bool json_, array_;
  bool is_first_ = true;
};

// COLMAP's files hold descriptors.
void require_a_fitting_format(const Call& call) {
  const bool describes = call.detector.detector == Detector::sift || call.detector.foagdd.describe;
  if (call.output.empty() || call.format != Format::colmap || describes) return;
  throw CLI::ValidationError("--format colmap holds descriptors: add --describe, or choose npz or json");
}

int run(const Call& call) {
  require_a_fitting_format(call);
  Extractor extractor = make_extractor(call.detector, call.device);
  const Inputs inputs = find_inputs(call.images, call.recursive);
  const auto& pictures = inputs.pictures;
  if (!call.output.empty()) {
    require_distinct_names(pictures);
    make_folder(call.output);
  }
  std::optional<Image> mask;
  if (!call.mask.empty()) mask = read_mask(call.mask, call.apply_exif_rotation);

  bool failed = false;
  Progress progress(pictures.size());
  const auto fail = [&](const std::string& sentence) {
    failed = true;
    progress.clear();
    complain(sentence);
  };
  for (const std::string& problem : inputs.problems) fail(problem);

  const bool is_single =
      call.images.size() == 1 && pictures.size() == 1 && pictures.front().file == fs::path(call.images.front());
  Listing listing(call.json, !is_single);
  struct Extracting {
    const Input* input;
    Image image;
    Ticket ticket;
    Stopwatch stopwatch;
  };
  std::deque<Extracting> extracting;
  std::size_t submitted = 0;
  const auto finish_first = [&] {
    const Extracting first = std::move(extracting.front());
    extracting.pop_front();
    const Features features = extractor.collect(first.ticket);
    const double milliseconds = first.stopwatch.milliseconds();
    if (!call.output.empty()) write_results(call, *first.input, first.image, features, milliseconds);
    progress.clear();
    listing.add(*first.input, features, milliseconds);
  };
  // One picture's failure is no other's, and says whose it is.
  const auto attempt = [&](const Input& input, const auto& step) {
    try {
      step();
    } catch (const Error& error) {
      const std::string sentence = error.what(), file = input.file.string();
      fail(sentence.find(file) != std::string::npos ? sentence : file + ": " + sentence);
    }
  };

  const std::size_t at_a_time = static_cast<std::size_t>(extractor.best_in_flight());
  const std::size_t decoders = std::clamp<std::size_t>(at_a_time, 1, std::max(std::thread::hardware_concurrency(), 1u));
  std::deque<std::future<Image>> decoding;
  std::size_t next = 0;
  const auto decode_ahead = [&](std::size_t count) {
    for (; decoding.size() < count && next < pictures.size(); ++next) {
      decoding.push_back(std::async(std::launch::async, read_image, pictures[next].file, call.apply_exif_rotation));
    }
  };
  decode_ahead(decoders);
  for (const Input& input : pictures) {
    std::future<Image> current = std::move(decoding.front());
    decoding.pop_front();
    decode_ahead(decoders);
    progress.show(submitted++, input.file.string());
    attempt(input, [&] {
      Image image = current.get();
      const Stopwatch stopwatch;
      const Ticket ticket = extractor.submit(image.view(), mask ? &mask->view() : nullptr);
      extracting.push_back({&input, std::move(image), ticket, stopwatch});
    });
    if (extracting.size() >= at_a_time) attempt(*extracting.front().input, finish_first);
  }
  while (!extracting.empty()) attempt(*extracting.front().input, finish_first);
  listing.finish();
  return failed ? exit_failed : exit_done;
}

}  // namespace

void add_extract(CLI::App& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(program, "extract", description, footer);

  command
      .add_option("IMAGE", call->images,
                  "Pictures (JPEG, PNG, TIFF, WebP, PGM, PPM), folders of them, or quoted patterns such as "
                  "'photos/*.jpg'. A picture named twice is done once.")
      ->required()
      ->type_name("FILE");
  command.add_flag("--recursive", call->recursive, "Take the pictures of the folders below a folder too.");
  add_read_options(command, call->apply_exif_rotation);
  command
      .add_option("--mask", call->mask,
                  "Keep the keypoints where this picture, of the size of the image, is not black.")
      ->type_name("FILE");

  const std::string group = "Output options";
  auto* output = command.add_option("-o,--output", call->output, "Write a file for each image to this folder.")
                     ->type_name("DIR")
                     ->group(group);
  add_choice<Format>(command, "--format", call->format,
                     {{"colmap", Format::colmap}, {"npz", Format::npz}, {"json", Format::json}},
                     "The kind of these files, see below.")
      ->needs(output)
      ->group(group);
  command.add_flag("--draw", call->draw, "Write a picture of the keypoints for each image too.")
      ->needs(output)
      ->group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.")->group(group);

  add_detector_options(command, call->detector);
  add_device_options(command, call->device);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
