// octavo video duplicates: which clips of an archive show the same?

#include <optional>

#include "cli/command.h"
#include "cli/inputs.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

struct Call : WithJson<DuplicatesJob> {
  std::vector<std::string> folders;
  std::optional<Shard> shard;
  std::string output;
};

void require_fitting_options(const Command& command, const Call& call) {
  if (call.shard) {
    if (call.output.empty()) throw WrongCall("--shard needs --output, the file of its part");
    refuse_if_given(command, {"--found", "--exact-ends", "--all", "--json"}, "with --shard");
    refuse_options<RecurringOptions>(command, "with --shard");
    return;
  }
  refuse_if_given(command, "--output", "without --shard");
  if (call.found.empty()) return;
  refuse_if_given(command, {"--no-mirror", "--reversed", "--isa"}, "with --found");
  refuse_options<CopyOptions>(command, "with --found");
}

int run(const Command& command, Call& call) {
  require_fitting_options(command, call);
  const std::vector<VideoArchive> archives = open_archives(call.folders);
  call.archives = archives;
  Work work(Work::Signal::ends_program);
  if (call.shard) {
    write_duplicates_shard(call.output, call, *call.shard, work.context());
    return work.exit_code();
  }
  const Duplicates found = work.run(find_duplicates, call);
  print_whole(call.json ? json_of(found) + "\n" : text_of(found), call.json);
  return work.exit_code();
}

}  // namespace

void define_video_duplicates(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("--index", call->folders).required();
  command.add_flag("--no-mirror", [call] { call->search.mirrored = false; });
  command.add_flag("--reversed", call->search.reversed);
  command.add_flag("--exact-ends", call->exact_ends);
  command.add_flag("--all", call->all);
  add_options(command, call->search.copies);
  add_options(command, call->recurring);
  std::string& isa = call->search.isa;
  add_option(command, *option_table<DeviceOptions>().find("isa"), isa,
             [&isa](const OptionValue& value) { isa = std::get<std::string>(value); });
  command.add_flag("--json", call->json);
  add_shard_option(command, call->shard, "the pairs, by a hash of the content of their first clip,");
  command.add_option("-o,--output", call->output);
  command.add_option("--found", call->found);
  command.action = [&command, call] { return run(command, *call); };
}

}  // namespace octavo::cli
