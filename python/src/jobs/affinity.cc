// The affinity matrix of two clips.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "octavo/jobs/video_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

ClipAffinity find_matrix(const fs::path& a, const fs::path& b, const std::optional<fs::path>& output,
                         const std::optional<fs::path>& data, bool segments, const nb::dict& given,
                         nb::object progress) {
  AffinityJob job{.a = a, .b = b, .segments = segments};
  Keywords keywords("affinity", given);
  keywords.set(job.affinity);
  keywords.set(job.video, {"every", "fps", "size", "stored_luma"});
  keywords.set(job.device);
  keywords.finish();
  if (output) job.image = *output;
  if (data) job.data = *data;
  return Work(std::move(progress)).run([&](const JobContext& context) { return find_affinity(job, context); });
}

auto seconds_of(const std::vector<double>& seconds) { return numpy_of(std::vector<double>(seconds), {seconds.size()}); }

}  // namespace

void bind_affinity(nb::module_& m) {
  Record<AffinityBlock>(m, "AffinityBlock", "Two scenes that show the same.")
      .with("a_in", &AffinityBlock::a_in, "[second] of a.")
      .with("a_out", &AffinityBlock::a_out, "[second] of a.")
      .with("b_in", &AffinityBlock::b_in, "[second] of b.")
      .with("b_out", &AffinityBlock::b_out, "[second] of b.")
      .with("share", &AffinityBlock::share, "The share of their pairs of frames that are similar.");
  Record<ClipAffinity>(m, "Affinity", "How similar each frame of a clip is to each frame of another.")
      .with(
          "matrix",
          [](const ClipAffinity& f) {
            const AffinityMatrix& matrix = f.matrix;
            return numpy_of(std::vector<float>(matrix.values), {matrix.seconds_a.size(), matrix.seconds_b.size()});
          },
          "A x B in float32: the frames of a by those of b.")
      .with(
          "seconds_a", [](const ClipAffinity& f) { return seconds_of(f.matrix.seconds_a); },
          "A in float64: the times of a's frames [second].")
      .with(
          "seconds_b", [](const ClipAffinity& f) { return seconds_of(f.matrix.seconds_b); },
          "B in float64: the times of b's frames [second].")
      .with(
          "blocks", [](const ClipAffinity& f) { return f.matrix.blocks; },
          "list[AffinityBlock]: scenes that show the same.")
      .with(
          "limit", [](const ClipAffinity& f) { return f.matrix.limit; },
          "The least similarity that counts in blocks; 0 where any does that is no chance.")
      .with(
          "segments", [](const ClipAffinity& f) { return f.shared.segments; },
          "list[CopySegment]: what both share, of a as the query.")
      .method(
          "draw", [](const ClipAffinity& f) { return nb::cast(numpy_of(draw_affinity(f.matrix, f.shared.segments))); },
          "The matrix as an image, H x W x 3: a's time runs down, b's to the right.");
  m.def("affinity", &find_matrix, nb::arg("a"), nb::arg("b"), nb::arg("output").none(), nb::arg("data").none(),
        nb::arg("segments"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace octavo::python
