// A program of another project that uses every wing that is installed. It writes an image, reads it back, estimates a
// known homography, a shift by (3, 4), makes an archive of clips, and extracts features by a job.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "octavo/io/image_files.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/multiview/align.h"
#include "octavo/multiview/geometry.h"
#include "octavo/pair_scores.h"
#include "octavo/video/video_archive.h"

int main() {
  const std::filesystem::path file = "square.png";
  octavo::Image image(8, 8, 1, octavo::PixelType::u8);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) image.row(y)[x] = static_cast<std::byte>(x * y);
  }
  octavo::write_image(file, image.view());
  const octavo::Image again = octavo::read_image(file);

  const std::vector<octavo::Point> a = {{0, 0}, {90, 5}, {80, 70}, {10, 60}, {50, 20}, {30, 45}};
  std::vector<octavo::Point> b = a;
  for (octavo::Point& point : b) point = {point.x + 3, point.y + 4};
  const octavo::RobustModel model = octavo::estimate_homography(a, b);

  octavo::Extractor extractor;
  octavo::Matcher matcher;
  const octavo::Alignment none = octavo::align(extractor, matcher, again.view(), again.view());
  std::printf("%d x %d, %d inliers, alignment %s\n", again.width(), again.height(), model.inlier_count,
              none.homography.found ? "found" : "not found");
  const bool shifted = model.found && std::abs(model.b_from_a[2] - 3) < 1e-3 && std::abs(model.b_from_a[5] - 4) < 1e-3;
  const bool read_back = again.width() == 8 && again.height() == 8 && again.row(7)[7] == image.row(7)[7];

  const double error = octavo::corner_error(model.b_from_a, {1, 0, 3, 0, 1, 4, 0, 0, 1}, {100, 80});
  const bool is_empty = octavo::VideoArchive("archive", {}).clips().empty();
  octavo::ExtractJob job;
  job.images = {{file, file}};
  job.output = "features";
  const octavo::ExtractSummary summary = octavo::extract_features(job);
  const bool extracted = summary.done == 1 && std::filesystem::exists("features/square.png.txt");
  return shifted && error < 1e-2 && read_back && !none.homography.found && is_empty && extracted ? 0 : 1;
}
