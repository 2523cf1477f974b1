// octavo inspect: every stage between a picture and its keypoints, as files and as a page to look at.

#include "octavo/inspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/inspect/output_folder.h"
#include "cli/inspect/page.h"
#include "cli/inspect/told.h"
#include "cli/mask.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/resize.h"
#include "cli/text_file.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto description = R"(look into every stage between an image and its keypoints

Writes the Gaussian images of each octave, their differences, the candidates and
why each was rejected, the keypoints, the descriptor of a chosen one, and a page
that shows it all: DIR/index.html, one file that needs nothing but a browser.
What is shown is exactly what extraction does.)";

constexpr auto footer = R"(Output files:
  DIR/index.html                the page: contact sheet, zoom, values under the
                                pointer, candidates with their verdicts,
                                keypoints, descriptors
  DIR/inspect.json              the numbers, as below
  DIR/octave-1_blur0.png        the Gaussian images, by octave and level;
                                octave -1 is the image doubled
  DIR/octave-1_difference0.png  the differences; i is blur i + 1 less blur i
  DIR/octave-1_gradient0.png    with --smoothing trilateral, steps of the
                                filter: sizes of the gradients of blur 0, and of
                                every other that a blur is made of
  DIR/octave-1_region0.png      how many pixels around each they are alike
  DIR/octave-1_smoothed_gradient4.png
                                what they became for blur 4; there from
                                sigma_c = 3 on
  DIR/octave-1_detail1.png      blur 1 less the one that it was made of
  DIR/octave-1_candidates.png   the candidates of an octave, by verdict
  DIR/keypoints.png             the keypoints with scale and orientation
  DIR/descriptor.png            the descriptor of the chosen keypoint
  DIR/packed.png                with --packed
  DIR/octave-1_blur0.tif        and so on, with --float
Files of an earlier run into DIR that this one does not write are removed, by
the list in its inspect.json; DIR keeps what else is there.
The page holds all candidates up to about 20000, of more the strongest of every
octave and verdict; the 5000 strongest keypoints and the descriptors of the 1000
strongest. It tells how many it shows of how many.
Blurs are shown from the least value of the first (black) to its greatest
(white). Differences are grey (128) at 0 and reach black and white at -w and w,
where of 200 values of the octave 199 lie between; inspect.json gives black and
white of each file. Of a flat image the blurs run from 0 to 1. Gradients run
from 0 to w, regions from 0 to the largest, details like differences. Sides are
at most 512 pixels (1600 for candidates, keypoints and --packed): a pixel of the
file is then the mean of factor x factor pixels, or of a difference or a detail
that which is farthest from 0.

Verdicts on candidates, points where the difference of Gaussians is extreme and
beyond half the contrast threshold (those below it are only counted, as faint):
  unstable        did not settle within 5 steps, or left the octave
  low contrast    below --contrast-threshold
  edge            above --edge-threshold
  duplicate       settled where another one did
  outside mask    see --mask
  no orientation  no gradient around it
  over budget     see --max-features
  kept            gave one keypoint or more

JSON, inspect.json and --json: every candidate, every keypoint, one descriptor
(octavo extract --output writes all of them):
  {"image": "a.png", "width": 800, "height": 640, "options": {...},
   "contrast": 1.0,
   "octaves": [{"octave": -1, "width": 1600, "height": 1280, "blurs": 6,
                "differences": 5, "faint": [9120, 4411, 2007],
                "verdicts": {"unstable": 31, ..., "kept": 1830},
                "keypoints": 2214}, ...],
   "point": {"keypoint": 96, "x": 1.5, "y": 2.5, "scale": 2.1,
             "orientation": 0.7, "response": 0.1, "octave": -1, "layer": 2,
             "descriptor": [...]},
   "planes": [{"file": "octave-1_blur0.png", "stage": "blur", "octave": -1,
               "level": 0, "sigma": 1.6, "factor": 4, "black": 0.02,
               "white": 0.98, "signed": false}, ...],
   "files": ["octave-1_blur0.png", ..., "inspect.json"],
   "candidates": [{"octave": -1, "layer": 1, "row": 7, "column": 96, "x": 48.2,
                   "y": 3.4, "scale": 1.1, "value": -0.018,
                   "curvature_ratio": 2.4, "keypoints": 1, "verdict": "kept"},
                  ...],
   "keypoints": [{"x": 48.2, "y": 3.4, "scale": 1.1, "orientation": 2.8,
                  "response": 0.018, "octave": -1, "layer": 1,
                  "candidate": 0}, ...]}
