// Shares of the time were measured on three clips of 8 to 55 s, of 0.2 to 0.9 megapixels.

#include "jobs/clip_phases.h"

#include <exception>
#include <system_error>

#include "octavo/io/image_files.h"
#include "octavo/video/video.h"

namespace octavo::jobs {
namespace {

constexpr double usual_rate = 250e3;                      // [byte/second] of clips that do not tell their length
constexpr double of_an_image = 3e5;                       // as much work as a second of so many pixels
constexpr double seconds_compared_as_long_as_read = 5e3;  // comparing shots grows with the square
constexpr double work_of_pairs = 18e3;                    // of two clips, a second of each
constexpr double reading_again = 0.25;                    // of reading

double declared_length(const Video& video, const std::filesystem::path& file) {
  if (video.facts().declared_seconds > 0) return video.facts().declared_seconds;
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<double>(bytes) / usual_rate;
}

}  // namespace

double reading_work(int width, int height, double seconds) {
  constexpr double of_each_frame = 1e5;  // [pixel] for what does not depend on the size
  return seconds * (static_cast<double>(width) * height + of_each_frame);
}

std::vector<ReadFile> files_to_read(std::span<const std::filesystem::path> files, const VideoOptions& video) {
  std::vector<ReadFile> result;
  for (const std::filesystem::path& file : files) {
    ReadFile& one = result.emplace_back(ReadFile{.file = file, .work = of_an_image});
    if (looks_like_image(file)) continue;
    try {
      const Video clip(file, video);
      one.seconds = declared_length(clip, file);
      one.work = reading_work(clip.facts().width, clip.facts().height, one.seconds);
    } catch (const std::exception&) {
      one.work = 0;  // the job tells why
    }
  }
  return result;
}

std::vector<Phase> phases_of_reading(std::span<const ReadFile> files, std::span<const Phase> stages) {
  std::vector<Phase> phases;
  for (const ReadFile& one : files) {
    phases.push_back({one.file.string(), 0});
    for (const Phase& stage : stages) phases.push_back({stage.stage, stage.weight * one.work});
  }
  return phases;
}

std::vector<Phase> phases_of_takes(std::span<const ReadFile> files, bool reads_features, bool has_sheet) {
  std::vector<Phase> stages{{"cuts of", 0.6}};
  if (reads_features) stages.insert(stages.begin(), {"features of", 0.4});
  std::vector<Phase> phases = phases_of_reading(files, stages);
  double work = 0, seconds = 0;
  for (const ReadFile& one : files) {
    work += one.work;
    seconds += one.seconds;
  }
  phases.push_back({"comparing shots", work * seconds / seconds_compared_as_long_as_read});
  if (!has_sheet) return phases;
  for (const ReadFile& one : files)
    phases.push_back({"images of " + one.file.filename().string(), reading_again * one.work});
  return phases;
}

std::vector<Phase> phases_of_comparing(const ReadFile& a, const ReadFile& b) {
  const double pairs = work_of_pairs * a.seconds * b.seconds;
  return {{"reading the clip", 14 * a.work},      {"reading the clip", 8 * b.work},
          {"comparing all frames", 4 * pairs},    {"comparing frames", pairs},
          {"comparing all frames", 5 * pairs},    {"comparing frames", pairs},
          {"frames around ends", a.work + b.work}};
}

std::vector<Phase> phases_of_affinity(const ReadFile& a, const ReadFile& b, bool has_segments) {
  std::vector<Phase> phases{{"features of", 6 * a.work},
                            {"features of", 6 * b.work},
                            {"comparing frames", work_of_pairs * a.seconds * b.seconds}};
  if (!has_segments) return phases;
  const std::vector<Phase> comparing = phases_of_comparing(a, b);
  phases.insert(phases.end(), comparing.begin(), comparing.end());
  return phases;
}

}  // namespace octavo::jobs
