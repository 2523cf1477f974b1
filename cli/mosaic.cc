// octavo mosaic: joins images that overlap into one.

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/standard_streams.h"
#include "cli/wrong_call.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/json/matrix_json.h"
#include "octavo/error.h"
#include "octavo/io/find_images.h"
#include "octavo/io/image_files.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;
constexpr auto description = R"(join overlapping images into one

Finds which images overlap, how they are related (scans, a turning camera, a
flat scene), corrects exposure and vignetting, and blends the images along
seams that are hard to see. The order of the images does not matter. Images
that do not belong to the mosaic are left out and named, with the reason.
16-bit and float images keep their depth and their values: kelvin stay
kelvin. Where an image is transparent, or its data are missing, others are
shown.)";

constexpr auto footer = R"(Output:
  .tif, .tiff  tiles with alpha, written block by block: memory does not grow
               with the mosaic. From 2 GiB on it is a BigTIFF
  .png, .webp  with alpha
  .jpg, .ppm   white where no image is
Values that are not those of photographs, such as floats outside 0 to 1 or 12
bits in 16, are measurements: their exposure is not corrected unless --exposure
on says so, and where no image is, floats are NaN and whole numbers 0. A
format that cannot hold them gets them in its full range.
Without -o nothing is drawn, and the result is only told.

JSON:
  {"found": true, "reason": null, "model": "rotation", "why": "...",
   "distortion": false, "candidates": [...], "reference": "d.jpg",
   "projection": "cylinder", "canvas": {"width": 5000, "height": 1200,
   "scale": 900.5, "left": -2500, "top": -600, "bits": 8,
   "values": [0, 255]}, "exposure": true,
   "residual": 0.52, "held_out": 0.55, "loop_error": 3.1,
   "images": [{"image": "a.jpg", "width": 1600, "height": 1200,
     "keypoint_count": 3100, "status": "placed", "reason": null,
     "frame_from_image": [[...], [...], [...]], "focal_length": 900.5,
     "radial": 0, "uncertainty": 0.1, "gain": [1.1, 1.1, 1.0]}, ...],
   "pairs": [{"image_a": "a.jpg", "image_b": "b.jpg", "match_count": 410,
     "inlier_count": 380, "patch_count": 150, "even_contrast": false,
     "confidence": 3.1, "status": "used", "residual": 0.5, "held_out": 0.5,
     "loop_error": 0}, ...],
   "vignetting": [-0.1, 0], "warnings": [], "problems": []}
Lengths are in pixels. "residual" is the root-mean-square distance of the
matches from which the model was made, "held_out" that of those that were not
used for it. "loop_error" is the distance between a pair's own homography and
the way through the tree of the strongest pairs, before the adjustment.
"patch_count" tells places that agree by their intensities. "even_contrast":
smooth images were matched by copies with the same contrast everywhere.
"uncertainty" is the standard deviation of an image's corners that follows
from its matches. "warnings" say why the mosaic may be wrong.
Status of images: placed, identical, no_overlap, second_panorama, failed (it
cannot be read, or a side is above 32766 pixels). Status of pairs: used,
unrelated, inconsistent. "problems" tells what could not be read.

Examples:
  octavo mosaic left.jpg middle.jpg right.jpg -o all.tif
  octavo mosaic scans/ -o page.png --model similarity
  octavo mosaic photos/ -o all.tif --draw-seams seams.png --json

Exit codes:
  0  done; images may be left out
  1  an image cannot be read: it is named and left out, and the mosaic is that
     of the others. Or there is no mosaic: no two images overlap, the canvas
     is too large, a file cannot be written
  2  the call was wrong, for example with one image alone)";

// What the command line asks for.
struct Call {
  std::vector<std::string> places;
  std::string output, graph, seams;
  bool json = false;
  ReadOptions read;
  MosaicOptions mosaic;
  RobustOptions robust;
  MatchOptions match;
  DetectorOptions detector;
  DeviceOptions device;
};

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json as_json(const MosaicImage& image) {
  Json json{{"image", image.name},          {"width", image.size.width},
            {"height", image.size.height},  {"keypoint_count", image.keypoints},
            {"status", word(image.status)}, {"reason", text_or_null(image.reason)}};
  if (image.status != MosaicImageStatus::placed) return json;
  json["frame_from_image"] = matrix_json(image.frame_from_image);
  json["focal_length"] = image.focal_length > 0 ? Json(image.focal_length) : Json(nullptr);
  json["radial"] = image.radial;
  json["uncertainty"] = image.uncertainty;
  json["gain"] = image.gain;
  return json;
}

