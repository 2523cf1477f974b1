// octavo video search: where in an archive is this clip?

#include <fmt/ranges.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

struct Call {
  std::vector<std::string> queries, folders;
  SearchJob job;
  bool json = false;
};

void require_fitting_shard(const Command& command, const Call& call) {
  if (!call.job.shard) return refuse_if_given(command, "--output", "without --shard");
  if (call.job.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
  refuse_if_given(command, "--json", "with --shard, whose part is JSON");
}

int search(const Command& command, Call& call) {
  VideoFiles found = find_videos(call.queries, true);
  call.job.queries = std::move(found.files);
  require_fitting_shard(command, call);
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  call.job.archives = archives;
  Work work(Work::Signal::ends_program);
  for (const std::string& problem : found.problems) report_failure(work.context(), problem);
  ListOutput out(call.json);
  std::vector<std::string> all;
  call.job.take = [&](const SearchedClip& searched) {
    if (call.json) {
      all.push_back(json_of(searched));
    } else if (!call.job.shard) {
      work.progress().clear();
      out.print(with_flags(text_of(searched)));
    }
  };
  work.run(search_clips, call.job);
  const bool is_one = call.job.queries.size() == 1 && all.size() == 1;
  if (call.json) out.print(is_one ? all.front() + "\n" : fmt::format("[{}]\n", fmt::join(all, ",")));
  out.require_whole();
  return work.exit_code();
}

}  // namespace

void define_video_search(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("CLIP", call->queries).required();
  command.add_option("--index", call->folders).required();
  command.add_flag("--no-mirror", [call] { call->job.search.mirrored = false; });
  command.add_flag("--negative", call->job.negative);
  command.add_flag("--reversed", call->job.search.reversed);
  command.add_flag("--rough-ends", call->job.rough_ends);
  command.add_option("--images", call->job.images);
  add_shard_option(command, call->job.shard, "the queries, by a hash of their file names,");
  command.add_option("-o,--output", call->job.output);
  add_options(command, call->job.search.copies);
  add_options(command, call->job.signature, {"doubled", "words"});
  add_options(command, call->job.video,
              {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  command.add_flag("--json", call->json);
  add_device_options(command, call->job.device);
  command.action = [&command, call] {
    require_effects(command, call->job.signature);
    return search(command, *call);
  };
}

}  // namespace octavo::cli
