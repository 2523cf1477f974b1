// Matches and their verification as text.

#include <fmt/core.h>

#include <numbers>

#include "io/files/one_line.h"
#include "jobs/figures_text.h"
#include "octavo/jobs/match_jobs.h"

namespace octavo {
namespace jobs {
namespace {

std::string pose_text(const EssentialModel& model) {
  return rows_text("rotation B from A", model.rotation_b_from_a) +
         rows_text("translation", model.translation_b_from_a) + fmt::format("in front     {}\n", model.in_front_count) +
         fmt::format("ray angle    {:.3g} degrees (median)\n", model.median_ray_angle * 180 / std::numbers::pi);
}

std::string verification_text(Verify verify, const EssentialModel& model) {
  std::string text = fmt::format("inliers      {}\n", model.inlier_count);
  if (!model.found) return text;
  text += fmt::format("reprojection error  {:.3f} px\n", model.reprojection_error) +
          rows_text(fmt::format("{} B from A", name_of(verify)), model.b_from_a);
  if (verify == Verify::essential) text += pose_text(model);
  for (const ModelWarning& warning : model.warnings) text += fmt::format("warning      {}\n", warning.sentence);
  return text;
}

}  // namespace
}  // namespace jobs

std::string text_of(const MatchedImages& pair) {
  std::string text = fmt::format("{} {}  {} matches", io::on_one_line(pair.a.name.string()),
                                 io::on_one_line(pair.b.name.string()), pair.matches.size());
  if (pair.model != nullptr) {
    text += fmt::format("  {} inliers", pair.model->inlier_count);
    for (const ModelWarning& warning : pair.model->warnings) text += fmt::format("  {}", word(warning.kind));
  }
  return text + "\n";
}

std::string text_of(const MatchJob& job, const MatchSummary& summary) {
  return fmt::format("pairs        {}\nmatches      {}\n", summary.pairs, summary.matches) +
         (summary.doubtful > 0 ? fmt::format("doubtful     {}\n", summary.doubtful) : "") +
         (summary.is_written ? fmt::format("file         {}\n", io::on_one_line(job.output.string())) : "");
}

std::string text_of(const MatchTwoJob& job, const MatchedTwo& found) {
  return fmt::format("keypoints A  {}\nkeypoints B  {}\nmatches      {}\nmatching     {:.1f} ms\n",
                     found.features_a.size(), found.features_b.size(), found.matches.size(),
                     1000 * found.match_seconds) +
         (found.model ? jobs::verification_text(job.verification.by, *found.model) : "");
}

}  // namespace octavo
