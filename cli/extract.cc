// octavo extract: finds and describes the keypoints of pictures, and writes them to files or as JSON.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <optional>
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
#include "cli/extract_hloc.h"
#include "cli/extract_output.h"
#include "cli/extract_video.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/shard.h"
#include "cli/standard_streams.h"
#include "cli/video/clip.h"
#include "cli/wrong_call.h"
#include "json/json.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"
#include "octavo/mask.h"
#include "octavo/output_file.h"
#include "octavo/part_note.h"
#include "octavo/pictures.h"
#include "octavo/result_folder.h"
#include "octavo/value_range.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(find and describe the keypoints of images

Finds the points of each image that can be recognised in other images of the
same scene (SIFT), or its corners (FOAGDD), and describes each point by 128
bytes (corners only with --describe). Without --output and --json the command
only prints their number. An image that cannot be read is reported, and the
other images are processed. A video gives a picture for each frame that is taken
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
  {"image": "a.png", "milliseconds": 41.5,
   "keypoints": [{"x": 1.5, "y": 2.5, "scale": 2.1, "orientation": 0.7,
                  "response": 0.03}, ...]}
One named image gives this object. Several images, a folder or a pattern give an
array of such objects. With --skip-existing an image that is up to date gives
{"image": "b.png", "skipped": true, "keypoint_count": 812}. The milliseconds are
those of the extraction, without reading and writing. GPUs process several
images at a time: their milliseconds count from submission to result and include
the waiting for other images. The files of --format json have no milliseconds.

With --estimate the objects are instead
  {"image": "a.png", "width": 640, "height": 480, "channels": 1, "bits": 8,
   "octaves": 7, "devices": [{"device": "cpu",
   "least": {"host": B, "device": B}, "usual": ..., "each_further": ...,
   "in_flight": 1, "pictures": B, "available": ...,
   "limit": "memory of the machine", "fits": true}]}
with B in bytes. An extraction takes "least" at least, and "usual" for a usual
photograph; "each_further" is that of each further image in flight, and
"pictures" the pixels of the images that are in memory at a time.

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
  ReadOptions read;
  std::string mask;
  std::string output;
  FeatureFormat format = FeatureFormat::colmap;
  bool draw = false;
  bool skip_existing = false;
  bool json = false;
  bool estimate = false;
  std::optional<Shard> shard;
  VideoOptions video;
  DetectorOptions detector;
  DeviceOptions device;
};

// Refuses a call that would write over a picture or the mask.
void require_other_files(const Call& call, const ExtractOutput& output, const std::vector<PictureFile>& pictures) {
  std::vector<fs::path> read{call.mask}, written;
  for (const PictureFile& picture : pictures) {
    read.push_back(picture.file);
    const std::vector<fs::path> files = output.files(picture);
    written.insert(written.end(), files.begin(), files.end());
  }
  require_not_read(written, read);
}

