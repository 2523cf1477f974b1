// octavo video review: a page on which a person judges which clips of an archive are the same.

#include <filesystem>

#include "cli/command.h"
#include "io/http/open_in_browser.h"
#include "io/json/json.h"
#include "octavo/jobs/archive_jobs.h"

namespace octavo::cli {
namespace {

struct Call : WithJson<ReviewJob> {
  bool no_open = false;
};

int run(Call& call) {
  Work work;
  call.ready = [&](const std::string& address, const std::filesystem::path& opening) {
    work.progress().clear();
    print_whole(call.json ? json_text({{"address", address}}) + "\n" : fmt::format("{:<12} {}\n", "address", address),
                call.json);
    if (!call.no_open) io::open_in_browser(opening);
  };
  work.run(review_archive, call);
  return work.exit_code();
}

}  // namespace

void define_video_review(Command& command) {
  const auto call = std::make_shared<Call>();
  command.add_option("--index", call->archive).required();
  add_options(command, call->review);
  command.add_flag("--no-open", call->no_open);
  add_options(command, call->report, {"max_images"});
  command.add_flag("--exact-ends", call->report.exact_ends);
  command.add_flag("--no-mirror", [call] { call->search.mirrored = false; });
  add_options(command, call->search.copies);
  add_options(command, call->video,
              {"every", "fps", "size", "stored_luma", "weave", "fast", "range", "black", "white"});
  command.add_flag("--json", call->json);
  add_device_options(command, call->device);
  command.action = [call] { return run(*call); };
}

}  // namespace octavo::cli