"contrast" is what --contrast-threshold is multiplied by: the contrast of the
image with --smoothing trilateral, unless --trilateral-range is gradients;
otherwise 1. Row, column and sigma are in pixels of the octave, x, y and scale
in pixels of the image, (0, 0) being the centre of the first, orientations in
radians. The ratio is null where the curvatures differ in sign, and 0 for
unstable candidates. The layer of a candidate is where it was found, that of a
keypoint where it settled. "candidate" and "keypoint" count from 0 in the lists;
"point" is null without keypoints. "files" are all that the run wrote.

Examples:
  octavo inspect photo.jpg -o look
  octavo inspect photo.jpg -o look --preset ece277 --point 310,122
  octavo inspect photo.jpg -o look --layers 1 --packed --full
  octavo inspect photo.jpg -o look --smoothing trilateral

Exit codes:
  0  done
  1  the image cannot be read or a file cannot be written
  2  the call was wrong)";

constexpr int side_of_plane = 512;     // [pixel] at most, of a thumbnail …
constexpr int side_of_drawing = 1600;  // … and of what is drawn upon

// [pixel of the image]
struct Place {
  double x = 0, y = 0;
};

// What the command line asks for.
struct Call {
  std::string image;
  bool apply_exif_rotation = true;
  std::string mask;
  std::string output;
  std::optional<Place> point;
  bool full = false;
  bool floats = false;
  bool packed = false;
  bool json = false;
  SiftOptions sift;
  DeviceOptions device;
};

Place parse_place(const std::string& text) {
  Place place;
  const char* end = text.data() + text.size();
  const auto [comma, x_error] = std::from_chars(text.data(), end, place.x);
  if (x_error == std::errc() && comma != end && *comma == ',') {
    const auto [rest, y_error] = std::from_chars(comma + 1, end, place.y);
    if (y_error == std::errc() && rest == end && std::isfinite(place.x) && std::isfinite(place.y)) return place;
  }
  throw CLI::ValidationError("--point", "'" + text + "' is not X,Y in pixels, such as 310,122.5");
}

// The keypoint to look at: the nearest to the place asked for, or the strongest.
std::optional<std::size_t> choose(const std::vector<Keypoint>& keypoints, const std::optional<Place>& place) {
  if (keypoints.empty()) return {};
  const auto distance = [&](const Keypoint& k) { return std::hypot(k.x - place->x, k.y - place->y); };
  const auto better = [&](const Keypoint& a, const Keypoint& b) {
    return place ? distance(a) < distance(b) : a.response > b.response;
  };
  return std::min_element(keypoints.begin(), keypoints.end(), better) - keypoints.begin();
}

