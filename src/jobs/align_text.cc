// Two aligned images as text.

#include <fmt/core.h>

#include "io/files/one_line.h"
#include "jobs/figures_text.h"
#include "octavo/jobs/mosaic_jobs.h"

namespace octavo {

std::string text_of(const AlignResult& result) {
  const Alignment& alignment = result.alignment;
  const RobustModel& homography = alignment.homography;
  std::string text;
  if (alignment.retried) text += "retried             yes\n";
  if (alignment.views != Views::none) text += fmt::format("views               {}\n", word_of(alignment.views));
  text +=
      fmt::format("keypoints A         {}\nkeypoints B         {}\nmatches             {}\ninliers             {}\n",
                  alignment.a.size(), alignment.b.size(), alignment.matches.size(), homography.inlier_count);
  if (homography.found) {
    text += fmt::format("reprojection error  {:.3f} px\n", homography.reprojection_error) +
            rows_text("homography B from A", homography.b_from_a);
  }
  for (const AlignmentWarning& one : alignment.warnings) text += fmt::format("warning             {}\n", one.sentence);
  for (const std::filesystem::path& file : result.files)
    text += fmt::format("image               {}\n", io::on_one_line(file.string()));
  return text;
}

}  // namespace octavo
