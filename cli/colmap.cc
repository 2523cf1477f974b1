// octavo colmap: photographs become a database of COLMAP.

#include "cli/colmap_call.h"
#include "cli/command.h"
#include "cli/inputs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::vector<std::string> places;
  bool recursive = false, json = false;
  CollectionJob job;
};

int run(Call& call, const Command& command) {
  CollectionJob& job = call.job;
  require_effects(command, job);
  if (!job.shard) refuse_if_given(command, "--features", "without --shard");
  if (job.shard && job.features.empty()) refuse_if_given(command, "--pairs", "with --shard, but without --features");
  require_folder_to_recurse(command, call.places);
  take_one_range(command, call.places, call.recursive, job.colmap.read);
  job.found = find_images(call.places, call.recursive);
  Work work;
  const ColmapSummary summary = work.run(make_database, job);
  if (!summary.is_finished) {
    work.end_if_interrupted(
        fmt::format("interrupted with {} of {} images and {} pairs; the same call goes on from there", summary.images,
                    job.found.images.size(), summary.pairs));
  }
  if (job.found.images.empty()) return exit_failed;
  print_whole(call.json ? json_of(job, summary, work.failures(), work.warnings()) + "\n" : text_of(job, summary),
              call.json);
  return work.exit_code();
}

}  // namespace

void define_colmap(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("IMAGE", call->places).required();
  command.add_option("-d,--database", call->job.database).required();
  command.add_flag("--json", call->json);

  add_collection_options(command, call->job, call->recursive);
  add_shard_option(command, call->job.shard,
                   "the images, by a hash of their names, or, with --features, of the pairs,");
  command.add_option("--features", call->job.features);
  command.action = [call, &command] { return run(*call, command); };
}

}  // namespace octavo::cli
