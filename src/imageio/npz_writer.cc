// NumPy's .npz is a ZIP archive of .npy files (NumPy Enhancement Proposal 1). It is written like those of numpy.savez:
// the files are stored without compression, since descriptors hardly compress.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "imageio/npz_limit.h"
#include "imageio/zip_writer.h"
#include "octavo/error.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"

namespace octavo {
namespace {

static_assert(std::endian::native == std::endian::little,
              "both formats are little-endian, and are written as memory holds them");

/// The head of a .npy file: magic, version 1.0, the length of the description, and the description, padded so that the
/// data begin at a multiple of 64.
std::string npy_header(std::string_view type, std::size_t rows, std::size_t columns) {
  constexpr std::size_t prefix = 10;
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}", type, rows, columns);
  text.append(64 - (prefix + text.size() + 1) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace

std::vector<std::byte> encode_npz_features(const std::string& name, const Features& features) {
  const std::size_t n = features.size();
  if (n > imageio::most_npz_keypoints) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot write '{}': {} keypoints do not fit into an npz file, the most is {}", name, n,
                            imageio::most_npz_keypoints));
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
  // Features without ellipses have the three arrays alone.
  if (std::any_of(features.keypoints.begin(), features.keypoints.end(), has_ellipse)) {
    for (const Keypoint& k : features.keypoints) ellipses.insert(ellipses.end(), {k.a11, k.a12, k.a21, k.a22});
  }
  const std::size_t described = features.descriptors.size() / descriptor_length;
  std::vector<imageio::ZipEntry> entries{
      {"keypoints.npy", npy_header("<f4", n, 5), std::as_bytes(std::span(keypoints))},
      {"octave_layer.npy", npy_header("<i4", n, 2), std::as_bytes(std::span(octave_layer))},
      {"descriptors.npy", npy_header("|u1", described, descriptor_length),
       std::as_bytes(std::span(features.descriptors))},
  };
  if (!ellipses.empty()) {
    entries.push_back({"ellipses.npy", npy_header("<f4", n, 4), std::as_bytes(std::span(ellipses))});
  }
  return imageio::zip_archive(entries);
}

void write_npz_features(const std::filesystem::path& file, const Features& features) {
  write_file(file, encode_npz_features(file.string(), features));
}

}  // namespace octavo
