// Many images, joined.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

struct Mosaic : MosaicResult {
  nb::object image;  ///< None: there is none
};

// The files at the places, and the arrays.
void take_images(MosaicJob& job, const nb::list& images) {
  std::vector<std::string> places;
  for (const nb::handle one : images) {
    if (nb::isinstance<nb::str>(one) || nb::hasattr(one, "__fspath__")) {
      places.push_back(nb::cast<fs::path>(one).string());
      continue;
    }
    const auto pixels = std::make_shared<const Image>(image_of(one));
    job.inputs.push_back(
        {"array " + std::to_string(job.inputs.size()), [pixels] { return StoredImage(pixels->clone()); }});
  }
  if (!places.empty() && !job.inputs.empty()) {
    throw Error(ErrorCode::invalid_argument, "the images of a mosaic are files or arrays, not both");
  }
  if (!places.empty()) job.images = find_images(places);
}

Mosaic join(const nb::list& images, const std::optional<fs::path>& output, const std::string& pairs,
            const std::optional<fs::path>& points, const std::optional<fs::path>& mask,
            const std::optional<fs::path>& graph, const std::optional<fs::path>& seams, bool draw,
            const nb::dict& given, nb::object progress) {
  MosaicJob job;
  job.pairs = pairs;
  Keywords keywords("mosaic", given);
  keywords.set(job.mosaic);
  set_read(job.read, keywords);
  set_detector(job.detector, keywords);
  keywords.set(job.match);
  keywords.set(job.robust);
  keywords.set(job.device);
  keywords.finish();
  take_images(job, images);
  if (output) job.output = *output;
  if (points) job.points = *points;
  if (mask) job.mask = *mask;
  if (graph) job.graph = *graph;
  if (seams) job.seams = *seams;
  Image image;
  if (draw && !output) job.take = [&](Image mosaic) { image = std::move(mosaic); };
  MosaicResult result =
      Work(std::move(progress)).run([&](const JobContext& context) { return make_mosaic(job, context); });
  return {std::move(result), image.empty() ? nb::none() : nb::cast(numpy_of(std::move(image)))};
}

// A member of the plan.
template <class Member>
auto of_plan(Member MosaicPlan::*member) {
  return [member](const Mosaic& m) -> const Member& { return m.plan.*member; };
}

void bind_parts(nb::module_& m) {
  Record<MosaicImage>(m, "MosaicImage", "An image of a mosaic.")
      .with("name", &MosaicImage::name, "The file, or 'array N'.")
      .with(
          "size", [](const MosaicImage& i) { return nb::make_tuple(i.size.width, i.size.height); },
          "[pixel] Width and height.")
      .with("keypoints", &MosaicImage::keypoints, "Their number.")
      .with(
          "status", [](const MosaicImage& i) { return std::string(word(i.status)); },
          "placed, identical, redundant, no_overlap, second_panorama or failed.")
      .with("reason", &MosaicImage::reason, "Why it is left out; empty if it is placed.")
      .with(
          "frame_from_image", [](const MosaicImage& i) { return matrix_of(i.frame_from_image); },
          "3 x 3 in float64: maps its pixels to the frame of all images.")
      .with("focal_length", &MosaicImage::focal_length, "[pixel] of a turning camera, otherwise 0.")
      .with("radial", &MosaicImage::radial, "Lens distortion: r (1 + radial r^2), r in halves of the diagonal.")
      .with("uncertainty", &MosaicImage::uncertainty, "[pixel] Standard deviation of its corners.")
      .with(
          "gain", [](const MosaicImage& i) { return vector_of(i.gain); },
          "3 in float64: factors of red, green and blue that its exposure is divided by.");
  Record<MosaicPair>(m, "MosaicPair", "Two images of a mosaic that match.")
      .with("a", &MosaicPair::a, "Index of the first image.")
      .with("b", &MosaicPair::b, "Index of the second image.")
      .with("matches", &MosaicPair::matches, "Their number.")
      .with("inliers", &MosaicPair::inliers, "Those that agree.")
      .with("confidence", &MosaicPair::confidence, "Above 1 for pairs that fit (Brown and Lowe 2007).")
      .with(
          "status", [](const MosaicPair& p) { return std::string(word(p.status)); },
          "used, unrelated, inconsistent, undecidable or watermark.")
      .with("residual", &MosaicPair::residual, "[pixel] Root mean square of the inliers.")
      .with("held_out", &MosaicPair::held_out, "[pixel] The same of those that were held out.");
}

}  // namespace

void bind_mosaic(nb::module_& m) {
  bind_parts(m);
  Record<Mosaic>(m, "Mosaic", "Images, joined into one.")
      .with("found", of_plan(&MosaicPlan::found), "Whether there is a mosaic.")
      .with("reason", of_plan(&MosaicPlan::reason), "Why there is none, one sentence; empty if found.")
      .with("images", of_plan(&MosaicPlan::images), "list[MosaicImage]: one for each input.")
      .with("pairs", of_plan(&MosaicPlan::pairs), "list[MosaicPair]: those with a match.")
      .with(
          "model", [](const Mosaic& r) { return std::string(word(r.plan.model)); },
          "similarity, rotation, affine or homography.")
      .with("why", of_plan(&MosaicPlan::why), "Why this model, one sentence.")
      .with("distortion", of_plan(&MosaicPlan::distortion), "Whether lens distortion is corrected.")
      .with(
          "projection", [](const Mosaic& r) { return std::string(word(r.plan.projection)); },
          "plane, cylinder, sphere, pannini or stereographic.")
      .with("reference", of_plan(&MosaicPlan::reference), "Index of the image whose frame is kept.")
      .with("residual", of_plan(&MosaicPlan::residual), "[pixel] Root mean square over the used pairs.")
      .with("held_out", of_plan(&MosaicPlan::held_out), "[pixel] The same of matches that were held out.")
      .with("loop_error", of_plan(&MosaicPlan::loop_error),
            "[pixel] The largest of the used pairs; None without a loop.")
      .with(
          "size", [](const Mosaic& r) { return nb::make_tuple(r.plan.width, r.plan.height); },
          "[pixel] Width and height of the canvas.")
      .with("warnings", of_plan(&MosaicPlan::warnings), "list[str]: why it may be wrong.")
      .with(
          "problems", [](const Mosaic& r) { return texts_of(r.problems); }, "list[str]: what could not be read.")
      .with("files", &MosaicResult::files, "list[Path]: the files that were written.")
      .with(
          "image", [](const Mosaic& r) { return r.image; },
          "The mosaic, H x W x 4; None: it was written, not asked for, or is not found.");
  m.def("mosaic", &join, nb::arg("images"), nb::arg("output").none(), nb::arg("pairs"), nb::arg("points").none(),
        nb::arg("mask").none(), nb::arg("draw_graph").none(), nb::arg("draw_seams").none(), nb::arg("draw"),
        nb::arg("options"), nb::arg("progress").none());
}

}  // namespace octavo::python
