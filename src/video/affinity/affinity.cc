// Affinity matrices. Every frame that is taken has a row or a column, also those that repeat the one before: so times
// are even, and a copy at constant speed is a straight line.

#include "octavo/video/affinity.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>

#include "octavo/error.h"
#include "video/affinity/background.h"
#include "video/affinity/blocks.h"
#include "video/affinity/clip_frames.h"

namespace octavo {
namespace {

void require_possible(std::size_t rows, std::size_t columns) {
  if (columns == 0 || rows <= most_affinities / columns) return;
  throw Error(ErrorCode::out_of_memory, std::to_string(rows) + " and " + std::to_string(columns) +
                                            " frames make too large a matrix: it may have " +
                                            std::to_string(most_affinities) + " numbers; take fewer frames a second");
}

// The times of a part of a clip, and the frame that stands for each.
struct Timeline {
  std::vector<double> seconds;
  std::vector<std::size_t> frames;
};

Timeline timeline_of(const ClipSignature& clip, const ClipPart& part, double fps) {
  Timeline line;
  if (clip.frames.empty()) return line;
  const double out = std::min(part.out, clip.seconds);
  if ((out - part.in) * fps > most_affinities) require_possible(most_affinities + 1, 1);  // before memory is taken
  std::size_t frame = 0;
  for (int k = 0; part.in + k / fps < out; ++k) {
    const double seconds = part.in + k / fps;
    while (frame + 1 < clip.frames.size() && clip.frames[frame + 1].seconds <= seconds) ++frame;
    line.seconds.push_back(seconds);
    line.frames.push_back(frame);
  }
  return line;
}

bool repeats(const Timeline& line, std::size_t i) { return i > 0 && line.frames[i - 1] == line.frames[i]; }

}  // namespace

AffinityMatrix affinity_of(const ClipSignature& a, const ClipPart& part_of_a, const ClipSignature& b,
                           const ClipPart& part_of_b, double fps, const std::string& isa) {
  const Timeline down = timeline_of(a, part_of_a, fps), right = timeline_of(b, part_of_b, fps);
  const std::size_t rows = down.seconds.size(), columns = right.seconds.size();
  require_possible(rows, columns);
  AffinityMatrix matrix{AffinityMeasure::matches, down.seconds, right.seconds, std::vector<float>(rows * columns)};
  tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t i) {
    if (repeats(down, i)) return;
    float* const row = &matrix.values[i * columns];
    for (std::size_t j = 0; j < columns; ++j) {
      const auto inliers = [&] {
        return match_frames(a.frames[down.frames[i]], b.frames[right.frames[j]], isa).inliers;
      };
      row[j] = repeats(right, j) ? row[j - 1] : static_cast<float>(inliers());
    }
  });
  for (std::size_t i = 1; i < rows; ++i) {
    if (!repeats(down, i)) continue;
    std::copy_n(&matrix.values[(i - 1) * columns], columns, &matrix.values[i * columns]);
  }
  return matrix;
}

AffinityMatrix affinity_of(const std::filesystem::path& a, const std::filesystem::path& b,
                           const AffinityOptions& options, const VideoOptions& video, const DeviceOptions& device,
                           const ProgressSink& progress) {
  ClipFrameReader reader(options, device);
  const ClipFrames of_a = reader.read(a, video, progress);
  const ClipFrames of_b = a == b ? of_a : reader.read(b, video, progress);
  const std::size_t rows = of_a.seconds.size(), columns = of_b.seconds.size();
  require_possible(rows, columns);
  AffinityMatrix matrix{options.measure, of_a.seconds, of_b.seconds, std::vector<float>(rows * columns)};
  std::vector<std::uint8_t> is_similar(rows * columns);
  std::atomic<std::size_t> done = 0;
  tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t i) {
    report(progress, "comparing frames", done++, rows);
    for (std::size_t j = 0; j < columns; ++j) {
      const FrameAffinity one = affinity_of(of_a, i, of_b, j);
      matrix.values[i * columns + j] = one.value;
      is_similar[i * columns + j] = one.share > 0 ? 1 : 0;
    }
  });
  if (options.measure == AffinityMeasure::vlad) {
    matrix.limit = background_limit(matrix.values, pairs_for_one_chance);
    std::ranges::transform(matrix.values, is_similar.begin(), [&](float one) { return one >= matrix.limit ? 1 : 0; });
  }
  matrix.blocks = blocks_of(of_a, of_b, is_similar);
  return matrix;
}

}  // namespace octavo
