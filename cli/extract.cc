// octavo extract: finds and describes the keypoints of pictures, and writes them to files or as JSON.

#include <fmt/core.h>

#include <array>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "octavo/batch.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"
#include "octavo/mask.h"
#include "octavo/output_file.h"
#include "octavo/pictures.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(find and describe the keypoints of images

Finds the points of each image that can be recognised in other images of the
same scene (SIFT), or its corners (FOAGDD), and describes each point by 128
bytes (corners only with --describe). Without --output and --json the command
only prints their number. An image that cannot be read is reported, and the
other images are processed.)";

constexpr auto footer = R"(Output files:
  DIR/NAME.txt            colmap: a line "N 128", then x y scale orientation and
                          128 numbers a line. The origin is the corner of the
                          image: (0.5, 0.5) is the centre of its first pixel.
  DIR/NAME.npz            npz: for NumPy: keypoints (N x 5 float32: x, y, scale,
                          orientation, response), octave_layer (N x 2 int32),
                          descriptors (N x 128 uint8; or 0 x 128)
  DIR/NAME.json           json: as below
  DIR/NAME.keypoints.png  with --draw
NAME is the file name of the image with its ending. For an image that
--recursive finds it is the path below the folder. (0, 0) is the centre of the
first pixel, except in colmap files. Scales are in pixels, orientations in
radians from +x towards +y.

JSON:
  {"image": "a.png", "milliseconds": 41.5,
   "keypoints": [{"x": 1.5, "y": 2.5, "scale": 2.1, "orientation": 0.7,
                  "response": 0.03}, ...]}
One named image gives this object. Several images, a folder or a pattern give an
array of such objects. The milliseconds are those of the extraction, without
reading and writing. GPUs process several images at a time: their milliseconds
count from submission to result and include the waiting for other images.

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
  1  at least one image failed, see the error stream; the others are processed
  2  the call was wrong)";

enum class Format { colmap, npz, json };

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  bool recursive = false;
  ReadOptions read;
  std::string mask;
  std::string output;
  Format format = Format::colmap;
  bool draw = false;
  bool json = false;
  DetectorOptions detector;
  DeviceOptions device;
};

// The path of a result: the picture's name in the output folder, with one more ending.
fs::path result_file(const Call& call, const PictureFile& picture, const char* ending) {
  fs::path file = fs::path(call.output) / picture.name;
  file += ending;
  return file;
}

fs::path features_file(const Call& call, const PictureFile& picture) {
  constexpr std::array endings{".txt", ".npz", ".json"};  // in the order of Format
  return result_file(call, picture, endings[static_cast<std::size_t>(call.format)]);
}

fs::path drawing_file(const Call& call, const PictureFile& picture) {
  return result_file(call, picture, ".keypoints.png");
}

// Refuses a call that would write over a picture or the mask.
void require_other_files(const Call& call, const std::vector<PictureFile>& pictures) {
  std::vector<fs::path> read{call.mask}, written;
  for (const PictureFile& picture : pictures) {
    read.push_back(picture.file);
    written.push_back(features_file(call, picture));
    if (call.draw) written.push_back(drawing_file(call, picture));
  }
  require_not_read(written, read);
}

void write_results(const Call& call, const PictureFile& picture, const BatchResult& result) {
  const Features& features = result.features;
  const fs::path file = features_file(call, picture);
  make_folder(file.parent_path());
  switch (call.format) {
    case Format::colmap:
      write_colmap_features(file, features);
      break;
    case Format::npz:
      write_npz_features(file, features);
      break;
    case Format::json:
      write_file(file, json_features(picture.file.string(), features, result.extract_milliseconds) + "\n");
      break;
  }
  if (call.draw) {
    write_image(drawing_file(call, picture), draw_keypoints(result.image.view(), features.keypoints).view());
  }
}

