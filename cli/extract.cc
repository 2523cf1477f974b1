// octavo extract: finds and describes the keypoints of images, and writes them to files or as JSON.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/estimate.h"
#include "cli/one_range.h"
#include "cli/options.h"
#include "cli/shard.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/work.h"
#include "cli/wrong_call.h"
#include "io/json/json.h"
#include "octavo/extractor.h"
#include "octavo/io/collection.h"
#include "octavo/io/feature_files.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/video/video_file.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(find and describe the keypoints of images

Finds the points of each image that can be recognised in other images of the
same scene (SIFT), or its corners (FOAGDD), and describes each point by 128
bytes (corners only with --describe). Without --output and --json the command
only prints their number. An image that cannot be read is reported, and the
other images are processed. A video gives an image for each frame that is taken
(--fps, --every), called CLIP#INDEX.)";

constexpr auto footer = R"(Output files:
  DIR/NAME.txt            colmap: a line "N 128", then x y scale orientation and
                          128 numbers a line. The origin is the corner of the
                          image: (0.5, 0.5) is the centre of its first pixel.
  DIR/NAME.npz            npz: for NumPy: keypoints (N x 5 float32: x, y, scale,
                          orientation, response), octave_layer (N x 2 int32),
                          descriptors (N x 128 uint8; or 0 x 128)
  DIR/NAME.json           json: as below
  FILE.h5                 hloc: HDF5 of all images, in place of DIR; a file that
                          exists is extended. For each image the group NAME with
                          keypoints (N x 2), descriptors (128 x N, length 1),
                          scores, scales, oris (N; all float32), image_size (2
                          int32). It is saved at the end and every minute. Its
                          bytes do not depend on how often it was extended.
  DIR/NAME.keypoints.png  with --draw
  DIR/octavo-manifest.jsonl
                          what each of these files was made from: the image and
                          its digest, the options, the size and digest of the
                          file; a JSON object a line
NAME is the file name of the image with its ending. For an image that
--recursive finds it is the path below the folder. (0, 0) is the centre of the
first pixel, except in colmap files. Scales are in pixels, orientations in
radians from +x towards +y. The standard input (-) is called stdin.

A run can be interrupted or killed at any moment: no file is ever half written,
and the same call with --skip-existing does what is missing. The files are then
those of one run. With --shard I/N several processes do a part each, into one
folder or several, which octavo merge joins; DIR/octavo-part-I-of-N.json tells
what a part is. With --format hloc these parts are folders too, of which the
merge makes FILE.h5. Of videos a shard does whole clips. A clip is decoded again
with --skip-existing, but the features of its frames are not extracted again.
Files of images that are gone stay. Images that are results of earlier runs in
DIR, such as drawings, are left out. Several runs can write to one folder at the
same time.

JSON:
  {"image": "a.png", "seconds": 0.0415,
   "keypoints": [{"x": 1.5, "y": 2.5, "scale": 2.1, "orientation": 0.7,
                  "response": 0.03}, ...]}
One named image gives this object. Several images, a folder or a pattern give an
array of such objects. With --skip-existing an image that is up to date gives
{"image": "b.png", "skipped": true, "keypoint_count": 812}. The seconds are
those of the extraction, without reading and writing. GPUs process several
images at a time: their seconds count from submission to result and include the
waiting for other images. The files of --format json have no seconds.

With --estimate the objects are instead
  {"image": "a.png", "width": 640, "height": 480, "channel_count": 1,
   "bit_depth": 8, "octave_count": 7, "devices": [{"device": "cpu",
   "least": {"host_bytes": B, "device_bytes": B}, "usual": ...,
   "each_further": ..., "in_flight": 1, "pixels_in_memory": B,
   "available": ..., "limit": "memory of the machine", "fits": true}]}
with B in bytes. An extraction takes "least" at least, and "usual" for a usual
photograph; "each_further" is that of each further image in flight, and
"pixels_in_memory" the pixels of the images that are in memory at a time.

Examples:
  octavo extract photo.jpg --json
  octavo extract photos/ --output features --preset colmap
  octavo extract 'scan-*.tif' --output features --format npz --max-features 2000
  octavo extract photo.jpg --output . --format json --draw --mask sky.png
  octavo extract photos/ --output features --skip-existing
  cat photo.jpg | octavo extract - --output - --format npz > features.npz
  octavo extract photo.jpg --detector foagdd --json
  octavo extract photos/ --detector foagdd --describe --output features
  octavo extract photos/ --output features --device cuda:all
  octavo extract huge.tif --estimate --first-octave 0
  octavo extract photos/ --output features.h5 --format hloc
  octavo extract clip.mp4 --fps 4 --output features --format npz

Exit codes:
  0  done
  1  at least one image failed, see the error stream; the others are processed.
     With --estimate: an image cannot be read, or there is not enough memory
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); it has ended the image in
     work and the JSON)";

// What the command line asks for.
struct Call {
  std::vector<std::string> images;
  bool recursive = false;
  std::string output;
  bool json = false;
  bool estimate = false;
  ExtractJob job;
};