Json as_json(const MosaicCandidate& candidate) {
  return {{"model", word(candidate.model)},
          {"distortion", candidate.distortion},
          {"parameter_count", candidate.parameters},
          {"residual", candidate.residual},
          {"held_out", candidate.held_out}};
}

template <class List>
Json list_of(const List& list) {
  Json json = Json::array();
  for (const auto& one : list) json.push_back(as_json(one));
  return json;
}

const std::string& name_of(const MosaicPlan& plan, int image) {
  return plan.images[static_cast<std::size_t>(image)].name;
}

Json pairs_json(const MosaicPlan& plan) {
  Json json = Json::array();
  for (const MosaicPair& pair : plan.pairs) {
    json.push_back({{"image_a", name_of(plan, pair.a)},
                    {"image_b", name_of(plan, pair.b)},
                    {"match_count", pair.matches},
                    {"inlier_count", pair.inliers},
                    {"patch_count", pair.patches},
                    {"even_contrast", pair.even_contrast},
                    {"confidence", pair.confidence},
                    {"status", word(pair.status)},
                    {"residual", pair.residual},
                    {"held_out", pair.held_out},
                    {"loop_error", pair.loop_error}});
  }
  return json;
}

Json as_json(const MosaicPlan& plan, const std::vector<std::string>& problems) {
  Json json{{"found", plan.found}, {"reason", text_or_null(plan.reason)}};
  if (plan.found) {
    json["model"] = word(plan.model);
    json["why"] = plan.why;
    json["distortion"] = plan.distortion;
    json["candidates"] = list_of(plan.candidates);
    json["reference"] = name_of(plan, plan.reference);
    json["projection"] = word(plan.projection);
    json["canvas"] = {{"width", plan.width},
                      {"height", plan.height},
                      {"scale", plan.scale},
                      {"left", plan.left},
                      {"top", plan.top},
                      {"bits", 8 * bytes_of(plan.depth)},
                      {"values", {plan.values.low, plan.values.high}}};
    json["exposure"] = plan.exposure;
    json["residual"] = plan.residual;
    json["held_out"] = plan.held_out;
    json["loop_error"] = plan.loop_error ? Json(*plan.loop_error) : Json(nullptr);
  }
  json["images"] = list_of(plan.images);
  json["pairs"] = pairs_json(plan);
  if (plan.found) json["vignetting"] = plan.vignetting;
  json["warnings"] = plan.warnings;
  json["problems"] = problems;
  return json;
}

void print_text(const MosaicPlan& plan) {
  if (plan.found) {
    const auto placed = std::count_if(plan.images.begin(), plan.images.end(), [](const MosaicImage& image) {
      return image.status == MosaicImageStatus::placed;
    });
    fmt::print("images     {} of {}\n", placed, plan.images.size());
    fmt::print("model        {}{}\n", word(plan.model), plan.distortion ? " with lens distortion" : "");
    fmt::print("why          {}\n", plan.why);
    fmt::print("projection   {}\n", word(plan.projection));
    fmt::print("canvas       {} x {}\n", plan.width, plan.height);
    fmt::print("residual     {:.2f} px, of held-out matches {:.2f} px\n", plan.residual, plan.held_out);
    if (plan.loop_error) fmt::print("loop error   {:.2f} px before the adjustment\n", *plan.loop_error);
    for (const MosaicPair& pair : plan.pairs) {
      if (pair.status == MosaicPairStatus::unrelated) continue;
      const bool is_placed = pair.residual > 0;
      if (!is_placed) continue;
      fmt::print("pair         {} - {}: {} matches, {:.2f} px{}\n", name_of(plan, pair.a), name_of(plan, pair.b),
                 pair.inliers, pair.residual,
                 pair.status == MosaicPairStatus::inconsistent ? ", contradicts the others: not used" : "");
    }
  }
  for (const MosaicImage& image : plan.images) {
    if (image.status != MosaicImageStatus::placed) fmt::print("left out     {}: {}\n", image.name, image.reason);
  }
  for (const std::string& warning : plan.warnings) fmt::print("warning      {}\n", warning);
}

// Refuses a call that would write over an image that it reads or writes, or whose images cannot be written.
void require_fit_outputs(const Call& call, const std::vector<fs::path>& read) {
  std::vector<fs::path> written;
  std::set<fs::path> known;
  for (const std::string& file : {call.output, call.graph, call.seams}) {
    if (file.empty()) continue;
    written.emplace_back(file);
    std::error_code unknown;  // a place that cannot be written is refused below
    const fs::path place = fs::weakly_canonical(fs::absolute(file), unknown);
    if (!place.empty() && !known.insert(place).second) {
      throw WrongCall(fmt::format("two outputs are the same file, '{}'", file));
    }
  }
  require_not_read(written, read);
  require_writable_images(written, true);
}

