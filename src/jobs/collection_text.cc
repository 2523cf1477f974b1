// What the commands of scenes print for people.

#include <fmt/core.h>

#include "io/files/one_line.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {

std::string text_of(const CollectionJob& job, const ColmapSummary& summary) {
  std::string text =
      fmt::format("images       {} ({} new, {} keypoints)\n", summary.images, summary.extracted, summary.keypoints) +
      fmt::format("pairs        {} ({} new, {} matches)\n", summary.pairs, summary.matched, summary.matches);
  if (job.colmap.options.verify != ColmapOptions::Verify::none) {
    text += fmt::format("verified     {} ({} inliers)\n", summary.verified, summary.inliers);
  }
  return text + fmt::format("file         {}\n", io::on_one_line(job.database.string()));
}

std::string text_of(const ExportSummary& summary) {
  std::string text = fmt::format("model               {}: {} images, {} points\n",
                                 io::on_one_line(summary.model.string()), summary.images, summary.points);
  for (const ModelFiles& made : summary.made) {
    for (const auto& file : made.files)
      text += fmt::format("{:<20}{}\n", word_of(made.form), io::on_one_line(file.string()));
  }
  return text;
}

std::string text_of(const LocalisedImages& localised) {
  std::string text =
      fmt::format("mapper              {}\n", localised.result.mapper.program) +
      fmt::format("registered          {} of {} photographs\n", localised.registered(), localised.images.size());
  for (const std::size_t i : localised.images) {
    const SfmImageResult& image = localised.result.images[i];
    const SfmImage* const pose = localised.pose_of(i);
    if (pose == nullptr) {
      text += fmt::format("not registered      {}: {}\n", io::on_one_line(image.name), sentence_of(image));
      continue;
    }
    const auto [x, y, z] = camera_centre(*pose);
    text += fmt::format("in the model        {}: at {:.4g} {:.4g} {:.4g}, {} points, {:.3f} px\n",
                        io::on_one_line(image.name), x, y, z, image.points, image.error.value_or(0));
  }
  return text;
}

}  // namespace octavo
