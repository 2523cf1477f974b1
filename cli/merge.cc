// octavo merge: joins the parts of a job in shards.

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/complaint.h"
#include "io/json/json.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(join the parts of a job in shards

Long jobs can be done by several processes, on one machine or many: the call of
each has --shard I/N and writes a part. This command joins the parts of all N
shards. The result is that of one process, whatever N is, in whatever order the
parts are named, and however often shards were killed and done again.)";

constexpr auto footer = R"(Parts:
  octavo extract           folders of features become one, with one manifest;
                           with --format hloc they become one file, FILE.h5
  octavo pairs             files of VLADs become a list of pairs, FILE.txt
  octavo colmap            databases of features become a database of all
                           images; databases of matches (--features) and that
                           database become a database with matches
  octavo video index       archives become one; OUT may be one that exists.
                           Archives that were made without --shard, too
  octavo video search      files of what was found become that of all queries
  octavo video duplicates  files of pairs become one file, which the command
                           reads with --found
Several shards may have written to one folder. A part that is named twice counts
once. An error names what does not fit: parts of another kind, of another number
of shards, of other options or inputs, a shard that is missing or not finished,
and results that differ. Nothing is written then.

A file is written whole or not at all. A folder that a killed merge leaves is
completed by the same call.

JSON:
  {"output": "features", "kind": "features", "shard_count": 8,
   "item_count": 1000, "problems": ["photos/broken.jpg: ..."]}
"problems" is what the shards could not do, as one process would tell it.

Examples:
  octavo extract photos/ -o part-3 --shard 3/8    (and so on, for 1/8 to 8/8)
  octavo merge features part-*

  octavo colmap photos/ -d features-3.db --shard 3/8
  octavo merge a.db features-*.db
  octavo colmap photos/ -d matches-3.db --shard 3/8 --features a.db
  octavo merge whole.db a.db matches-*.db

Exit codes:
  0  done
  1  done, but a shard could not do an item, see the error stream. Or nothing is
     done: the parts do not make a whole, or the result cannot be written
  2  the call was wrong)";

struct Call {
  std::string output;
  std::vector<std::string> parts;
  bool json = false;
};

int run(const Call& call) {
  const std::vector<std::filesystem::path> parts(call.parts.begin(), call.parts.end());
  const MergeSummary summary = merge_parts(call.output, parts);
  for (const std::string& problem : summary.problems) complain(problem);
  if (call.json) {
    fmt::print("{}\n", json_text(Json{{"output", call.output},
                                      {"kind", name_of(summary.kind)},
                                      {"shard_count", summary.shards},
                                      {"item_count", summary.items},
                                      {"problems", summary.problems}}));
  } else {
    const auto count = [](std::uint64_t n, const char* name) {
      return fmt::format("{} {}{}", n, name, n == 1 ? "" : "s");
    };
    const std::string shards = summary.shards > 0 ? " of " + count(summary.shards, "shard") : "";
    fmt::print("{}: {}{}, {}\n", call.output, name_of(summary.kind), shards, count(summary.items, "item"));
  }
  return summary.problems.empty() ? exit_done : exit_failed;
}

}  // namespace

void add_merge(Command& program, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(program, "merge", description, footer);
  command.add_option("OUT", call->output, "The folder, archive or file to be written.").required().type_name("FILE");
  command.add_option("PART", call->parts, "The parts of all shards: folders, archives or files.")
      .required()
      .type_name("FILE");
  command.add_flag("--json", call->json, "Print JSON instead of text, see below.");
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
