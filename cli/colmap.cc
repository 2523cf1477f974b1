// octavo colmap: photographs become a database of COLMAP.

#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/colmap_call.h"
#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/one_range.h"
#include "cli/options.h"
#include "cli/shard.h"
#include "cli/work.h"
#include "io/json/json.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(make a COLMAP database of photographs

Extracts the keypoints of the photographs, matches pairs of them, and writes a
database that COLMAP's programs read: cameras, images, keypoints, descriptors,
matches and, with --verify, two-view geometries. An image that cannot be read is
reported, and the others are processed. What the database already has is left
out, so further photographs and pairs can be added.)";

constexpr auto footer = R"(Database:
  The tables are those of COLMAP 3.8, which later versions read too. A database
  that a later version made keeps its tables. Images are named by their paths
  below the folder (COLMAP's --image_path), or by their file names. They are
  read as they are stored, without the rotation of EXIF data; with --upright
  they are turned, and their keypoints are brought to the stored pixels. Focal
  lengths come from EXIF data; where these give none it is 1.2 times the longer
  side, and prior_focal_length is 0. The table "octavo" has the options of the
  call.
  The work is done in .FILE.part, and the file appears at the end. A run can be
  interrupted or killed at any moment: the same call goes on, only what was in
  work is done again, and the file has the bytes of one run. They do not depend
  on the device and the number of threads. A file that is there is added to in
  a transaction of SQLite. If another program has changed it meanwhile, or keeps
  it locked for a minute, the call fails and leaves it as it is.

JSON:
  {"output": "a.db", "image_count": 20, "extracted_image_count": 20,
   "keypoint_count": 161022, "pair_count": 190, "matched_pair_count": 190,
   "match_count": 95000, "verified_pair_count": 150, "inlier_count": 80000,
   "problems": [], "warnings": []}
Images and pairs are those in the database; extracted images, with their
keypoints, and matched pairs, with their matches, are those of this run.
"problems" tells which images and pairs failed, "warnings" which images are
copies of one photograph, and that COLMAP's lists of pairs cannot hold a name.

Shards:
  Several processes make a database in two steps, with the same options in both:
  octavo colmap photos/ -d features-I.db --shard I/N      for each I
  octavo merge a.db features-*.db
  octavo colmap photos/ -d matches-I.db --shard I/N --features a.db --pairs ...
  octavo merge whole.db a.db matches-*.db
  The list of --pairs retrieval:K is made before, with --shard I/N too:
  octavo pairs photos/ -o pairs.txt --neighbours K --no-exif-rotation
  The file has the bytes of one process without --shard. A part is a database
  too; octavo sfm and COLMAP take the merged ones.

Examples:
  octavo colmap photos/ --database a.db
  octavo colmap photos/ -d a.db --pairs sequential:10 --cameras one
  octavo colmap photos/ -d a.db --pairs retrieval:50
  octavo colmap photos/ -d a.db --pairs pairs.txt --verify usac --guided
  octavo colmap photos/ -d a.db --preset colmap --camera-model opencv
then
  colmap matches_importer --database_path a.db --match_list_path pairs.txt
  colmap mapper --database_path a.db --image_path photos --output_path model

Exit codes:
  0  done
  1  an image or pair failed, see the error stream; the others are processed.
     Or the database cannot be written
  2  the call was wrong
  130, 143  the run was interrupted (SIGINT, SIGTERM); the same call goes on)";

struct Call {
  std::vector<std::string> places;
  bool recursive = false, json = false;
  CollectionJob job;
};

void print(const Call& call, const ColmapSummary& summary, const Work& work) {
  if (call.json) {
    fmt::print("{}\n", json_text(Json{{"output", call.job.database.string()},
                                      {"image_count", summary.images},
                                      {"extracted_image_count", summary.extracted},
                                      {"keypoint_count", summary.keypoints},
                                      {"pair_count", summary.pairs},
                                      {"matched_pair_count", summary.matched},
                                      {"match_count", summary.matches},
                                      {"verified_pair_count", summary.verified},
                                      {"inlier_count", summary.inliers},
                                      {"problems", work.failures()},
                                      {"warnings", work.warnings()}}));
    return;
  }
  fmt::print("images       {} ({} new, {} keypoints)\n", summary.images, summary.extracted, summary.keypoints);
  fmt::print("pairs        {} ({} new, {} matches)\n", summary.pairs, summary.matched, summary.matches);
  if (call.job.colmap.options.verify != ColmapOptions::Verify::none) {
    fmt::print("verified     {} ({} inliers)\n", summary.verified, summary.inliers);
  }
  fmt::print("file         {}\n", call.job.database.string());
}

int run(Call& call, const Command& command) {
  CollectionJob& job = call.job;
  require_effects(command, job);
  if (!job.shard) refuse_if_given(command, "--features", "without --shard");
  if (job.shard && job.features.empty()) refuse_if_given(command, "--pairs", "with --shard, but without --features");
  require_folder_to_recurse(command, call.places);
  take_one_range(command, call.places, call.recursive, job.colmap.read);
  job.found = find_images(call.places, call.recursive);
  Work work;
  const ColmapSummary summary = make_database(job, work.context());
  if (!summary.is_finished) {
    work.end_if_interrupted(
        fmt::format("interrupted with {} of {} images and {} pairs; the same call goes on from there", summary.images,
                    job.found.images.size(), summary.pairs));
  }
  if (job.found.images.empty()) return exit_failed;
  work.progress().clear();
  print(call, summary, work);
  return work.exit_code();
}

}  // namespace

void add_colmap(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "colmap", description, footer);
  command
      .add_option("IMAGE", call->places,
                  "Images, folders of them, or quoted patterns such as 'photos/*.jpg', as octavo extract takes them.")
      .required()
      .type_name("FILE");
  command.add_option("-d,--database", call->job.database, "The database, which is made, or added to.")
      .required()
      .type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");

  add_collection_options(command, call->job, call->recursive);
  add_shard_option(command, call->job.shard,
                   "the images, by a hash of their names, or, with --features, of the pairs,");
  command
      .add_option("--features", call->job.features,
                  "Match the pairs of the shard with the features of this database, which is only read. Without it a "
                  "shard extracts features.")
      .type_name("FILE")
      .group("Shard options");
  command.callback([call, &command, &exit_code] { exit_code = run(*call, command); });
}

}  // namespace octavo::cli