void write_bytes(const fs::path& file, std::span<const std::byte> bytes) {
  write_text(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// What a run leaves beside its pictures.
struct Written {
  std::size_t page_bytes = 0;
  std::string json;  // inspect.json
};

// What is written while the planes go by, and after them.
class Writer {
 public:
  Writer(const Call& call, const Image& image) : call_(call), image_(image), folder_(call.output) {
    const int side = call.full ? 0 : side_of_drawing;
    drawing_ = smaller(side);
    if (call.packed) {
      const int times = call.sift.first_octave == -1 ? 2 : 1;
      packed_.emplace(image.width() * times, image.height() * times, call.full || call.floats ? 0 : side_of_drawing);
    }
  }

  void show(const StagePlane& plane, const Inspection& so_far) {
    const int factor = reduction(plane.pixels.width, plane.pixels.height, side_of_plane);
    const Image thumbnail = reduced(plane, factor);
    const auto small = encode_image("a picture.png", picture_of(thumbnail.view(), plane).view());
    const std::string file = plane.name() + ".png";
    add_picture(plane, factor, small, file);
    planes_.push_back(told_plane(plane, file, call_.full ? 1 : factor));
    if (call_.floats) write_image(path(plane.name() + ".tif"), plane.pixels);
    if (packed_) packed_->add(plane, call_.sift.first_octave);

    if (!point_) point_ = choose(so_far.features.keypoints, call_.point);
    if (!point_) return;
    const Keypoint& k = so_far.features.keypoints[*point_];
    if (plane.stage == "blur" && plane.octave == k.octave && plane.level == k.layer) {
      const auto drawn =
          encode_image("a picture.png", draw_descriptor(plane, k, so_far.features.descriptor(*point_)).view());
      page_.set_point(*point_, drawn);
      write_bytes(path("descriptor.png"), drawn);
    }
  }

  Written finish(const Inspection& inspection) {
    const ImageView& drawing = drawing_ ? drawing_->view() : image_.view();
    const double zoom = static_cast<double>(drawing.width) / image_.width();
    write_candidates(inspection, drawing, zoom);
    write_keypoints(inspection, drawing, zoom);

    const std::optional<Image> small = smaller(side_of_drawing);
    const ImageView& photograph = small ? small->view() : image_.view();
    page_.set_photograph(photograph.width, photograph.height, static_cast<double>(photograph.width) / image_.width(),
                         encode_image("a picture.jpg", photograph));
    if (packed_) write_packed();

    nlohmann::ordered_json told = told_inspection(call_.image, image_.view(), call_.sift, inspection, point_);
    const std::string page = page_.text(inspection, told);
    write_text(path("index.html"), page);
    const fs::path json_file = path("inspect.json");
    told["planes"] = planes_;
    told["files"] = folder_.files();
    const std::string json = inspect_json(told, inspection);
    folder_.remove_earlier();
    write_text(json_file, json);
    return {page.size(), json};
  }

  [[nodiscard]] std::optional<std::size_t> point() const { return point_; }

 private:
  fs::path path(const std::string& name) { return folder_.add(name); }

  // The image with sides of at most `side` pixels (0: any), unless it has them anyhow.
  [[nodiscard]] std::optional<Image> smaller(int side) const {
    const int longest = std::max(image_.width(), image_.height());
    if (side == 0 || longest <= side) return {};
    const auto scaled = [&](int length) {
      return std::max(1, static_cast<int>(std::lround(static_cast<double>(length) * side / longest)));
    };
    return resize_and_crop(image_.view(), {scaled(image_.width()), scaled(image_.height())});
  }

  void write_candidates(const Inspection& inspection, const ImageView& drawing, double zoom) {
    auto first = inspection.candidates.begin();
    for (const InspectedOctave& octave : inspection.octaves) {
      const auto last = std::find_if(first, inspection.candidates.end(),
                                     [&](const Candidate& c) { return c.octave > octave.octave; });
      write_image(path(fmt::format("octave{}_candidates.png", octave.octave)),
                  draw_candidates(drawing, {first, last}, zoom).view());
      first = last;
    }
  }

  // A plane for the page, reduced by `factor`, and as a file.
  void add_picture(const StagePlane& plane, int factor, std::span<const std::byte> small, const std::string& file) {
    const bool is_larger = call_.full && factor > 1;
    page_.add_plane(plane, factor, small, is_larger ? file : "");
    if (is_larger) {
      write_image(path(file), picture_of(plane.pixels, plane).view());
    } else {
      write_bytes(path(file), small);
    }
  }

  void write_keypoints(const Inspection& inspection, const ImageView& drawing, double zoom) {
    std::vector<Keypoint> keypoints = inspection.features.keypoints;
    for (Keypoint& k : keypoints) {  // pixel i of the image covers i − 0.5 … i + 0.5
      k.x = static_cast<float>((k.x + 0.5) * zoom - 0.5);
      k.y = static_cast<float>((k.y + 0.5) * zoom - 0.5);
      k.scale = static_cast<float>(k.scale * zoom);
    }
    write_image(path("keypoints.png"), draw_keypoints(drawing, keypoints).view());
  }

  void write_packed() {
    const StagePlane packed = packed_->plane();
    const int factor = reduction(packed.pixels.width, packed.pixels.height, side_of_drawing);
    const auto small = encode_image("a picture.png", picture_of(reduced(packed, factor).view(), packed).view());
    add_picture(packed, factor, small, "packed.png");
    if (call_.floats) write_image(path("packed.tif"), packed.pixels);
  }

  const Call& call_;
  const Image& image_;
  OutputFolder folder_;
  std::optional<Image> drawing_;  // what is drawn upon, if it is not the image
  std::optional<PackedPyramid> packed_;
  std::optional<std::size_t> point_;  // among the features
  nlohmann::ordered_json planes_ = nlohmann::ordered_json::array();
  InspectPage page_;
};

// A line for each octave: what became of its candidates.
void print_octaves(const Inspection& inspection) {
  std::array<std::int64_t, verdict_count> sums{};
  for (const InspectedOctave& octave : inspection.octaves) {
    for (std::size_t v = 0; v < verdict_count; ++v) sums[v] += octave.verdicts[v];
  }
  fmt::print("{:>6}{:>13}{:>9}", "octave", "pixels", "faint");
  for (std::size_t v = 0; v < verdict_count; ++v) {
    if (sums[v] > 0)
      fmt::print("{:>{}}", name_of(static_cast<Verdict>(v)), name_of(static_cast<Verdict>(v)).size() + 3);
  }
  fmt::print("{:>12}\n", "keypoints");
  for (const InspectedOctave& octave : inspection.octaves) {
    std::int64_t faint = 0;
    for (const std::int64_t n : octave.faint) faint += n;
    fmt::print("{:>6}{:>13}{:>9}", octave.octave, fmt::format("{}x{}", octave.width, octave.height), faint);
    for (std::size_t v = 0; v < verdict_count; ++v) {
      if (sums[v] > 0) fmt::print("{:>{}}", octave.verdicts[v], name_of(static_cast<Verdict>(v)).size() + 3);
    }
    fmt::print("{:>12}\n", octave.keypoints);
  }
}

void print_text(const Call& call, const Image& image, const Inspection& inspection, std::optional<std::size_t> point,
                std::size_t page_bytes) {
  if (inspection.octaves.empty()) {
    fmt::print("no octaves: the image, {}x{} pixels, is too small; an octave needs 12 pixels each way\n", image.width(),
               image.height());
  } else {
    print_octaves(inspection);
  }
  if (point) {
    const Keypoint& k = inspection.features.keypoints[*point];
    fmt::print("descriptor  of the keypoint at {:.1f},{:.1f}, scale {:.1f}, octave {}, layer {}\n", k.x, k.y, k.scale,
               k.octave, k.layer);
  } else {
    fmt::print("descriptor  none: there are no keypoints{}\n", call.point ? ", so --point shows nothing" : "");
  }
  if (call.packed && call.sift.layers != 1) {
    fmt::print("packed      differences 0, 1 and 2 of the {} of each octave\n", call.sift.layers + 2);
  }
  fmt::print("page        {} ({:.1f} MB)\n", (fs::path(call.output) / "index.html").string(),
             static_cast<double>(page_bytes) / 1e6);
}

void run(const Call& call) {
  Extractor(call.sift, call.device);  // a wrong option is told before a file is read or written
  const Image image = read_image(call.image, call.apply_exif_rotation);
  std::optional<Image> mask;
  if (!call.mask.empty()) mask = read_mask(call.mask, call.apply_exif_rotation);
  if (call.point && !(call.point->x >= -0.5 && call.point->x < image.width() - 0.5 && call.point->y >= -0.5 &&
                      call.point->y < image.height() - 0.5)) {
    throw Error(ErrorCode::invalid_option,
                fmt::format("--point is {},{}, but must lie in the image, which is {}x{} pixels", call.point->x,
                            call.point->y, image.width(), image.height()));
  }
  if (mask && (mask->width() != image.width() || mask->height() != image.height())) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("--mask {} is {}x{} pixels, but {} is {}x{}", call.mask, mask->width(), mask->height(),
                            call.image, image.width(), image.height()));
  }
  require_apart(call.image, call.output);
  if (mask) require_apart(call.mask, call.output);

  Writer writer(call, image);
  Progress progress(100);
  progress.show(0, "extraction");
  const auto show = [&](const StagePlane& plane, const Inspection& so_far) {
    // Octaves have a quarter of the pixels of the one before. Steps of the trilateral filter count as the first blur.
    const InspectedOctave& octave = so_far.octaves.back();
    const int of = octave.blurs + octave.differences;
    const int at = plane.stage == "blur" ? plane.level : plane.stage == "difference" ? octave.blurs + plane.level : 0;
    const double left = std::pow(0.25, so_far.octaves.size() - 1) * (1 - 0.75 * at / of);
    progress.show(static_cast<std::size_t>(100 * (1 - left)), plane.name());
    writer.show(plane, so_far);
  };
  const Inspection inspection = inspect(image.view(), mask ? &mask->view() : nullptr, call.sift, call.device, show);
  progress.show(99, "index.html");
  const Written written = writer.finish(inspection);
  progress.clear();
  if (call.json) {
    fmt::print("{}", written.json);
  } else {
    print_text(call, image, inspection, writer.point(), written.page_bytes);
  }
}

}  // namespace

