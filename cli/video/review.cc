// octavo video review: a page on which a person judges which clips of an archive are the same.

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/options.h"
#include "cli/standard_streams.h"
#include "cli/video/archive.h"
#include "cli/video/video.h"
#include "cli/work.h"
#include "io/http/open_in_browser.h"
#include "io/json/json.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

constexpr auto description = R"(judge in a browser which clips of an archive are the same

Compares the clips of an archive (octavo video index) with each other, as octavo
video report does, and serves a page that shows the pairs side by side, stores
verdicts in the archive at once, and searches files that are dropped on it. Only
this machine can open the page, and only with the address that is printed: it
has a random token. Ctrl-C ends the server.)";

constexpr auto footer = R"(Page: both clips of a pair in step; B's time follows from the segment. What a
browser does not play gets a small preview, which is removed at the end. Keys:
  s d i      the clips are the same, differ, or the pair is not of interest
  u          undo, as often as you like
  n p        the next, the previous pair of the list
  space      play and pause
  , .        a frame back, a frame on; the arrows left and right do the same
  [ ]        to the begin, to the end of the segment
  1 to 9     the segments
  f          the features that agree in the frames that are shown
  ?          this list
A file that is dropped on the page is searched in the archive. The list of files
to keep and to drop is saved as CSV, or as a script that says in comments which
files could go. Octavo deletes none.

Verdicts are those of octavo video verdict. What other windows and commands say
meanwhile shows within seconds, and is not overwritten unseen.

JSON, one line as soon as the page is there:
  {"address": "http://127.0.0.1:39211/5f0c.../"}

Examples:
  octavo video review --index archive
  octavo video review --index archive --no-open --port 8080
  octavo video review --index archive --min-seconds 5 --same-coverage 0.8

Exit codes:
  0  done: ended by Ctrl-C or SIGTERM
  1  a signature of the archive cannot be read, see the error stream; there is
     no archive, it cannot be changed, or the port is taken
  2  the call was wrong)";

struct Call {
  ReviewJob job;
  bool no_open = false, json = false;
};

int run(Call& call) {
  Work work;
  call.job.ready = [&](const std::string& address, const std::filesystem::path& opening) {
    work.progress().clear();
    print_whole(call.json ? json_text({{"address", address}}) + "\n" : fmt::format("{:<12} {}\n", "address", address));
    if (!call.no_open) io::open_in_browser(opening);
  };
  review_archive(call.job, work.context());
  work.progress().clear();
  return work.exit_code();
}

}  // namespace

void add_video_review(Command& video, int& exit_code) {
  const auto call = std::make_shared<Call>();
  Command& command = add_command(video, "review", description, footer);
  add_archive_option(command, call->job.archive, "The folder of the archive.");
  const std::string group = "Review options";
  add_options(command, option_table<ReviewOptions>(), call->job.review);
  command.add_flag("--no-open", call->no_open, "Do not open the page in the browser of the desktop.").group(group);
  add_options(command, option_table<ReportOptions>(), call->job.report, {"max_images"});
  command
      .add_flag("--exact-ends", call->job.report.exact_ends,
                "Decode the files again, before the page is there, for ends that are exact to the frame.")
      .group("Report options");
  add_no_mirror(command, call->job.search).group("Report options");
  add_options(command, option_table<CopyOptions>(), call->job.search.copies);
  add_options(command, option_table<VideoOptions>(), call->job.video,
              {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  command.add_flag("--json", call->json, "Print the address as JSON, see below.");
  add_device_options(command, call->job.device);
  command.callback([call, &exit_code] { exit_code = run(*call); });
}

}  // namespace octavo::cli
