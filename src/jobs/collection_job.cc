// From photographs to a database: names, pairs and outputs are checked, pairs are chosen, and the database is filled,
// whole or as a shard's part. From there to a model and its page.

#include "multiview/colmap/colmap_database.h"
#include "octavo/jobs/collection_jobs.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/collected_problems.h"
#include "jobs/own_names.h"
#include "jobs/panorama_images.h"
#include "jobs/video_photographs.h"
#include "multiview/colmap/colmap_shards.h"
#include "multiview/sfm/gps_places.h"
#include "octavo/error.h"
#include "octavo/io/image_formats.h"
#include "octavo/video/video_file.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// Refuses names that occur twice, and a database that cannot be written or is read.
void check_collection(const CollectionJob& job) {
  if (job.shard && are_by_likeness(pair_options_of(job.pairs))) {
    throw Error(ErrorCode::invalid_option,
                "`pairs` retrieval: would look at all images in each shard; octavo pairs `shard` and octavo merge make "
                "the list for `pairs`");
  }
  jobs::require_own_names(job.found.images);
  std::vector<fs::path> read{job.pairs, job.features};
  for (const ImageFile& image : job.found.images) read.push_back(image.file);
  require_not_read(std::array{job.database}, read, "database");
  require_writable(std::array{job.database});
}

void warn_of_copies(const fs::path& database, const JobContext& context) {
  for (const std::vector<std::string>& names : copies_in(database)) {
    report_warning(context, fmt::format("'{}' are copies of one photograph, of which a model needs one",
                                        fmt::join(names, "' and '")));
  }
}

void warn_of_unlistable(std::span<const ImageFile> images, const JobContext& context) {
  std::vector<std::string> names;
  for (const ImageFile& image : images) {
    if (std::string name = image.name.generic_string(); !is_listable(name)) names.push_back(std::move(name));
  }
  if (names.empty()) return;
  report_warning(
      context, fmt::format("COLMAP's lists of pairs cannot hold {} {}, such as '{}': `verify` usac verifies the pairs "
                           "of such images here, and octavo sfm has COLMAP verify them",
                           names.size(), names.size() == 1 ? "name" : "names", names.front()));
}

ColmapSummary fill(const CollectionJob& job, const JobContext& context) {
  if (!job.shard) return fill_colmap_database(job.database, job.colmap, context);
  if (job.features.empty()) return extract_colmap_shard(job.database, job.colmap, *job.shard, context);
  return match_colmap_shard(job.database, job.features, job.colmap, *job.shard, context);
}

void check_model(const ModelJob& job) {
  validate(job.options);
  validate(job.panorama);
  const bool is_video = is_of_video(job);
  const fs::path& place = job.photographs;
  if (!fs::exists(place)) {
    throw Error(ErrorCode::file_error,
                fmt::format("there is no {} '{}'", is_video ? "video" : "folder", place.string()));
  }
  if (!is_video && !fs::is_directory(place)) {
    throw Error(ErrorCode::file_error, fmt::format("'{}' is neither a folder nor a video", place.string()));
  }
  require_writable_folder(job.folder);
  check_job(job.folder);
  static_cast<void>(find_mapper(job.options));
}

// Chooses the pairs and fills the database. With `images` those of the job are their views and other photographs.
ColmapSummary choose_and_fill(CollectionJob& job, const JobContext& context,
                              const jobs::ModelImages* images = nullptr) {
  if (!job.found.images.empty()) check_collection(job);
  for (const std::string& problem : job.found.problems) report_failure(context, problem);
  if (job.found.images.empty()) return {.is_finished = true};
  if (!job.shard || !job.features.empty()) {
    PairsJob of_pairs{.images = job.found.images, .options = {}, .read = job.colmap.read, .device = job.colmap.device};
    of_pairs.read.apply_exif_rotation = false;  // as the features are made
    PairList pairs = images == nullptr ? pairs_by_text(job.pairs, std::move(of_pairs), context)
                                       : jobs::pairs_of_views(job.pairs, *images, std::move(of_pairs), context);
    if (context.stop.stop_requested()) return {};
    if (pairs.pairs.empty() && !pairs.problems.empty()) {
      throw Error(ErrorCode::file_error, fmt::format("no pair is of these images: {}", pairs.problems.front()));
    }
    for (const std::string& problem : pairs.problems) report_failure(context, problem);
    job.colmap.pairs = std::move(pairs.pairs);
  }
  job.colmap.images = job.found.images;
  return fill(job, context);
}

// Tells before the work that a model cannot be in metres. It looks at no more images than it must.
void require_places(const ModelJob& job, std::span<const ImageFile> images) {
  std::size_t count = 0;
  for (const ImageFile& image : images) {
    try {
      const auto place = read_camera_facts(image.file, job.collection.colmap.read).place;
      if (place && place->altitude) ++count;
    } catch (const Error&) {
      continue;  // told when it is extracted
    }
    if (count == sfm::least_places) return;
  }
  sfm::refuse_places(job.photographs, count);
}

// The folder of the photographs, into which the frames of a video are written first. Empty: it was stopped.
fs::path folder_of_photographs(const ModelJob& job, const JobContext& context) {
  if (!is_of_video(job)) return job.photographs;
  fs::path folder = job.folder / "images";
  const jobs::VideoPhotographs frames{.video = job.photographs,
                                      .folder = folder,
                                      .most = job.max_frames,
                                      .max_pixels = job.collection.colmap.read.max_pixels};
  return jobs::write_photographs(frames, context) ? folder : fs::path();
}