// Prints the result of each picture to the standard output: a line of text, or a JSON object.
class Listing {
 public:
  Listing(bool json, bool array) : json_(json), array_(array) {
    if (json_ && array_) fmt::print("[");
  }
  void add(const PictureFile& picture, const Features& features, double milliseconds) {
    const std::string name = picture.file.string();
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

// Refuses --format colmap without descriptors, which COLMAP's files must hold.
void require_a_fitting_format(const Call& call) {
  if (call.output.empty() || call.format != Format::colmap || describes(call.detector)) return;
  throw CLI::ValidationError("--format colmap holds descriptors: add --describe, or choose npz or json");
}

// Refuses pictures of the same name, whose results would overwrite each other.
void require_distinct_names(const std::vector<PictureFile>& pictures) {
  const auto same = same_name(pictures);
  if (!same) return;
  throw CLI::ValidationError("--output", fmt::format("{} and {} have the same name, their results would overwrite "
                                                     "each other; give them one call each",
                                                     same->first.file.string(), same->second.file.string()));
}

int run(const Call& call) {
  require_a_fitting_format(call);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  Extractor extractor = make_extractor(call.detector, device);
  const PictureFiles found = find_pictures(call.images, call.recursive);
  const std::vector<PictureFile>& pictures = found.pictures;
  if (!call.output.empty()) {
    require_distinct_names(pictures);
    require_other_files(call, pictures);
    require_writable_folder(call.output);
    make_folder(call.output);
  }
  std::shared_ptr<const Image> mask;
  if (!call.mask.empty()) mask = std::make_shared<const Image>(read_mask(call.mask, call.read));

  bool failed = false;
  const auto fail = [&](const std::string& sentence) {
    failed = true;
    progress.clear();
    complain(sentence);
  };
  for (const std::string& problem : found.problems) fail(problem);

  const bool is_single =
      call.images.size() == 1 && pictures.size() == 1 && pictures.front().file == fs::path(call.images.front());
  Listing listing(call.json, !is_single);
  Batch batch(extractor, batch_of(pictures, call.read, mask));
  for (const PictureFile& picture : pictures) {
    progress.show(picture.file.string(), static_cast<std::size_t>(&picture - pictures.data()), pictures.size());
    const BatchResult result = batch.next().value();
    if (result.failure) {
      fail(result.problem);
      continue;
    }
    try {
      if (!call.output.empty()) write_results(call, picture, result);
    } catch (const std::exception& error) {
      fail(fmt::format("{}: {}", picture.file.string(), error.what()));
      continue;
    }
    progress.clear();
    listing.add(picture, result.features, result.extract_milliseconds);
  }
  listing.finish();
  return failed ? exit_failed : exit_done;
}

}  // namespace

void add_extract(CLI::App& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(program, "extract", description, footer);

  command
      .add_option("IMAGE", call->images,
                  "Pictures (JPEG, PNG, TIFF, WebP, PGM, PPM; HEIC, AVIF and JPEG 2000 if this build has their "
                  "libraries), folders of them, or quoted patterns such as 'photos/*.jpg'. A picture named twice is "
                  "processed once.")
      ->required()
      ->type_name("FILE");
  command.add_flag("--recursive", call->recursive, "Also take the pictures in subfolders of the folders.");
  add_read_options(command, call->read);
  command
      .add_option("--mask", call->mask,
                  "Keep only keypoints where this picture, which has the size of the image, is not black.")
      ->type_name("FILE");

  const std::string group = "Output options";
  auto* output = command.add_option("-o,--output", call->output, "Write a file for each image to this folder.")
                     ->type_name("DIR")
                     ->group(group);
  add_choice<Format>(command, "--format", call->format,
                     {{"colmap", Format::colmap}, {"npz", Format::npz}, {"json", Format::json}},
                     "The format of these files, see below.")
      ->needs(output)
      ->group(group);
  command.add_flag("--draw", call->draw, "Also write a picture of the keypoints for each image.")
      ->needs(output)
      ->group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.")->group(group);

  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
