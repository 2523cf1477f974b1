// Two clips, and the segments that both show.

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

ClipComparison compare_two(const fs::path& a, const fs::path& b, const std::optional<fs::path>& image, bool negative,
                           bool reversed, const nb::dict& given, nb::object progress) {
  CompareJob job{.a = a, .b = b, .further = {negative, reversed}};
  Keywords keywords("compare", given);
  keywords.set(job.copy);
  keywords.set(job.video, {"every", "fps", "size", "stored_luma"});
  keywords.set(job.device);
  keywords.finish();
  if (image) job.image = *image;
  return Work(std::move(progress)).run([&](const JobContext& context) { return compare(job, context); });
}

nb::object matrix_of(const Similarity& s) {
  return nb::cast(numpy_of(std::vector{s.a * s.stretch, -s.b, s.tx, s.b * s.stretch, s.a, s.ty}, {2, 3}));
}

}  // namespace

void bind_copies(nb::module_& m) {
  Record<CopySegment>(m, "CopySegment",
                      "A part of a clip that shows the same as a part of another. Times are from the first frames.")
      .with("query_in", &CopySegment::query_in, "[second] of the query.")
      .with("query_out", &CopySegment::query_out, "[second] of the query, when its last frame ends.")
      .with("other_in", &CopySegment::other_in, "[second] of the other clip.")
      .with("other_out", &CopySegment::other_out, "[second] of the other clip.")
      .with("speed", &CopySegment::speed, "Seconds of the other clip for a second of the query; below 0: backwards.")
      .with("mirrored", &CopySegment::mirrored, "The query was mirrored, left to right.")
      .with("negative", &CopySegment::negative, "The query is the negative of the other clip.")
      .with("still", &CopySegment::still, "Both show one image that stands; no moments belong to each other.")
      .with("shaken", &CopySegment::shaken, "The image moves within the other one.")
      .with(
          "other_from_query", [](const CopySegment& s) { return matrix_of(s.other_from_query); },
          "2 x 3 in float64: maps pixels of the query's frames, as they were extracted, to the other's.")
      .with("frames", &CopySegment::frames, "Frames of the query that were verified.")
      .with("inliers", &CopySegment::inliers, "Features that agree in these.")
      .with("score", &CopySegment::score,
            "-log10 of how many such segments chance gives: 3 is one in a thousand pairs.")
      .with("ends_within", &CopySegment::ends_within, "[second] How far off the ends may be.")
      .with("exact_ends", &CopySegment::exact_ends, "The ends are exact to two frames.");
  Record<ClipComparison>(m, "ClipComparison", "What two clips share.")
      .with("segments", &ClipComparison::segments, "list[CopySegment]: best first.")
      .with("query_seconds", &ClipComparison::query_seconds, "[second] The length of a.")
      .with("other_seconds", &ClipComparison::other_seconds, "[second] The length of b.")
      .with("query_facts", &ClipComparison::query_facts, "VideoFacts of a.")
      .with("other_facts", &ClipComparison::other_facts, "VideoFacts of b.")
      .with("reason", &ClipComparison::reason, "Why there is no segment, if one of the clips can share none.");
  m.def("compare", &compare_two, nb::arg("a"), nb::arg("b"), nb::arg("image").none(), nb::arg("negative"),
        nb::arg("reversed"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace octavo::python