void add_inspect(CLI::App& program) {
  const auto call = std::make_shared<Call>();
  CLI::App& command = add_command(program, "inspect", description, footer);

  command.add_option("IMAGE", call->image, "The picture (JPEG, PNG, TIFF, WebP, PGM, PPM).")
      ->required()
      ->type_name("FILE");
  add_read_options(command, call->apply_exif_rotation);
  command
      .add_option("--mask", call->mask,
                  "Keep the keypoints where this picture, of the size of the image, is not black.")
      ->type_name("FILE");

  const std::string group = "Output options";
  command.add_option("-o,--output", call->output, "Write the files to this folder; it is made if it is missing.")
      ->required()
      ->type_name("DIR")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--point", [call](const std::string& text) { call->point = parse_place(text); },
          "Show the descriptor of the keypoint nearest to this place of the image, in pixels. Default: the strongest.")
      ->type_name("X,Y")
      ->group(group);
  command
      .add_flag("--packed", call->packed,
                "Write the difference pyramid as one picture too: differences 0, 1 and 2 of the first octave in three "
                "quarters, the next octave in the free one, and so on. With --layers 1 these are all.")
      ->group(group);
  command
      .add_flag(
          "--full", call->full,
          "Write the files in full size. The page holds its thumbnails only, but shows these where it is zoomed in, as "
          "long as they lie beside it.")
      ->group(group);
  command
      .add_flag("--float", call->floats,
                "Write every plane in full size as 32-bit float TIFF too, exactly as it was computed.")
      ->group(group);
  command
      .add_flag("--json", call->json,
                "Print what inspect.json says, see below, instead of the table; the files are written as well.")
      ->group(group);
  add_sift_options(command, call->sift);
  add_device_options(command, call->device);
  command.callback([call] { run(*call); });
}

}  // namespace octavo::cli