// Puts views in place of panoramas into the job. Returns whether that is done: false after a stop.
bool cut_panoramas(const ModelJob& job, CollectionJob& collection, jobs::ModelImages& images,
                   const JobContext& context) {
  auto cut = jobs::cut_panoramas({.photographs = collection.found.images,
                                  .options = job.panorama,
                                  .read = job.collection.colmap.read,
                                  .mask = job.collection.colmap.mask,
                                  .folder = job.folder / "images",
                                  .database = collection.database},
                                 context);
  if (!cut) return false;
  if (cut->folder.empty()) cut->folder = images.folder;
  images = std::move(*cut);
  collection.found.images = images.images;
  collection.colmap.known_cameras = images.cameras;
  return true;
}

// Takes out what an earlier call has written into the folder of the model, where that is below the photographs.
void take_out_own(std::vector<ImageFile>& images, const fs::path& folder) {
  const fs::path own = fs::absolute(folder).lexically_normal();
  std::erase_if(images, [&](const ImageFile& image) {
    const fs::path file = fs::absolute(image.file).lexically_normal();
    return std::ranges::mismatch(own, file).in1 == own.end();
  });
}

// A folder that goes again if it was made for nothing, with the folders above it that were made for it.
class NeededFolder {
 public:
  explicit NeededFolder(const fs::path& folder) {
    std::error_code problem;
    for (fs::path one = fs::absolute(folder).lexically_normal(); !fs::exists(one, problem); one = one.parent_path()) {
      made_.push_back(one);
    }
    fs::create_directories(folder, problem);  // who writes into it tells if that failed
  }
  ~NeededFolder() {
    std::error_code is_used;
    for (const fs::path& one : made_) fs::remove(one, is_used);
  }
  NeededFolder(const NeededFolder&) = delete;
  NeededFolder& operator=(const NeededFolder&) = delete;

 private:
  std::vector<fs::path> made_;  // the innermost first
};

// Makes or continues the database of the model, and tells of which images.
ColmapSummary make_model_database(const ModelJob& job, jobs::ModelImages& images, const fs::path& database,
                                  const JobContext& context) {
  CollectionJob collection = job.collection;
  collection.database = database;
  collection.found = find_images(std::array{images.folder.string()}, job.recursive);
  if (!is_of_video(job)) take_out_own(collection.found.images, job.folder / "images");
  if (job.options.gps && !collection.found.images.empty()) require_places(job, collection.found.images);
  const NeededFolder folder(job.folder);
  if (!is_of_video(job) && !cut_panoramas(job, collection, images, context)) return {};
  return choose_and_fill(collection, context, images.panoramas.empty() ? nullptr : &images);
}

}  // namespace

ColmapSummary make_database(CollectionJob job, const JobContext& context) {
  ColmapSummary summary = choose_and_fill(job, context);
  if (job.shard || summary.images == 0 || !summary.is_finished) return summary;
  warn_of_copies(job.database, context);
  if (job.colmap.options.verify == ColmapOptions::Verify::none) warn_of_unlistable(job.found.images, context);
  return summary;
}

bool is_of_video(const ModelJob& job) {
  return looks_like_video(job.photographs) && !fs::is_directory(job.photographs);
}

MadeModel make_model(const ModelJob& job, const JobContext& context) {
  check_model(job);
  MadeModel made;
  std::vector<std::string> problems, warnings;
  JobContext noting = shards::collecting(context, problems);
  noting.warn = [&](const std::string& sentence) {
    warnings.push_back(sentence);
    report_warning(context, sentence);
  };
  fs::path database = job.database;
  const Stopwatch filling;
  jobs::ModelImages images{.folder = folder_of_photographs(job, noting)};
  if (images.folder.empty()) return made;
  if (database.empty()) {
    database = job.folder / "database.db";
    made.database = make_model_database(job, images, database, noting);
    made.is_finished = made.database.is_finished;
    if (!made.is_finished || made.database.images == 0) return made;
  }
  const double seconds = filling.milliseconds() / 1000;
  report_item(context.progress, "model");
  try {
    made.result = reconstruct(images.folder, database, job.folder, job.options, noting);
  } catch (const Error&) {
    made.is_finished = false;
    if (context.stop.stop_requested()) return made;
    throw;
  }
  made.is_finished = true;
  if (job.database.empty()) made.result.database_seconds = seconds;
  warn_of_copies(database, noting);
  made.result.panoramas = std::move(images.panoramas);
  for (const std::string& doubt : tell_panoramas(made.result)) report_warning(noting, doubt);
  made.result.problems = std::move(problems);
  made.result.warnings = std::move(warnings);
  report_item(context.progress, "page");
  write_file(job.folder / "report.html", page_of(made.result));
  return made;
}

std::string json_of(const CollectionJob& job, const ColmapSummary& summary, const std::vector<std::string>& problems,
                    const std::vector<std::string>& warnings) {
  return json_text(Json{{"output", job.database.string()},
                        {"image_count", summary.images},
                        {"extracted_image_count", summary.extracted},
                        {"keypoint_count", summary.keypoints},
                        {"pair_count", summary.pairs},
                        {"matched_pair_count", summary.matched},
                        {"match_count", summary.matches},
                        {"verified_pair_count", summary.verified},
                        {"inlier_count", summary.inliers},
                        {"problems", problems},
                        {"warnings", warnings}});
}

}  // namespace octavo