std::string number_of_images(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

// Prints the result of each image to the standard output: a line of text, or a JSON object. Each is printed whole,
// and at once. Where that fails it prints nothing more.
class Listing {
 public:
  enum class Form { none, text, json_object, json_array };

  explicit Listing(Form form) : form_(form) {
    if (form_ == Form::json_array) out_.print("[");
  }
  void add(const ImageFile& image, const Features& features, double seconds) {
    const std::string name = image.file.string();
    if (form_ == Form::text)
      out_.print(fmt::format("{}: {} keypoints, {:.1f} ms\n", name, features.size(), 1000 * seconds));
    if (is_json()) add_json(json_features(name, features, seconds));
  }
  void add_skipped(const ImageFile& image, std::uint64_t keypoints) {
    if (!is_json()) return;
    add_json(json_text(Json{{"image", image.file.string()}, {"skipped", true}, {"keypoint_count", keypoints}}));
  }
  // Prints a sentence about the whole list, where the form has a place for it.
  void sum_up(const std::string& sentence) {
    if (form_ == Form::text) out_.print(sentence + "\n");
  }
  void finish() {
    if (is_json()) out_.print(form_ == Form::json_array ? "]\n" : is_first_ ? "" : "\n");
  }
  [[nodiscard]] bool is_broken() const { return out_.is_broken(); }
  void require_whole() const { out_.require_whole(); }

 private:
  [[nodiscard]] bool is_json() const { return form_ == Form::json_object || form_ == Form::json_array; }
  void add_json(const std::string& object) {
    out_.print((is_first_ ? "" : ",\n") + object);
    is_first_ = false;
  }

  Form form_;
  bool is_first_ = true;
  ListOutput out_;
};

// Refuses what the standard streams cannot be used for.
void require_fitting_streams(const Call& call) {
  std::vector<std::string> inputs = call.images;
  inputs.push_back(call.job.mask.string());
  require_one_standard_input(inputs);
  if (!is_standard_stream(call.output)) return;
  if (call.images.size() > 1) refuse_standard_output("it takes one image");
  if (call.json) refuse_standard_output("--json has no place there; choose --format json");
  if (call.job.format == FeatureFormat::hloc) refuse_standard_output("--format hloc needs a file");
  if (call.job.draw) refuse_standard_output("--draw needs a folder");
  if (call.job.skip_existing) refuse_standard_output("--skip-existing needs a folder");
  if (call.job.shard) refuse_standard_output("--shard needs a folder");
  if (call.job.format == FeatureFormat::npz) require_no_terminal_for_bytes();
}

Listing::Form form_of(const Call& call, bool is_single) {
  if (is_standard_stream(call.output)) return Listing::Form::none;
  if (!call.json) return Listing::Form::text;
  return is_single ? Listing::Form::json_object : Listing::Form::json_array;
}

int print_estimates_of(const Call& call, const ImageFiles& found, bool is_single) {
  for (const std::string& problem : found.problems) complain(problem);
  std::vector<std::string> names;
  for (const ImageFile& image : found.images) names.push_back(image.file.string());
  const Extractor extractor = make_extractor(call.job.detector, call.job.device);
  // Those in flight, and as many that are being loaded.
  const auto in_flight = static_cast<std::size_t>(extractor.best_in_flight());
  const std::size_t loading = std::min<std::size_t>(in_flight, std::max(std::thread::hardware_concurrency(), 1u));
  const auto estimate = [&](const ImageView& shape) { return extractor.estimate(shape, !call.job.mask.empty()); };
  const int code = print_estimates(names, {.read = call.job.read,
                                           .json = call.json,
                                           .array = !is_single,
                                           .images_at_a_time = std::min(in_flight + loading, names.size()),
                                           .estimate = estimate});
  return found.problems.empty() ? code : exit_failed;
}

// Whether the images are videos. Refuses a call with both, and options that have no effect with videos.
bool is_of_videos(const Command& command, Call& call) {
  const auto videos = std::count_if(call.images.begin(), call.images.end(),
                                    [](const std::string& name) { return looks_like_video(name); });
  if (videos == 0) {
    for (const char* flag : {"--every", "--fps", "--size"}) refuse_if_given(command, flag, "without a video");
    require_folder_to_recurse(command, call.images);
    return false;
  }
  if (videos < std::ssize(call.images)) {
    throw WrongCall("some inputs are videos and some are not; give videos a call of their own");
  }
  for (const char* flag : {"--recursive", "--estimate", "--one-range"}) refuse_if_given(command, flag, "with a video");
  if (call.job.mask.empty()) refuse_if_given(command, "--no-exif-rotation", "with a video");
  take_reading_options(command, call.job.read, call.job.video);
  require_effects(command, option_table<VideoOptions>(), call.job.video);
  if (is_standard_stream(call.output)) refuse_standard_output("it takes one image");
  return true;
}

// The images of the call, called "stdin" if they come from there, and what is wrong with the places.
ImageFiles inputs_of_call(const Call& call) {
  if (!call.job.are_videos) {
    ImageFiles found = find_images(call.images, call.recursive);
    for (ImageFile& image : found.images) {
      if (is_standard_stream(image.file)) image.name = "stdin";
    }
    return found;
  }
  ImageFiles found;
  for (const std::string& clip : call.images) found.images.push_back({clip, name_of_results(clip)});
  return found;
}

// Prints an image, or writes its features to the standard output.
void print(const Call& call, const ExtractedImage& done, Listing& listing) {
  if (done.features == nullptr) return listing.add_skipped(done.image, done.keypoints);
  if (is_standard_stream(call.output)) {
    write_standard_output(features_bytes(call.job.format, done.image.file.string(), *done.features));
  }
  listing.add(done.image, *done.features, done.seconds);
}

void sum_up(const Call& call, const ExtractSummary& summary, Listing& listing) {
  listing.finish();
  const std::string one = call.job.are_videos ? "frame is" : "image is";
  const std::string several = call.job.are_videos ? "frames are" : "images are";
  if (summary.up_to_date > 0) listing.sum_up(number_of_images(summary.up_to_date, one, several) + " up to date");
  if (summary.left_out > 0) {
    listing.sum_up(number_of_images(summary.left_out, "image is a result", "images are results") +
                   " of an earlier run and left out");
  }
}

std::string sentence_of_interruption(const Call& call, const ExtractSummary& summary) {
  if (call.job.are_videos) return "interrupted";
  return fmt::format("interrupted before image {} of {}{}", summary.done + 1, summary.images,
                     call.job.output.empty() ? "" : "; --skip-existing goes on from there");
}

int run(Call& call) {
  ExtractJob& job = call.job;
  require_fitting_streams(call);
  ImageFiles found = inputs_of_call(call);
  const bool is_single = !job.are_videos && call.images.size() == 1 && found.images.size() == 1 &&
                         found.images.front().file == fs::path(call.images.front());
  if (is_standard_stream(call.output) && !is_single) refuse_standard_output("it takes one image");
  if (call.estimate) return print_estimates_of(call, found, is_single);
  job.images = std::move(found.images);
  job.problems = std::move(found.problems);
  job.standard_input = standard_input();
  if (!is_standard_stream(call.output)) job.output = call.output;

  Work work;
  work.fail_all(job.problems);
  Listing listing(form_of(call, is_single));
  job.take = [&](const ExtractedImage& done) {
    work.progress().clear();
    print(call, done, listing);
    // The job ends if its results are neither printed nor written to a file.
    return !listing.is_broken() || !job.output.empty();
  };
  const ExtractSummary summary = extract_features(job, work.context());
  work.progress().clear();
  sum_up(call, summary, listing);
  if (!summary.is_finished) work.end_if_interrupted(sentence_of_interruption(call, summary));
  listing.require_whole();
  return work.exit_code();
}

}  // namespace