std::string number_of_pictures(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

// Prints the result of each picture to the standard output: a line of text, or a JSON object. Each is printed whole,
// and at once. Where that fails it prints nothing more.
class Listing {
 public:
  enum class Form { none, text, json_object, json_array };

  explicit Listing(Form form) : form_(form) {
    if (form_ == Form::json_array) out_.print("[");
  }
  void add(const PictureFile& picture, const Features& features, double milliseconds) {
    const std::string name = picture.file.string();
    if (form_ == Form::text)
      out_.print(fmt::format("{}: {} keypoints, {:.1f} ms\n", name, features.size(), milliseconds));
    if (is_json()) add_json(json_features(name, features, milliseconds));
  }
  void add_skipped(const PictureFile& picture, std::uint64_t keypoints) {
    if (!is_json()) return;
    add_json(json_text(Json{{"image", picture.file.string()}, {"skipped", true}, {"keypoint_count", keypoints}}));
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

// Refuses --format colmap and hloc without descriptors, which these files must hold.
void require_a_fitting_format(const Call& call) {
  if (call.output.empty()) return;
  const bool is_hloc = call.format == FeatureFormat::hloc;
  if (is_hloc && call.draw) throw WrongCall("--draw needs a folder, but --format hloc writes one file");
  if ((!is_hloc && call.format != FeatureFormat::colmap) || describes(call.detector)) return;
  throw WrongCall(
      fmt::format("--format {} holds descriptors: add --describe, or choose npz or json", is_hloc ? "hloc" : "colmap"));
}

// Refuses a folder that is named like one file of features: the caller most likely means that file.
void require_a_name_of_a_folder(const Call& call) {
  if (call.format == FeatureFormat::hloc && !call.shard) return;
  const fs::path folder = call.output;
  for (const char* ending : {".npz", ".json", ".txt", ".h5", ".hdf5"}) {
    if (folder.extension() != ending || fs::is_directory(folder)) continue;
    throw WrongCall("--output", fmt::format("\"{}\" is named like a file, but must be a folder, which gets a "
                                            "file for each picture; --output - writes the file of one",
                                            call.output));
  }
}

// Refuses pictures of the same name, whose results would overwrite each other.
void require_distinct_names(const std::vector<PictureFile>& pictures) {
  const auto same = same_name(pictures);
  if (!same) return;
  throw WrongCall("--output", fmt::format("{} and {} have the same name, their results would overwrite "
                                          "each other; give them one call each",
                                          same->first.file.string(), same->second.file.string()));
}

// Refuses what the standard streams cannot be used for.
void require_fitting_streams(const Call& call) {
  std::vector<std::string> inputs = call.images;
  inputs.push_back(call.mask);
  require_one_standard_input(inputs);
  if (!is_standard_stream(call.output)) return;
  if (call.images.size() > 1) refuse_standard_output("it takes one picture");
  if (call.json) refuse_standard_output("--json has no place there; choose --format json");
  if (call.format == FeatureFormat::hloc) refuse_standard_output("--format hloc needs a file");
  if (call.draw) refuse_standard_output("--draw needs a folder");
  if (call.skip_existing) refuse_standard_output("--skip-existing needs a folder");
  if (call.shard) refuse_standard_output("--shard needs a folder");
  if (call.format == FeatureFormat::npz) require_no_terminal_for_bytes();
}

std::shared_ptr<const Image> read_mask(const Call& call) {
  if (call.mask.empty()) return nullptr;
  return std::make_shared<const Image>(mask_of(read_picture(call.mask, mask_options(call.read)).view()));
}

// All that determines the bytes of every result, besides the picture and the format.
Json settings_of(const Call& call, const Image* mask) {
  Json settings = parse_json(json_of(call.detector));
  settings["exif_rotation"] = call.read.apply_exif_rotation;
  settings["range"] = range_text(call.read);
  if (mask != nullptr) {
    const auto bytes = static_cast<std::size_t>(mask->width()) * static_cast<std::size_t>(mask->height());
    settings["mask"] = fmt::format("{}x{} {}", mask->width(), mask->height(), digest_of({mask->row(0), bytes}));
  }
  settings["octavo"] = OCTAVO_VERSION;
  return settings;
}

// The same of a part: its files may have several forms.
std::string part_settings_of(const Call& call, Json settings) {
  settings["format"] = ending_of(call.format).substr(1);
  settings["draw"] = call.draw;
  return json_text(settings);
}

// The pictures to extract. Each puts the facts of its file into its place in `sources`.
std::vector<BatchImage> images_of(const std::vector<PictureFile>& pictures, const Call& call,
                                  const std::shared_ptr<const Image>& mask, std::vector<ResultSource>& sources) {
  sources.resize(pictures.size());
  std::vector<BatchImage> images;
  const auto standard_input = std::make_shared<std::vector<std::byte>>();  // read once
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const fs::path& file = pictures[i].file;
    const auto load_file = [file, &source = sources[i], &options = call.read, mask] {
      ReadSource read = read_source(file);
      source = std::move(read.source);
      return LoadedImage{decode_image(read.bytes, file.string(), options, mask.get()), mask};
    };
    const auto load_standard_input = [file, &source = sources[i], &options = call.read, mask, standard_input] {
      if (standard_input->empty()) *standard_input = read_standard_input();
      source = source_of(file, *standard_input);
      return LoadedImage{decode_image(*standard_input, "standard input", options, mask.get()), mask};
    };
    images.push_back({file.string(), is_standard_stream(file) ? std::function<LoadedImage()>(load_standard_input)
                                                              : std::function<LoadedImage()>(load_file)});
  }
  return images;
}

// The pictures of a call, and what is known of them before the work.
struct Plan {
  std::vector<PictureFile> pictures{};
  std::vector<std::string> problems{};
  PartInputs inputs{};                            // the pictures of all shards
  bool is_single = false;                         // one picture, by its name
  std::size_t left_out = 0;                       // pictures that are results of earlier runs
  std::vector<const ResultRecord*> up_to_date{};  // of each picture, or null if it is to be done
};

void keep_shard(Plan& plan, const Shard& shard) {
  std::vector<std::string> names;
  for (const PictureFile& picture : plan.pictures) names.push_back(picture.name.generic_string());
  plan.inputs = inputs_of(names);
  std::erase_if(plan.pictures,
                [&](const PictureFile& picture) { return !has_item(shard, picture.name.generic_string()); });
}

Plan plan_of(const Call& call, ExtractOutput* output, Progress& progress) {
  PictureFiles found = find_pictures(call.images, call.recursive);
  Plan plan{.pictures = std::move(found.pictures), .problems = std::move(found.problems)};
  std::vector<PictureFile>& pictures = plan.pictures;
  for (PictureFile& picture : pictures) {
    if (is_standard_stream(picture.file)) picture.name = "stdin";
  }
  plan.is_single =
      call.images.size() == 1 && pictures.size() == 1 && pictures.front().file == fs::path(call.images.front());
  if (output != nullptr) {
    plan.left_out = std::erase_if(pictures, [&](const PictureFile& picture) { return output->is_result(picture); });
    require_distinct_names(pictures);
    require_other_files(call, *output, pictures);
    output->prepare();
  }
  if (call.shard) keep_shard(plan, *call.shard);
  for (const PictureFile& picture : pictures) {
    if (call.skip_existing) progress.show(picture.file.string(), plan.up_to_date.size(), pictures.size());
    plan.up_to_date.push_back(call.skip_existing ? output->up_to_date(picture) : nullptr);
  }
  progress.clear();
  if (is_standard_stream(call.output) && !plan.is_single) refuse_standard_output("it takes one picture");
  return plan;
}

Listing::Form form_of(const Call& call, bool is_single) {
  if (is_standard_stream(call.output)) return Listing::Form::none;
  if (!call.json) return Listing::Form::text;
  return is_single ? Listing::Form::json_object : Listing::Form::json_array;
}

int print_estimates_of(const Call& call, const Plan& plan, const Extractor& extractor, bool masked) {
  std::vector<std::string> names;
  for (const PictureFile& picture : plan.pictures) names.push_back(picture.file.string());
  // Those in flight, and as many that are being loaded.
  const auto in_flight = static_cast<std::size_t>(extractor.best_in_flight());
  const std::size_t loading = std::min<std::size_t>(in_flight, std::max(std::thread::hardware_concurrency(), 1u));
  return print_estimates(names,
                         {.read = call.read,
                          .json = call.json,
                          .array = !plan.is_single,
                          .pictures_at_a_time = std::min(in_flight + loading, names.size()),
                          .estimate = [&](const ImageView& shape) { return extractor.estimate(shape, masked); }});
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
  for (const char* flag : {"--recursive", "--estimate", "--range", "--black", "--white"}) {
    refuse_if_given(command, flag, "with a video");
  }
  if (call.mask.empty()) refuse_if_given(command, "--no-exif-rotation", "with a video");
  if (command.count("--max-pixels") > 0) call.video.max_pixels = call.read.max_pixels;
  require_effects(command, option_table<VideoOptions>(), call.video);
  if (is_standard_stream(call.output)) refuse_standard_output("it takes one picture");
  if (call.format == FeatureFormat::hloc) throw WrongCall("--format hloc has no place for videos");
  return true;
}

// The clips of the call, or of its shard.
struct ClipPlan {
  std::vector<std::string> clips{};
  PartInputs inputs{};  // the clips of all shards
};

// Refuses videos of the same name, whose files would overwrite each other.
ClipPlan clip_plan_of(const Call& call) {
  ClipPlan plan;
  std::vector<PictureFile> all;
  std::vector<std::string> names;
  for (const std::string& clip : call.images) {
    names.push_back(name_of_results(clip));
    all.push_back({clip, names.back()});
    if (!call.shard || has_item(*call.shard, names.back())) plan.clips.push_back(clip);
  }
  if (!call.output.empty()) require_distinct_names(all);
  plan.inputs = inputs_of(names);
  return plan;
}

// All that determines the bytes of a frame's results, besides the clip and the format.
Json frame_settings_of(const Call& call, const Image* mask) {
  Json settings = settings_of(call, mask);
  settings.erase("exif_rotation");
  settings.erase("range");
  settings["size"] = call.video.size;
  return settings;
}

// The same of a part, with the choice of frames.
std::string part_settings_of_videos(const Call& call, Json settings) {
  settings["every"] = call.video.every;
  settings["fps"] = call.video.fps;
  return part_settings_of(call, std::move(settings));
}

int run_on_videos(const Call& call) {
  require_a_fitting_format(call);
  require_a_name_of_a_folder(call);
  validate(call.video);
  const ClipPlan plan = clip_plan_of(call);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  std::unique_ptr<ExtractFolder> output;
  const std::shared_ptr<const Image> mask = read_mask(call);
  const Json settings = frame_settings_of(call, mask.get());
  if (!call.output.empty()) {
    output = std::make_unique<ExtractFolder>(call.output, call.format, call.draw, settings);
    output->prepare();
  }
  Extractor extractor = make_extractor(call.detector, device);
  if (call.shard) remove_part_note(call.output, *call.shard);
  Listing listing(call.json ? Listing::Form::json_array : Listing::Form::text);
  std::vector<std::string> problems;
  std::size_t skipped = 0;
  const VideoReport report{.take =
                               [&](const PictureFile& frame, const Features& features, double milliseconds) {
                                 listing.add(frame, features, milliseconds);
                                 return !listing.is_broken() || output != nullptr;
                               },
                           .skip =
                               [&](const PictureFile& frame, std::uint64_t keypoints) {
                                 progress.clear();
                                 listing.add_skipped(frame, keypoints);
                                 ++skipped;
                               },
                           .fail =
                               [&](const std::string& sentence) {
                                 problems.push_back(sentence);
                                 progress.clear();
                                 complain(sentence);
                               }};
  const Interruption interruption;
  const bool is_done = extract_videos(
      {.clips = plan.clips, .video = call.video, .output = output.get(), .skip_existing = call.skip_existing},
      extractor, mask.get(), interruption, progress, report);
  try {
    if (output) output->finish();
    if (call.shard && is_done) {
      write_part_note(call.output, {.kind = PartKind::features,
                                    .shard = *call.shard,
                                    .settings = part_settings_of_videos(call, settings),
                                    .inputs = plan.inputs,
                                    .items = plan.clips.size(),
                                    .problems = problems});
    }
  } catch (const std::exception& error) {
    report.fail(error.what());
  }
  listing.finish();
  if (skipped > 0) listing.sum_up(number_of_pictures(skipped, "frame is", "frames are") + " up to date");
  if (interruption.is_requested()) {
    complain("interrupted");
    interruption.end_program();
  }
  listing.require_whole();
  return problems.empty() ? exit_done : exit_failed;
}

int run(const Call& call) {
  validate(call.read);
  require_a_fitting_format(call);
  require_a_name_of_a_folder(call);
  require_fitting_streams(call);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  Extractor extractor = make_extractor(call.detector, device);
  const std::shared_ptr<const Image> mask = read_mask(call);
  const bool to_standard_output = is_standard_stream(call.output);
  std::unique_ptr<ExtractOutput> output;
  Json settings = settings_of(call, mask.get());
  const std::string part_settings = part_settings_of(call, settings);
  if (!call.output.empty() && !to_standard_output) {
    if (call.format == FeatureFormat::hloc && !call.shard) {
      output = std::make_unique<ExtractHloc>(call.output, settings);
    } else {
      output = std::make_unique<ExtractFolder>(call.output, call.format, call.draw, std::move(settings));
    }
  }
  const Plan plan = plan_of(call, output.get(), progress);
  if (call.estimate) {
    for (const std::string& problem : plan.problems) complain(problem);
    const int code = print_estimates_of(call, plan, extractor, mask != nullptr);
    return plan.problems.empty() ? code : exit_failed;
  }

  if (call.shard) remove_part_note(call.output, *call.shard);
  std::vector<std::string> problems;
  const auto fail = [&](const std::string& sentence) {
    problems.push_back(sentence);
    progress.clear();
    complain(sentence);
  };
  for (const std::string& problem : plan.problems) fail(problem);
  const auto fail_lost = [&](const PictureFile* known) {
    if (!output) return;
    for (const PictureFile& lost : output->lost()) {
      if (known != nullptr && lost.file == known->file) continue;
      fail(lost.file.string() + ": its features are lost, since the file could not be saved");
    }
  };

  std::vector<PictureFile> to_do;
  for (std::size_t i = 0; i < plan.pictures.size(); ++i) {
    if (plan.up_to_date[i] == nullptr) to_do.push_back(plan.pictures[i]);
  }
  std::vector<ResultSource> sources;
  Batch batch(extractor, images_of(to_do, call, mask, sources));
  Listing listing(form_of(call, plan.is_single));
  const Interruption interruption;
  std::size_t seen = 0;
  for (; seen < plan.pictures.size() && !interruption.is_requested(); ++seen) {
    if (listing.is_broken() && !output) break;  // nothing that is done now would reach the caller
    const PictureFile& picture = plan.pictures[seen];
    if (const ResultRecord* const record = plan.up_to_date[seen]) {
      listing.add_skipped(picture, record->keypoints);
      continue;
    }
    progress.show(picture.file.string(), seen, plan.pictures.size());
    try {
      const BatchResult result = batch.next().value();
      if (result.failure) {
        fail(result.problem);
        continue;
      }
      if (output) output->write(picture, sources[result.index], result);
      if (to_standard_output) {
        write_standard_output(features_bytes(call.format, picture.file.string(), result.features));
      }
      progress.clear();
      if (result.features.size() == 0) {
        complain(fmt::format("{}: no keypoints: {}", picture.file.string(),
                             why_no_keypoints(result.image.view(), mask ? &mask->view() : nullptr)));
      }
      listing.add(picture, result.features, result.extract_milliseconds);
    } catch (const std::bad_alloc&) {
      fail(picture.file.string() + ": out of memory");
      fail_lost(&picture);
    } catch (const std::exception& error) {
      fail(fmt::format("{}: {}", picture.file.string(), error.what()));
      fail_lost(&picture);
    }
  }
  progress.clear();
  const bool is_done = seen == plan.pictures.size();
  try {
    if (output) output->finish();
    if (call.shard && is_done) {
      const bool is_hloc = call.format == FeatureFormat::hloc;
      write_part_note(call.output, {.kind = is_hloc ? PartKind::hloc_features : PartKind::features,
                                    .shard = *call.shard,
                                    .settings = part_settings,
                                    .inputs = plan.inputs,
                                    .items = plan.pictures.size(),
                                    .problems = problems});
    }
  } catch (const std::exception& error) {
    fail(error.what());
    fail_lost(nullptr);
  }

  listing.finish();
  const std::size_t skipped = plan.pictures.size() - to_do.size();
  if (skipped > 0) listing.sum_up(number_of_pictures(skipped, "picture is", "pictures are") + " up to date");
  if (plan.left_out > 0) {
    listing.sum_up(number_of_pictures(plan.left_out, "picture is a result", "pictures are results") +
                   " of an earlier run and left out");
  }
  if (!is_done && interruption.is_requested()) {
    complain(fmt::format("interrupted before picture {} of {}{}", seen + 1, plan.pictures.size(),
                         output ? "; --skip-existing goes on from there" : ""));
    interruption.end_program();
  }
  listing.require_whole();
  return problems.empty() ? exit_done : exit_failed;
}

}  // namespace

void add_extract(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "extract", description, footer);

  command
      .add_option(
          "IMAGE", call->images,
          "Pictures (JPEG, PNG, TIFF, WebP, BMP, PGM, PPM; GIF, HEIC, AVIF and JPEG 2000 if this build has their "
          "libraries; of several in a file the first), folders of them, or quoted patterns such as "
          "'photos/*.jpg'; - is the standard input. A picture named twice is processed once. Or videos (.mp4, .mkv, "
          ".avi, ...).")
      .required()
      .type_name("FILE");
  command.add_flag("--recursive", call->recursive, "Also take the pictures in subfolders of the folders.");
  add_read_options(command, call->read);
  command
      .add_option("--mask", call->mask,
                  "Keep only keypoints where this picture, which has the size of the image, is not black.")
      .type_name("FILE");

  const std::string group = "Output options";
  CommandOption& output =
      command
          .add_option("-o,--output", call->output,
                      "Write a file for each image to this folder, or with --format hloc all to this file; -: "
                      "write the file of one image to the standard output, and nothing else.")
          .type_name("DIR")
          .group(group);
  add_choice<FeatureFormat>(command, "--format", call->format,
                            {{"colmap", FeatureFormat::colmap},
                             {"npz", FeatureFormat::npz},
                             {"json", FeatureFormat::json},
                             {"hloc", FeatureFormat::hloc}},
                            "The format of these files, see below.")
      .needs(output)
      .group(group);
  command.add_flag("--draw", call->draw, "Also write a picture of the keypoints for each image.")
      .needs(output)
      .group(group);
  command
      .add_flag("--skip-existing", call->skip_existing,
                "Leave out the images whose files in the folder are up to date: made from the same content by the same "
                "options and version, and whole. Without it every image is done anew.")
      .needs(output)
      .group(group);
  command.add_flag("--json", call->json, "Print JSON on the standard output, see below.").group(group);
  add_estimate(command, "extraction", output, call->estimate).group(group);
  add_shard_option(command, call->shard, "the pictures, by a hash of their names,").needs(output);

  add_detector_options(command, call->detector, Descriptors::on_request);
  add_device_options(command, call->device);
  add_clip_options(command, call->video, false);
  command.callback(
      [call, &command, &exit_code] { exit_code = is_of_videos(command, *call) ? run_on_videos(*call) : run(*call); });
}

}  // namespace octavo::cli
