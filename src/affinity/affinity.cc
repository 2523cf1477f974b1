// Affinity matrices. Every frame that is taken has a row or a column, also those that repeat the one before: so times
// are even, and a copy at constant speed is a straight line.

#include "octavo/affinity.h"

#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "affinity/blocks.h"
#include "affinity/clip_frames.h"
#include "octavo/error.h"

namespace octavo {

AffinityMatrix affinity_of(const std::filesystem::path& a, const std::filesystem::path& b,
                           const AffinityOptions& options, const VideoOptions& video, const DeviceOptions& device,
                           const ProgressSink& progress) {
  ClipFrameReader reader(options, device);
  const ClipFrames of_a = reader.read(a, video, progress);
  const ClipFrames of_b = a == b ? of_a : reader.read(b, video, progress);
  const std::size_t rows = of_a.seconds.size(), columns = of_b.seconds.size();
  if (columns > 0 && rows > most_affinities / columns) {
    throw Error(ErrorCode::out_of_memory, std::to_string(rows) + " and " + std::to_string(columns) +
                                              " frames make too large a matrix: it may have " +
                                              std::to_string(most_affinities) + " numbers; take fewer frames a second");
  }
  AffinityMatrix matrix{options.measure, of_a.seconds, of_b.seconds, std::vector<float>(rows * columns)};
  std::vector<std::uint8_t> is_similar(rows * columns);
  std::atomic<std::size_t> done = 0;
  tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t i) {
    report(progress, "comparing frames", done++, rows);
    for (std::size_t j = 0; j < columns; ++j) {
      const FrameAffinity one = affinity_of(of_a, i, of_b, j);
      matrix.values[i * columns + j] = one.value;
      is_similar[i * columns + j] = one.share >= similar_share ? 1 : 0;
    }
  });
  matrix.blocks = blocks_of(of_a, of_b, is_similar);
  return matrix;
}

}  // namespace octavo
