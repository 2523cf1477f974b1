// NumPy's .npz is a ZIP archive of .npy files. It is written like those of numpy.savez: the files are stored without
// compression, since descriptors hardly compress.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/features/npy_entry.h"
#include "io/features/npz_limit.h"
#include "io/features/zip_writer.h"
#include "io/files/output_file.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {
namespace {

// The arrays of features, and `more`, of which each keypoint takes `more_bytes`.
std::vector<std::byte> archive_of(const std::string& name, const Features& features, std::size_t more_bytes,
                                  std::vector<io::ZipEntry> more) {
  const std::size_t n = features.size();
  constexpr std::size_t usual_bytes = 5 * sizeof(float) + 2 * sizeof(std::int32_t) + descriptor_length;
  // Features without ellipses have the three arrays alone.
  const bool has_ellipses = std::any_of(features.keypoints.begin(), features.keypoints.end(), has_ellipse);
  const std::size_t bytes = usual_bytes + more_bytes + (has_ellipses ? 4 * sizeof(float) : 0);
  const std::size_t most = io::most_npz_keypoints * usual_bytes / bytes;
  if (n > most) {
    throw Error(
        ErrorCode::file_error,
        fmt::format("cannot write '{}': {} keypoints do not fit into an npz file, the most is {}", name, n, most));
  }
  std::vector<float> keypoints;
  std::vector<float> ellipses;
  std::vector<std::int32_t> octave_layer;
  keypoints.reserve(5 * n);
  octave_layer.reserve(2 * n);
  for (const Keypoint& k : features.keypoints) {
    keypoints.insert(keypoints.end(), {k.x, k.y, k.scale, k.orientation, k.response});
    octave_layer.insert(octave_layer.end(), {k.octave, k.layer});
  }
  if (has_ellipses) {
    for (const Keypoint& k : features.keypoints) ellipses.insert(ellipses.end(), {k.a11, k.a12, k.a21, k.a22});
  }
  const std::size_t described = features.descriptors.size() / descriptor_length;
  std::vector<io::ZipEntry> entries{
      io::npy_matrix<float>("keypoints", keypoints, n, 5),
      io::npy_matrix<std::int32_t>("octave_layer", octave_layer, n, 2),
      io::npy_matrix<std::uint8_t>("descriptors", features.descriptors, described, descriptor_length),
  };
  if (!ellipses.empty()) {
    entries.push_back(io::npy_matrix<float>("ellipses", ellipses, n, 4));
  }
  entries.insert(entries.end(), more.begin(), more.end());
  return io::zip_archive(entries);
}

}  // namespace

std::vector<std::byte> encode_npz_features(const std::string& name, const Features& features) {
  return archive_of(name, features, 0, {});
}

std::vector<std::byte> encode_npz_description(const std::string& name, const Description& description) {
  const std::vector<std::int32_t> inputs(description.inputs.begin(), description.inputs.end());
  std::vector<std::int32_t> left_out;
  left_out.reserve(description.left_out.size());
  for (const LeftOut& one : description.left_out) left_out.push_back(static_cast<std::int32_t>(one.input));
  return archive_of(name, description.features, sizeof inputs[0],
                    {io::npy_list<std::int32_t>("input", inputs), io::npy_list<std::int32_t>("left_out", left_out)});
}

void write_npz_features(const std::filesystem::path& file, const Features& features) {
  write_file(file, encode_npz_features(file.string(), features));
}

}  // namespace octavo