void add_extract(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "extract", description, footer);

  command
      .add_option(
          "IMAGE", call->images,
          "Images (JPEG, PNG, TIFF, WebP, BMP, PGM, PPM; GIF, HEIC, AVIF and JPEG 2000 if this build has their "
          "libraries; of several in a file the first), folders of them, or quoted patterns such as "
          "'photos/*.jpg'; - is the standard input. An image named twice is processed once. Or videos (.mp4, .mkv, "
          ".avi, ...).")
      .required()
      .type_name("FILE");
  command.add_flag("--recursive", call->recursive, "Also take the images in subfolders of the folders.");
  add_read_options(command, call->job.read);
  add_one_range(command);
  add_mask_option(command, call->job.mask);

  const std::string group = "Output options";
  CommandOption& output =
      command
          .add_option("-o,--output", call->output,
                      "Write a file for each image to this folder, or with --format hloc all to this file; -: "
                      "write the file of one image to the standard output, and nothing else.")
          .type_name("DIR")
          .group(group);
  add_choice<FeatureFormat>(command, "--format", call->job.format,
                            {{"colmap", FeatureFormat::colmap},
                             {"npz", FeatureFormat::npz},
                             {"json", FeatureFormat::json},
                             {"hloc", FeatureFormat::hloc}},
                            "The format of these files, see below.")
      .needs(output)
      .group(group);
  command.add_flag("--draw", call->job.draw, "Also write an image of the keypoints for each image.")
      .needs(output)
      .group(group);
  command
      .add_flag("--skip-existing", call->job.skip_existing,
                "Leave out the images whose files in the folder are up to date: made from the same content by the same "
                "options and version, and whole. Without it every image is done anew.")
      .needs(output)
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  add_estimate(command, "extraction", output, call->estimate).group(group);
  add_shard_option(command, call->job.shard, "the images, by a hash of their names,").needs(output);

  add_detector_options(command, call->job.detector, Descriptors::on_request);
  add_device_options(command, call->job.device);
  add_clip_options(command, call->job.video, false);
  command.callback([call, &command, &exit_code] {
    call->job.are_videos = is_of_videos(command, *call);
    take_one_range(command, call->images, call->recursive, call->job.read);
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
