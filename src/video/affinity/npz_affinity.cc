// The affinity matrix as NumPy's arrays.

#include "io/features/npy_entry.h"
#include "octavo/video/affinity.h"

namespace octavo {

std::vector<std::byte> encode_npz_affinity(const AffinityMatrix& matrix, std::span<const CopySegment> segments) {
  std::vector<double> lines;
  for (const CopySegment& s : segments) {
    lines.insert(lines.end(), {s.query_in, s.query_out, s.other_in, s.other_out, s.mirrored ? 1.0 : 0.0});
  }
  std::vector<double> rectangles;
  for (const AffinityBlock& b : matrix.blocks) {
    rectangles.insert(rectangles.end(), {b.a_in, b.a_out, b.b_in, b.b_out, b.share});
  }
  const std::vector<io::ZipEntry> entries{
      io::npy_matrix<float>("affinity", matrix.values, matrix.seconds_a.size(), matrix.seconds_b.size()),
      io::npy_list<double>("seconds_a", matrix.seconds_a),
      io::npy_list<double>("seconds_b", matrix.seconds_b),
      io::npy_matrix<double>("segments", lines, segments.size(), 5),
      io::npy_matrix<double>("blocks", rectangles, matrix.blocks.size(), 5),
  };
  return io::zip_archive(entries);
}

}  // namespace octavo
