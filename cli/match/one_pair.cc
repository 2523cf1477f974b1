// Two images, or stored features, and the matches between them.

#include <array>
#include <filesystem>

#include "cli/command.h"
#include "cli/match/match_call.h"
#include "io/files/one_line.h"
#include "io/files/output_file.h"
#include "octavo/jobs/match_jobs.h"

namespace octavo::cli {
namespace {

// Refuses an image of a side that has no effect. `letter` is A or B.
void check_side(const MatchCall& call, const ImageOrFeatures& side, char letter) {
  if (side.image.empty()) return;
  const std::string flag = letter == 'A' ? "--image-a" : "--image-b";
  if (!side.is_stored()) throw WrongCall(fmt::format("{} has no effect, since {} is an image itself", flag, letter));
  if (call.output.empty() && !call.refine && call.job.verification.by != Verify::essential) {
    refuse_without_effect(flag, "without --output, --refine or --verify essential");
  }
}

// Refuses options without effect, and outputs that cannot be made, before the work.
void check(const MatchCall& call, const ImageOrFeatures& a, const ImageOrFeatures& b) {
  require_one_standard_input({a.file.string(), b.file.string(), a.image.string(), b.image.string()});
  if (a.is_stored() && b.is_stored() && call.detector_given) {
    throw WrongCall("options of detectors have no effect on stored features, as A and B are");
  }
  if (a.image_file().empty() && b.image_file().empty() && call.reading_given) {
    throw WrongCall("options of reading images and --mask have no effect on stored features, as A and B are");
  }
  check_side(call, a, 'A');
  check_side(call, b, 'B');
  if (call.output.empty()) return;
  if (is_standard_stream(call.output)) {
    if (call.json) refuse_standard_output("--json has no place there");
  } else {
    require_not_read(std::array<std::filesystem::path, 1>{call.output}, std::array{a.file, b.file, a.image, b.image});
  }
  require_writable_image(call.output, true);
}

}  // namespace

int match_one_pair(const MatchCall& call) {
  MatchTwoJob job{.a = {call.places.a, call.image_a},
                  .b = {call.places.b, call.image_b},
                  .read = call.job.read,
                  .mask = call.job.mask,
                  .refine = call.refine,
                  .verification = call.job.verification,
                  .detector = call.job.detector,
                  .match = call.job.match,
                  .device = call.job.device,
                  .standard_input = read_standard_input};
  if (!call.output.empty()) job.draw = [&](const ImageView& both) { write_output_image(call.output, both); };
  check(call, job.a, job.b);
  Work work(Work::Signal::ends_program);
  work.progress().show("starting");
  const MatchedTwo found = work.run(match_two, job);
  if (call.json) {
    const ImageFile a{{}, call.places.a}, b{{}, call.places.b};
    const MatchedImages pair{
        a, b, found.features_a, found.features_b, found.matches, found.model ? &*found.model : nullptr};
    print_whole(json_of(job.verification.by, pair, found.match_seconds) + "\n", true);
  } else if (!is_standard_stream(call.output)) {
    print_whole(text_of(job, found) +
                (call.output.empty() ? "" : fmt::format("image        {}\n", io::on_one_line(call.output))));
  } else if (found.model) {
    for (const ModelWarning& warning : found.model->warnings) complain("warning: " + warning.sentence);
  }
  if (!found.model || found.model->found) return exit_done;
  complain(
      fmt::format("the matches of {} and {} have no model: {}", call.places.a, call.places.b, found.model->reason));
  return exit_failed;
}

}  // namespace octavo::cli
