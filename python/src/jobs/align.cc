// Two images, aligned.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

struct Aligned : AlignResult {
  nb::object image;  ///< both images, joined; None: there is none
};

// The pixels of an array, which gets the name; none: the image is a file, which gives the name.
std::optional<Image> take(nb::handle image, fs::path& name) {
  if (nb::isinstance<nb::str>(image) || nb::hasattr(image, "__fspath__")) {
    name = nb::cast<fs::path>(image);
    return std::nullopt;
  }
  return image_of(image);
}

Aligned align_two(nb::handle a, nb::handle b, const std::optional<fs::path>& output,
                  const std::optional<fs::path>& mask, bool draw, bool retry, const nb::dict& given,
                  nb::object progress) {
  AlignJob job{.a = "the first image", .b = "the second image", .retry = retry};
  Keywords keywords("align", given);
  set_read(job.read, keywords);
  set_detector(job.detector, keywords);
  keywords.set(job.match);
  keywords.set(job.robust);
  keywords.set(job.blend);
  keywords.set(job.device);
  keywords.finish();
  const std::optional<Image> image_a = take(a, job.a), image_b = take(b, job.b);
  job.load = [&, name_a = job.a](const fs::path& name, const Image* hidden) {
    const std::optional<Image>& image = name == name_a ? image_a : image_b;
    return image ? photograph_of(image->clone(), job.read, hidden) : read_photograph(name, job.read, hidden);
  };
  if (mask) job.mask = *mask;
  if (output) job.output = *output;
  Image both;
  if (draw && !output) {
    job.take = [&](const ImageView& view) {
      both = Image(view.width, view.height, view.channels, view.type);
      for (int y = 0; y < view.height; ++y) std::copy_n(view.row(y), both.stride(), both.row(y));
    };
  }
  AlignResult result =
      Work(std::move(progress)).run([&](const JobContext& context) { return align_images(job, context); });
  return {std::move(result), both.empty() ? nb::none() : nb::cast(numpy_of(std::move(both)))};
}

}  // namespace

void bind_align(nb::module_& m) {
  Record<AlignmentWarning>(m, "AlignmentWarning", "A reason to doubt a homography.")
      .with(
          "kind", [](const AlignmentWarning& w) { return std::string(word(w.kind)); },
          "few_inliers, folded, parallax, uncertain, extreme_perspective, local, watermark, second_motion, "
          "undecidable or mirrored: `octavo align --help` tells what each is.")
      .with("sentence", &AlignmentWarning::sentence, "For people, without a full stop.");
  Record<Aligned>(m, "Alignment", "Two images, and the homography that maps points of a to points of b.")
      .with(
          "homography", [](const Aligned& r) { return r.alignment.homography; },
          "RobustModel; its `found` is False, and its `reason` says why, if the images do not fit.")
      .with(
          "warnings", [](const Aligned& r) { return r.alignment.warnings; },
          "list[AlignmentWarning]: reasons to doubt it.")
      .with(
          "features_a", [](const Aligned& r) { return python_features(r.alignment.a); },
          "octavo.Features of a; with views, of the image that is compressed less.")
      .with(
          "features_b", [](const Aligned& r) { return python_features(r.alignment.b); }, "octavo.Features of b.")
      .with(
          "matches", [](const Aligned& r) { return python_matches(r.alignment.matches); },
          "octavo.Matches of both, which `homography.inliers` is about.")
      .with(
          "views", [](const Aligned& r) { return std::string(word_of(r.alignment.views)); },
          "none, few or many: the views of both images that were needed.")
      .with(
          "retried", [](const Aligned& r) { return r.alignment.retried; },
          "Whether a retry found it, in images that it brought together: features and matches are then more.")
      .with(
          "image", [](const Aligned& r) { return r.image; },
          "b warped onto a and joined with it, H x W x 4; None: it was not asked for, or the images do not fit.")
      .with("files", &AlignResult::files, "list[Path]: the files that were written.");
  m.def("align", &align_two, nb::arg("a").none(), nb::arg("b").none(), nb::arg("output").none(), nb::arg("mask").none(),
        nb::arg("draw"), nb::arg("retry"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace octavo::python
