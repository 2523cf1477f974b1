// Clips and images by the places where they were taken.

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
#include "octavo/error.h"
#include "octavo/jobs/archive_jobs.h"
#include "octavo/jobs/video_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

Told<FoundPlaces> group(const std::vector<fs::path>& files, const std::vector<fs::path>& folders,
                        const std::optional<fs::path>& output, const nb::dict& given, nb::object progress) {
  if (files.empty() && folders.empty()) {
    throw Error(ErrorCode::invalid_argument, "places are those of files or of an archive: give one of the two");
  }
  PlaceJob job{.files = {}};
  Keywords keywords("places", given);
  keywords.set(job.options);
  set_read(job.read, keywords);
  set_reading(job.video, job.read);
  keywords.set(job.video, {"every", "fps", "size", "stored_luma"});
  keywords.set(job.device);
  keywords.finish();
  if (output) job.output = *output;
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    PlaceFiles found = find_place_files(names_of(files), open_archives(names_of(folders)));
    for (const std::string& problem : found.problems) report_failure(context, problem);
    job.files = std::move(found.files);
    return find_places(job, context);
  });
}

}  // namespace

void bind_places(nb::module_& m) {
  Record<PlaceMember>(m, "PlaceMember", "An image, or a shot of a clip.")
      .with("file", &PlaceMember::file, "The index of the file.")
      .with("shot_in", &PlaceMember::in, "[second] of the clip; of an image 0.")
      .with("shot_out", &PlaceMember::out, "[second] of the clip; of an image 0.")
      .with("frames", &PlaceMember::frames, "list[float]: the times of the frames that were matched [second].");
  Record<PlacePair>(m, "PlacePair", "Two frames whose geometry shows that they are of one place.")
      .with("member_a", &PlacePair::member_a, "The index of a member.")
      .with("member_b", &PlacePair::member_b, "The index of a member.")
      .with("seconds_a", &PlacePair::seconds_a, "[second] of a's frame.")
      .with("seconds_b", &PlacePair::seconds_b, "[second] of b's frame.")
      .with("inlier_count", &PlacePair::inlier_count, "Matches that agree.")
      .with("match_count", &PlacePair::match_count, "Of so many.")
      .with("is_plane", &PlacePair::is_plane, "By a homography; otherwise by a fundamental matrix.")
      .with("is_sure", &PlacePair::is_sure, "Twice as many agree as are needed.")
      .with("joins", &PlacePair::joins, "The place hangs together by this pair.");
  Record<Place>(m, "Place", "Members that were taken at one place.")
      .with("members", &Place::members, "list[int]: two or more indices.")
      .with("pairs", &Place::pairs, "list[PlacePair]: those with most inliers first.");
  Record<Told<FoundPlaces>> places(m, "Places", "Clips and images, by places.");
  places
      .with(
          "files",
          [](const FoundPlaces& f) {
            std::vector<fs::path> paths;
            for (const PlaceFile& one : f.files) paths.push_back(one.file);
            return paths;
          },
          "list[Path]: the files that could be read.")
      .with("members", &FoundPlaces::members, "list[PlaceMember]: by files, then times.")
      .with("places", &FoundPlaces::places, "list[Place]: those of most files first.")
      .with("single", &FoundPlaces::single, "list[int]: members that are in no place.")
      .with("doubtful", &FoundPlaces::doubtful, "list[PlacePair]: pairs that did not suffice to join two places.")
      .with("left_out", &FoundPlaces::left_out, "list[JunkShot]: parts of clips that show nothing of a place.");
  add_told(places);
  m.def("places", &group, nb::arg("files"), nb::arg("archives"), nb::arg("output").none(), nb::arg("options"),
        nb::arg("progress").none());
}

}  // namespace octavo::python
