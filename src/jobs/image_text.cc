// Features and descriptions of images, as text and as JSON.

#include <fmt/core.h>

#include "io/files/one_line.h"
#include "io/json/json.h"
#include "jobs/figures_text.h"
#include "octavo/io/feature_files.h"
#include "octavo/jobs/image_jobs.h"

namespace octavo {

std::string json_of(const ExtractedImage& done) {
  const std::string name = done.image.file.string();
  if (done.features != nullptr) return json_features(name, *done.features, done.seconds);
  return json_text(Json{{"image", name}, {"skipped", true}, {"keypoint_count", done.keypoints}});
}

std::string text_of(const ExtractedImage& done) {
  if (done.features == nullptr) return {};
  return fmt::format("{}: {}, {:.1f} ms\n", io::on_one_line(done.image.file.string()),
                     count_text(done.features->size(), "keypoint"), 1000 * done.seconds);
}

std::string text_of(const ExtractJob& job, const ExtractSummary& summary) {
  const auto are = [](std::size_t count, std::string_view noun, std::string_view one, std::string_view several) {
    return fmt::format("{} {}{} {}", count, noun, count == 1 ? "" : "s", count == 1 ? one : several);
  };
  std::string text;
  if (summary.up_to_date > 0) {
    text += are(summary.up_to_date, job.are_videos ? "frame" : "image", "is up to date\n", "are up to date\n");
  }
  if (summary.left_out > 0) {
    text += are(summary.left_out, "image", "is a result", "are results") + " of an earlier run and left out\n";
  }
  return text;
}

std::string json_of(const DescribedImage& done) {
  return json_description(done.item.file.string(), done.description, done.seconds);
}

std::string text_of(const DescribedImage& done) {
  return fmt::format("{}: {} of {}, {:.1f} ms\n", io::on_one_line(done.item.file.string()),
                     count_text(done.description.features.size(), "descriptor"), count_text(done.keypoints, "keypoint"),
                     1000 * done.seconds);
}

}  // namespace octavo
