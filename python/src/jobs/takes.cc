// The takes of rushes.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/timelines.h"
#include "jobs/work.h"
#include "octavo/error.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

Told<FoundTakes> find_scenes(const std::vector<fs::path>& clips, const std::vector<fs::path>& folders, bool rough_cuts,
                             const std::optional<fs::path>& sheet, const Timelines& timelines, const nb::dict& given,
                             nb::object progress) {
  if (clips.empty() == folders.empty()) {
    throw Error(ErrorCode::invalid_argument, "takes are those of clips or of an archive: give one of the two");
  }
  if (rough_cuts && folders.empty()) {
    throw Error(ErrorCode::invalid_argument, "rough_cuts are those between frames of an archive, which is not given");
  }
  TakesJob job{.clips = clips, .rough_cuts = rough_cuts};
  if (!folders.empty()) job.options.measure = AffinityMeasure::matches;  // signatures have no VLADs
  Keywords keywords("takes", given);
  keywords.set(job.options);
  keywords.set(job.video, {"every", "fps", "size", "stored_luma"});
  keywords.set(job.device);
  keywords.finish();
  if (sheet) job.sheet = *sheet;
  set_timelines(job, timelines);
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    const std::vector<VideoArchive> archives = open_archives(names_of(folders));
    job.archives = archives;
    return find_takes(job, context);
  });
}

}  // namespace

void bind_takes(nb::module_& m) {
  Record<Shot>(m, "Shot", "A part of a clip between two cuts.")
      .with("clip", &Shot::clip, "The index of the clip.")
      .with("shot_in", &Shot::in, "[second] from the clip's first frame.")
      .with("shot_out", &Shot::out, "[second] when its last frame ends.")
      .with("exact", &Shot::exact, "The ends are those of frames.");
  Record<Take>(m, "Take", "A shot of a scene.")
      .with("shot", &Take::shot, "Shot.")
      .with("offset", &Take::offset, "[second] after the reference's begin; None: it shows nothing of the reference.")
      .with("score", &Take::score, "0 to 1: what it has in common with the other takes.")
      .with("key", &Take::key, "[second] of the clip: a frame that represents it.")
      .with(
          "alignment",
          [](const Take& take) {
            return table_of(take.alignment, 2, [](const TakePair& p) { return std::array{p.take, p.reference}; });
          },
          "N x 2 in float64: times of the take and of the reference that show the same [second].")
      .with("is_exact", &Take::is_exact, "Alignment and offset are exact to the frame.");
  Record<Scene>(m, "Scene", "Takes that show the same.")
      .with("takes", &Scene::takes, "list[Take]: in the order of clips and times.")
      .with("reference", &Scene::reference, "The index of the take that has most in common with the others.");
  Record<JunkShot>(m, "JunkShot", "A part of a clip that is in no take, or shows nothing of a place.")
      .with("shot", &JunkShot::shot, "Shot.")
      .with(
          "reason", [](const JunkShot& part) { return std::string(reason_of(part)); },
          "short, black, flat, title or bars.");
  Record<Told<FoundTakes>> takes(m, "Takes", "The takes of clips, by scenes.");
  takes.with("files", &FoundTakes::files, "list[Path]: the clips that could be read.")
      .with(
          "scenes", [](const FoundTakes& f) { return f.list.scenes; },
          "list[Scene]: in the order of their first takes.")
      .with(
          "left_out", [](const FoundTakes& f) { return f.list.left_out; }, "list[JunkShot]: parts that are in no take.")
      .with(
          "min_affinity", [](const FoundTakes& f) { return f.list.min_affinity; },
          "The least affinity of frames that show the same.");
  add_told(takes);
  m.def("takes", &find_scenes, nb::arg("clips"), nb::arg("archives"), nb::arg("rough_cuts"), nb::arg("sheet").none(),
        nb::arg("timelines"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace octavo::python
