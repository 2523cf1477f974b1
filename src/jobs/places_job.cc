// Clips and images by places: frames of all files, pairs of frames that geometry verifies, and groups.

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "io/files/output_file.h"
#include "jobs/clip_phases.h"
#include "jobs/named_outputs.h"
#include "jobs/place_frames.h"
#include "jobs/place_links.h"
#include "jobs/places_page.h"
#include "multiview/places/groups.h"
#include "octavo/jobs/video_jobs.h"

namespace octavo {
namespace jobs {
namespace {

places::Groups groups_of_members(const std::vector<PlaceFrame>& frames, const std::vector<PlaceLink>& links,
                                 std::size_t members) {
  std::vector<std::size_t> owners;
  for (const PlaceFrame& frame : frames) owners.push_back(frame.member);
  std::vector<places::Link> plain;
  for (const PlaceLink& link : links) {
    plain.push_back({link.a, link.b, link.evidence.inliers.size(), link.evidence.is_sure});
  }
  return places::groups_of(members, owners, plain);
}

PlacePair pair_of(const PlaceLink& link, const std::vector<PlaceFrame>& frames) {
  const PlaceFrame &a = frames[link.a], &b = frames[link.b];
  return {.member_a = a.member,
          .member_b = b.member,
          .seconds_a = a.seconds,
          .seconds_b = b.seconds,
          .inlier_count = link.evidence.inliers.size(),
          .match_count = link.evidence.matches,
          .is_plane = link.evidence.is_plane,
          .is_sure = link.evidence.is_sure};
}

std::size_t files_in(const Place& place, const FoundPlaces& found) {
  std::set<std::size_t> files;
  for (const std::size_t member : place.members) files.insert(found.members[member].file);
  return files.size();
}

// Fills what is found from the groups.
void add_places(const places::Groups& groups, const std::vector<PlaceFrame>& frames,
                const std::vector<PlaceLink>& links, FoundPlaces& found) {
  std::vector<std::size_t> place_of(found.members.size());
  for (std::size_t g = 0; g < groups.members.size(); ++g) {
    for (const std::size_t member : groups.members[g]) place_of[member] = g;
  }
  std::vector<Place> all(groups.members.size());
  for (std::size_t g = 0; g < all.size(); ++g) all[g].members = groups.members[g];
  const std::set<std::size_t> joins(groups.joins.begin(), groups.joins.end());
  for (std::size_t i = 0; i < links.size(); ++i) {
    PlacePair pair = pair_of(links[i], frames);
    pair.joins = joins.contains(i);
    const bool is_inside = place_of[pair.member_a] == place_of[pair.member_b];
    (is_inside ? all[place_of[pair.member_a]].pairs : found.doubtful).push_back(pair);
  }
  for (Place& place : all) {
    if (place.members.size() == 1) {
      found.single.push_back(place.members.front());
      continue;
    }
    std::ranges::stable_sort(place.pairs, std::ranges::greater{}, &PlacePair::inlier_count);
    found.places.push_back(std::move(place));
  }
  std::ranges::stable_sort(found.places, std::ranges::greater{},
                           [&](const Place& place) { return std::pair(files_in(place, found), place.members.size()); });
}

// Matching takes a third of the time of reading, which has two passes of a clip.
ProgressSink steps_of(const PlaceJob& job, const ProgressSink& progress) {
  if (!progress) return {};
  const std::array<Phase, 2> stages{{{"frames", 0.8}, {"images of", 0.2}}};
  const std::vector<ReadFile> files = files_to_read(job.files, job.video);
  std::vector<Phase> phases = phases_of_reading(files, stages);
  double work = 0;
  for (const ReadFile& one : files) work += one.work;
  phases.push_back({"matching frames", work / 3});
  return in_phases(progress, phases);
}

void require_fitting_page(const PlaceJob& job) {
  if (job.output.empty()) return;
  require_fitting(std::array{NamedOutput{"output", job.output, {".html", ".htm"}}});
  require_not_read(std::array{job.output}, job.files);
}

}  // namespace
}  // namespace jobs

FoundPlaces find_places(const PlaceJob& job, const JobContext& caller) {
  validate(job.options);
  validate(job.read);
  validate(job.video);
  jobs::require_fitting_page(job);
  const JobContext context{
      .progress = jobs::steps_of(job, caller.progress), .stop = caller.stop, .fail = caller.fail, .warn = caller.warn};
  FoundPlaces found;
  const std::vector<jobs::PlaceFrame> frames = jobs::frames_of_places(job, found, context);
  const std::vector<jobs::PlaceLink> links = jobs::links_of(frames, job, context);
  if (context.stop.stop_requested()) return found;
  jobs::add_places(jobs::groups_of_members(frames, links, found.members.size()), frames, links, found);
  found.is_finished = true;
  if (!job.output.empty() && !found.files.empty()) write_file(job.output, jobs::page_of(found, job, frames, links));
  return found;
}

}  // namespace octavo
