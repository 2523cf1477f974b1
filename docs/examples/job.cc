// The features of many images by the job of `octavo extract`: what is there already is left out, images that fail cost
// no others, Ctrl-C ends it after the images in work. Usage: job FOLDER PLACE...

#include <atomic>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "octavo/error.h"
#include "octavo/io/collection.h"
#include "octavo/jobs/image_jobs.h"

namespace {

std::atomic_flag interrupted;

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) return 2;
  std::signal(SIGINT, [](int) { interrupted.test_and_set(); });
  const std::vector<std::string> places(argv + 2, argv + argc);  // images, folders of them, patterns

  octavo::ExtractJob job;
  job.images = octavo::find_images(places).images;
  job.output = argv[1];
  job.format = octavo::FeatureFormat::npz;
  job.skip_existing = true;
  job.take = [](const octavo::ExtractedImage& image) {
    std::printf("%s: %d keypoints\n", image.image.name.c_str(), static_cast<int>(image.keypoints));
    return !interrupted.test();
  };
  int failures = 0;
  octavo::JobContext context;
  context.fail = [&failures](const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    ++failures;
  };
  const octavo::ExtractSummary summary = octavo::extract_features(job, context);
  std::printf("%zu of %zu images, %zu were there\n", summary.done, summary.images, summary.up_to_date);
  return summary.is_finished && failures == 0 ? 0 : 1;
} catch (const octavo::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
