// Two images, or stored features, and the matches between them.

#include <array>
#include <filesystem>
#include <numbers>

#include "cli/command.h"
#include "cli/match/match_call.h"
#include "io/files/output_file.h"
#include "octavo/jobs/match_jobs.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

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
    require_not_read(std::array<fs::path, 1>{call.output}, std::array{a.file, b.file, a.image, b.image});
  }
  require_writable_image(call.output, true);
}

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

template <std::size_t count>
void print_rows(const char* title, const std::array<double, count>& numbers) {
  for (std::size_t row = 0; row < count / 3; ++row) {
    fmt::print("{:18}  {:14.8g} {:14.8g} {:14.8g}\n", row == 0 ? title : "", numbers[3 * row], numbers[3 * row + 1],
               numbers[3 * row + 2]);
  }
}

void print_verification(Verify verify, const EssentialModel& model) {
  fmt::print("inliers      {}\n", model.inlier_count);
  if (!model.found) return;
  fmt::print("reprojection error  {:.3f} px\n", model.reprojection_error);
  print_rows(fmt::format("{} B from A", name_of(verify)).c_str(), model.b_from_a);
  if (verify == Verify::fundamental && model.is_plane_alone) fmt::print("warning      {}\n", warning_of_plane);
  if (verify != Verify::essential) return;
  print_rows("rotation B from A", model.rotation_b_from_a);
  print_rows("translation", model.translation_b_from_a);
  fmt::print("in front     {}\n", model.in_front_count);
  fmt::print("ray angle    {:.3g} degrees (median)\n", degrees(model.median_ray_angle));
}

void print_text(const MatchCall& call, const MatchedTwo& found) {
  fmt::print("keypoints A  {}\nkeypoints B  {}\nmatches      {}\nmatching     {:.1f} ms\n", found.features_a.size(),
             found.features_b.size(), found.matches.size(), 1000 * found.match_seconds);
  if (found.model) print_verification(call.job.verification.by, *found.model);
  if (!call.output.empty()) fmt::print("image        {}\n", call.output);
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
    fmt::print("{}\n", json_of(job.verification.by, pair, found.match_seconds));
  } else if (!is_standard_stream(call.output)) {
    print_text(call, found);
  }
  if (!found.model || found.model->found) return exit_done;
  complain(
      fmt::format("the matches of {} and {} have no model: {}", call.places.a, call.places.b, found.model->reason));
  return exit_failed;
}

}  // namespace octavo::cli