// What could not be read. The mosaic is that of the other images.
std::vector<std::string> problems_of(const ImageFiles& found, const MosaicPlan& plan) {
  std::vector<std::string> problems = found.problems;
  for (const MosaicImage& image : plan.images) {
    if (image.status != MosaicImageStatus::failed) continue;
    const bool is_named = image.reason.find(image.name) != std::string::npos;
    problems.push_back(is_named ? image.reason : fmt::format("{}: {}", image.name, image.reason));
  }
  return problems;
}

std::vector<MosaicInput> inputs_of(const ImageFiles& found, const ReadOptions& options) {
  std::vector<MosaicInput> inputs;
  for (const ImageFile& image : found.images) {
    inputs.push_back({image.file.string(), [file = image.file, options] {
                        Photograph photograph = read_stored(file, options);
                        return StoredImage(std::move(photograph.image), photograph.no_data, photograph.scale);
                      }});
  }
  return inputs;
}

int run(const Call& call) {
  const ImageFiles found = find_images(call.places);
  for (const std::string& problem : found.problems) complain(problem);
  if (found.images.size() < 2) {
    const std::string sentence =
        fmt::format("a mosaic needs at least 2 images, but {} is found", found.images.empty() ? "none" : "only one");
    if (found.problems.empty()) throw WrongCall(sentence);
    throw Error(ErrorCode::file_error, sentence);
  }
  std::vector<fs::path> files;
  for (const ImageFile& image : found.images) files.push_back(image.file);
  require_fit_outputs(call, files);

  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  progress.show("starting");
  Extractor extractor = make_extractor(call.detector, device);
  Matcher matcher(call.match, device);
  const std::vector<MosaicInput> inputs = inputs_of(found, call.read);
  const auto show_step = [&](const ProgressStep& step) { progress.show(step.stage, step.done, step.total); };
  const MosaicPlan plan = plan_mosaic(inputs, extractor, matcher, call.robust, call.mosaic, show_step);
  if (plan.found) {
    if (!call.graph.empty()) write_image(call.graph, draw_mosaic_graph(plan).view());
    if (!call.seams.empty()) write_image(call.seams, draw_mosaic_seams(plan).view());
    if (!call.output.empty()) write_mosaic(call.output, plan, inputs, show_step);
  }
  progress.clear();
  const std::vector<std::string> problems = problems_of(found, plan);
  for (std::size_t i = found.problems.size(); i < problems.size(); ++i) complain(problems[i]);
  if (call.json) {
    fmt::print("{}\n", json_text(as_json(plan, problems)));
  } else {
    print_text(plan);
  }
  if (!plan.found) complain("there is no mosaic: " + plan.reason);
  return plan.found && problems.empty() ? exit_done : exit_failed;
}

// Refuses options that do nothing where nothing is drawn.
void require_drawn(const Command& command, const Call& call) {
  if (!call.output.empty()) return;
  for (const char* const flag : {"--bands", "--image-memory"}) refuse_if_given(command, flag, "without --output");
  if (call.seams.empty()) refuse_if_given(command, "--no-seams", "without --output or --draw-seams");
}

}  // namespace

void add_mosaic(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "mosaic", description, footer);

  command.add_option("IMAGES", call->places, "Images, folders of images, and patterns such as \"*.jpg\".")
      .required()
      .type_name("PLACE");
  command.add_option("-o,--output", call->output, "Write the mosaic to this file, see below.").type_name("FILE");
  command.add_option("--draw-graph", call->graph, "Draw which images match, and how well they meet.").type_name("FILE");
  command.add_option("--draw-seams", call->seams, "Draw which image each part of the mosaic shows.").type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  const OptionTable<MosaicOptions>& table = option_table<MosaicOptions>();
  add_options(command, table, call->mosaic, {"distortion", "seams"});
  const std::string group(table.options.front().group);
  command
      .add_flag(
          "--no-distortion", [call] { call->mosaic.distortion = false; }, "Do not look for lens distortion.")
      .group(group);
  command
      .add_flag(
          "--no-seams", [call] { call->mosaic.seams = false; },
          "Lead seams halfway between the images, not where they agree.")
      .group(group);
  add_read_options(command, call->read);
  add_robust_options(command, call->robust);
  add_match_options(command, call->match);
  add_detector_options(command, call->detector, Descriptors::always);
  add_device_options(command, call->device);
  command.callback([call, &command, &exit_code] {
    require_drawn(command, *call);
    exit_code = run(*call);
  });
}

}  // namespace octavo::cli
