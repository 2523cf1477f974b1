// COLMAP's text format for imported features (colmap.github.io/database.html, "keypoints"): "N 128", then a line per
// keypoint. COLMAP puts the origin at the top-left corner of the image, half a pixel left of and above Octavo's.

#include <fmt/format.h>

#include <iterator>

#include "io/files/output_file.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"

namespace octavo {

std::string colmap_features(const std::string& name, const Features& features) {
  if (features.descriptors.size() != features.size() * descriptor_length) {
    throw Error(ErrorCode::file_error,
                fmt::format("cannot write '{}': COLMAP's format holds descriptors, but there are none", name));
  }
  constexpr float half_pixel = 0.5f;
  fmt::memory_buffer text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{} {}\n", features.size(), descriptor_length);
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Keypoint& k = features.keypoints[i];
    // The shortest digits that give the same float when read.
    fmt::format_to(out, "{} {} {} {}", k.x + half_pixel, k.y + half_pixel, k.scale, k.orientation);
    for (const std::uint8_t value : features.descriptor(i)) fmt::format_to(out, " {}", value);
    text.push_back('\n');
  }
  return fmt::to_string(text);
}

void write_colmap_features(const std::filesystem::path& file, const Features& features) {
  write_file(file, colmap_features(file.string(), features));
}

}  // namespace octavo
