// Every plane becomes a small image on the page and a file beside the page: the same image, or one in full size.
// The candidates and keypoints are drawn on the image, which is reduced if it is large.

#include "io/inspection/inspection_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "io/files/output_file.h"
#include "io/images/resize.h"
#include "io/inspection/inspection_json.h"
#include "octavo/io/drawing.h"
#include "octavo/io/image_files.h"

namespace octavo::inspection {
namespace {

// [pixel] Greatest side of a thumbnail.
constexpr int side_of_plane = 512;
// [pixel] Greatest side of an image of candidates or keypoints.
constexpr int side_of_drawing = 1600;

// [pixel] Side of a weight in the image of a filter.
constexpr int side_of_weight = 6;

ImageView view_of(const DirectionalFilter& filter) {
  const auto row = static_cast<std::ptrdiff_t>(sizeof(float)) * filter.side;
  return {filter.weights.data(), filter.side, filter.side, 1, PixelType::f32, row};
}

float greatest_weight(const std::vector<DirectionalFilter>& filters, int scale) {
  float greatest = 0;
  for (const DirectionalFilter& filter : filters) {
    if (filter.scale != scale) continue;
    greatest = std::max(greatest, *std::max_element(filter.weights.begin(), filter.weights.end()));
  }
  return greatest;
}

// Each pixel (u8) as a square.
Image magnified(const ImageView& image) {
  Image large(image.width * side_of_weight, image.height * side_of_weight, 1, PixelType::u8);
  for (int y = 0; y < large.height(); ++y) {
    for (int x = 0; x < large.width(); ++x) large.row(y)[x] = image.row(y / side_of_weight)[x / side_of_weight];
  }
  return large;
}

// The keypoint to show: the nearest to the requested place, or the strongest.
std::optional<std::size_t> chosen_keypoint(const std::vector<Keypoint>& keypoints, const std::optional<Point>& place) {
  if (keypoints.empty()) return {};
  const auto distance = [&](const Keypoint& k) { return std::hypot(k.x - place->x, k.y - place->y); };
  const auto is_better = [&](const Keypoint& a, const Keypoint& b) {
    return place ? distance(a) < distance(b) : a.response > b.response;
  };
  return std::min_element(keypoints.begin(), keypoints.end(), is_better) - keypoints.begin();
}

// The image with sides of at most `side` pixels (0: any). Empty if it is already small enough.
std::optional<Image> smaller(const ImageView& image, int side) {
  const int longest = std::max(image.width, image.height);
  if (side == 0 || longest <= side) return {};
  const auto scaled = [&](int length) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(length) * side / longest)));
  };
  return resize_and_crop(image, {scaled(image.width), scaled(image.height)});
}

}  // namespace

Writer::Writer(const ImageView& image, const Presenter& presenter, const std::filesystem::path& folder,
               const InspectionFolderOptions& options)
    : image_(image), presenter_(presenter), options_(options), folder_(folder) {
  if (!options.packed) return;
  const int times = presenter.inspector().scale_space()->first_octave == -1 ? 2 : 1;
  packed_.emplace(image.width * times, image.height * times, options.full || options.floats ? 0 : side_of_drawing);
}

void Writer::add(const StagePlane& plane, const Inspection& so_far) {
  const int factor = reduction(plane.pixels.width, plane.pixels.height, side_of_plane);
  const Image thumbnail = reduced(plane, factor);
  const std::string file = plane.name() + ".png";
  add_image(plane, factor, encode_image("an image.png", image_of(thumbnail.view(), plane).view()), file);
  planes_.push_back(plane_json(plane, file, options_.full ? 1 : factor));
  if (options_.floats) write_image(path(plane.name() + ".tif"), plane.pixels);
  if (packed_) packed_->add(plane, presenter_.inspector().scale_space()->first_octave);
  if (!point_ && !so_far.features.descriptors.empty()) {
    point_ = chosen_keypoint(so_far.features.keypoints, options_.point);
  }
  if (point_) write_descriptor(plane, so_far);
}

