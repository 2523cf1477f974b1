#include "io/inspection/files_memory.h"

#include <algorithm>
#include <cstdint>

namespace octavo::inspection {
namespace {

std::uint64_t pixels_of(int width, int height) {
  return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
}

}  // namespace

MemoryNeed memory_of_files(const Inspector& inspector, const ImageView& image, const InspectionFolderOptions& files) {
  const InspectionSize size = inspector.size_for(image);
  MemoryNeed need;
  if (size.octaves == 0) return need;
  const std::uint64_t pixels = pixels_of(size.largest.width, size.largest.height);
  const bool whole = files.full || files.floats;
  if (files.packed && whole) need.least.host += 4 * pixels * sizeof(float);
  need.usual = need.least;
  // An image in full size is there as pixels and as a file, a drawing on the image with three channels.
  if (files.full) need.usual.host += std::max<std::uint64_t>(2 * pixels, 6 * pixels_of(image.width, image.height));
  const std::uint64_t pixels_of_file = files.packed && whole ? 4 * pixels : pixels;
  if (files.floats) {
    need.usual.host += pixels_of_file * sizeof(float);
  } else if (files.packed && whole) {
    need.usual.host += pixels_of_file * 2;
  }
  // The page holds an image of at most 512 × 512 pixels for each plane.
  constexpr std::uint64_t thumbnail = std::uint64_t{512} << 10;
  need.usual.host += size.planes * thumbnail;
  // [byte] in inspect.json; its text is copied twice.
  constexpr std::uint64_t text_of_candidate = 196, text_of_keypoint = 150, copies = 3;
  need.usual.host += copies * (size.candidates * text_of_candidate + size.keypoints * text_of_keypoint);
  return need;
}

}  // namespace octavo::inspection
