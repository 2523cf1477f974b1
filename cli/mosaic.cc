// octavo mosaic: joins images that overlap, and frames of videos, into one.

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "cli/detector.h"
#include "cli/options.h"
#include "cli/work.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(join overlapping images into one

Finds which images, or frames of videos, overlap and how they are related
(scans, a turning camera, a flat scene), corrects exposure and vignetting, and
blends the images along seams that are hard to see. The order of the images does
not matter. Images that do not belong to the mosaic are left out and named, with
the reason. 16-bit and float images keep their depth and their values: kelvin
stay kelvin. Where an image is transparent, or its data are missing, others are
shown.)";

constexpr auto footer = R"(Videos:
  Of a video frames are taken that overlap by half to 70 percent, however fast
  the camera moves, the sharpest near each place. They are named by their time,
  "pan.mp4 at 3.2 s". After a cut the frames are of another panorama: the
  largest is drawn, and the others are named. Folders give no videos.

Output:
  .tif, .tiff  tiles with alpha, written block by block: memory does not grow
               with the mosaic. From 2 GiB on it is a BigTIFF
  .png, .webp  with alpha
  .jpg, .ppm   white where no image is
JPEG, PNG and TIFF have the colour profile (ICC) of most images, to which the
others are converted, the date and place of the reference image, and what all
images say of the camera. On a sphere viewers of panoramas show them all around
(GPano).
Values that are not those of photographs, such as floats outside 0 to 1 or 12
bits in 16, are measurements: their exposure is not corrected unless --exposure
on says so, and where no image is, floats are NaN and whole numbers 0. A
format that cannot hold them gets them in its full range.
Without -o nothing is drawn, and the result is only told.

Points that are set by hand join images in which nothing matches, such as
walls. A line of the file of --points has the name of an image, x and y, and
the same of another image that shows the place:
  left.jpg 1580 220.5 right.jpg 70 214
Pixels are counted from the centre of the first one, which is (0, 0); names
are those of --pairs, or the files as they were given. Two or three points of
two images tell a shift, turn and size, four and more a homography. Lines that
begin with # are left out.

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
     "by_hand": false, "confidence": 3.1, "status": "used", "residual": 0.5,
     "held_out": 0.5, "loop_error": 0}, ...],
   "vignetting": [-0.1, 0], "files": [...], "warnings": [], "problems": []}
Lengths are in pixels. "residual" is the root-mean-square distance of the
matches from which the model was made, "held_out" that of those that were not
used for it. "loop_error" is the distance between a pair's own homography and
the way through the tree of the strongest pairs, before the adjustment.
"patch_count" tells places that agree by their intensities. "even_contrast":
smooth images were matched by copies with the same contrast everywhere.
"by_hand": some matches are those of --points.
"uncertainty" is the standard deviation of an image's corners that follows
from its matches. "warnings" say why the mosaic may be wrong.
Status of images: placed, identical, redundant (others show all of it),
no_overlap, second_panorama, failed (it cannot be read, or a side is above
32766 pixels). Status of pairs: used, unrelated, inconsistent, undecidable (a
pattern repeats, and nothing decides where they lie). "problems" tells what
could not be read.

Examples:
  octavo mosaic left.jpg middle.jpg right.jpg -o all.tif
  octavo mosaic pan.mp4 -o pan.jpg
  octavo mosaic scans/ -o page.png --model similarity
  octavo mosaic photos/ -o all.tif --draw-seams seams.png --json
  octavo mosaic wall/ -o wall.tif --points points.txt
  octavo mosaic rows/ -o all.tif --pairs sequential:12

Exit codes:
  0  done; images may be left out
  1  an image or a line of a list cannot be read: it is named and left out, and
     the mosaic is that of the others. Or there is no mosaic: no two images
     overlap, the canvas is too large, a file cannot be written
  2  the call was wrong, for example with one image alone)";

// What the command line asks for.
struct Call : MosaicJob {
  std::vector<std::string> places;
  bool json = false;
};

void print_text(const MosaicPlan& plan) {
  if (plan.found) {
    const auto name = [&](int image) { return plan.images[static_cast<std::size_t>(image)].name; };
    const auto placed = std::ranges::count(plan.images, MosaicImageStatus::placed, &MosaicImage::status);
    fmt::print("images       {} of {}\n", placed, plan.images.size());
    fmt::print("model        {}{}\n", word(plan.model), plan.distortion ? " with lens distortion" : "");
    fmt::print("why          {}\n", plan.why);
    fmt::print("projection   {}\n", word(plan.projection));
    fmt::print("canvas       {} x {}\n", plan.width, plan.height);
    fmt::print("residual     {:.2f} px, of held-out matches {:.2f} px\n", plan.residual, plan.held_out);
    if (plan.loop_error) fmt::print("loop error   {:.2f} px before the adjustment\n", *plan.loop_error);
    for (const MosaicPair& pair : plan.pairs) {
      const bool is_placed = pair.residual > 0;
      if (pair.status == MosaicPairStatus::unrelated || !is_placed) continue;
      fmt::print("pair         {} - {}: {} matches, {:.2f} px{}\n", name(pair.a), name(pair.b), pair.inliers,
                 pair.residual,
                 pair.status == MosaicPairStatus::inconsistent ? ", contradicts the others: not used"
                 : pair.by_hand                                ? ", set by hand"
                                                               : "");
    }
  }
  for (const MosaicImage& image : plan.images) {
    if (image.status != MosaicImageStatus::placed) fmt::print("left out     {}: {}\n", image.name, image.reason);
  }
  for (const std::string& warning : plan.warnings) fmt::print("warning      {}\n", warning);
}

int run(Call& call) {
  call.images = find_images(call.places);
  Work work(Work::Signal::ends_program);
  const MosaicResult result = make_mosaic(call, work.context());
  work.progress().clear();
  if (call.json) {
    fmt::print("{}\n", json_of(result));
  } else {
    print_text(result.plan);
  }
  if (!result.plan.found) complain("there is no mosaic: " + result.plan.reason);
  return result.plan.found ? work.exit_code() : exit_failed;
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

  command.add_option("IMAGES", call->places, "Images, folders of images, patterns such as \"*.jpg\", and videos.")
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
  add_pairs_option(command, call->pairs);
  command.add_option("--points", call->points, "Places that two images show, set by hand, see below.")
      .type_name("FILE");
  add_read_options(command, call->read);
  add_mask_option(command, call->mask);
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