InspectionFiles Writer::finish(Inspection inspection) {
  const std::optional<Image> reduced_image = smaller(image_, options_.full ? 0 : side_of_drawing);
  const ImageView& drawing = reduced_image ? reduced_image->view() : image_;
  const double zoom = static_cast<double>(drawing.width) / image_.width;
  write_filters(inspection);
  write_candidates(inspection, drawing, zoom);
  write_keypoints(inspection, drawing, zoom);
  add_photograph();
  if (packed_) write_packed();

  Json report = report_json(presenter_, options_.image_name, image_, inspection, point_);
  const std::string page = page_.html(presenter_, inspection, report);
  write_file(path("index.html"), page);
  const std::filesystem::path json_file = path("inspect.json");
  report["planes"] = planes_;
  report["files"] = folder_.files();
  std::string json = inspect_json(presenter_, report, inspection);
  folder_.remove_earlier();
  write_file(json_file, json);
  return {.inspection = std::move(inspection), .point = point_, .page_bytes = page.size(), .json = std::move(json)};
}

void Writer::write_bytes(const std::string& name, std::span<const std::byte> bytes) { write_file(path(name), bytes); }

// Writes a plane for the page, reduced by `factor`, and as a file.
void Writer::add_image(const StagePlane& plane, int factor, std::span<const std::byte> small, const std::string& file) {
  const bool is_larger = options_.full && factor > 1;
  page_.add_plane(plane, factor, small, is_larger ? file : "");
  if (is_larger) {
    write_image(path(file), image_of(plane.pixels, plane).view());
  } else {
    write_bytes(file, small);
  }
}

// Keeps the plane if it is the blur in which the descriptor was computed.
void Writer::write_descriptor(const StagePlane& plane, const Inspection& so_far) {
  const Keypoint& k = so_far.features.keypoints[*point_];
  if (plane.stage != "blur" || plane.octave != k.octave || plane.level != k.layer) return;
  const auto drawn =
      encode_image("an image.png", draw_descriptor(plane, k, so_far.features.descriptor(*point_)).view());
  page_.set_point(*point_, drawn);
  write_bytes("descriptor.png", drawn);
}

// All filters of a scale have one range of values.
void Writer::write_filters(const Inspection& inspection) {
  for (const DirectionalFilter& filter : inspection.filters) {
    StagePlane shown{.stage = "filter", .level = filter.direction, .is_signed = true, .scale = filter.scale};
    shown.white = greatest_weight(inspection.filters, filter.scale);
    shown.black = -shown.white;
    const auto png = encode_image("an image.png", magnified(image_of(view_of(filter), shown).view()).view());
    page_.add_filter(filter, png);
    write_bytes(shown.name() + ".png", png);
  }
}

void Writer::write_candidates(const Inspection& inspection, const ImageView& drawing, double zoom) {
  for (const CandidateImage& image : presenter_.candidate_images(inspection)) {
    write_image(path(image.name + ".png"), draw_candidates(drawing, image.candidates, zoom).view());
  }
}

void Writer::write_keypoints(const Inspection& inspection, const ImageView& drawing, double zoom) {
  std::vector<Keypoint> keypoints = inspection.features.keypoints;
  for (Keypoint& k : keypoints) {  // pixel i of the image covers i − 0.5 … i + 0.5
    k.x = static_cast<float>((k.x + 0.5) * zoom - 0.5);
    k.y = static_cast<float>((k.y + 0.5) * zoom - 0.5);
    for (float* length : {&k.scale, &k.a11, &k.a12, &k.a21, &k.a22}) *length = static_cast<float>(*length * zoom);
  }
  write_image(path("keypoints.png"), draw_keypoints(drawing, keypoints).view());
}

void Writer::write_packed() {
  const StagePlane packed = packed_->plane();
  const int factor = reduction(packed.pixels.width, packed.pixels.height, side_of_drawing);
  const auto small = encode_image("an image.png", image_of(reduced(packed, factor).view(), packed).view());
  add_image(packed, factor, small, "packed.png");
  if (options_.floats) write_image(path("packed.tif"), packed.pixels);
}

void Writer::add_photograph() {
  const std::optional<Image> small = smaller(image_, side_of_drawing);
  const ImageView& photograph = small ? small->view() : image_;
  page_.set_photograph(photograph.width, photograph.height, static_cast<double>(photograph.width) / image_.width,
                       encode_image("an image.jpg", photograph));
}

}  // namespace octavo::inspection
