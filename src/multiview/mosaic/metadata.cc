// What a mosaic's file says beside the pixels, from what the files of its images say.

#include <algorithm>
#include <span>
#include <vector>

#include "io/exif/joined_exif.h"
#include "io/images/colour_profile.h"
#include "multiview/mosaic/photo_sphere.h"
#include "octavo/error.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {
namespace {

// The profile of all images: empty if they have several, as the numbers of the mosaic then have no common meaning.
std::vector<std::byte> common_profile(std::span<const ImageMetadata* const> placed) {
  const std::vector<std::byte>& first = placed.front()->icc;
  const bool is_common = std::ranges::all_of(placed, [&](const ImageMetadata* one) { return one->icc == first; });
  const bool is_rgb = io::colours_of_profile(first) == io::ProfileColours::rgb;  // as the mosaic is
  return is_common && is_rgb ? first : std::vector<std::byte>();
}

std::vector<std::byte> exif_of(const MosaicPlan& plan, std::span<const ImageMetadata> images,
                               std::span<const ImageMetadata* const> placed) {
  const ImageMetadata* const reference = &images[static_cast<std::size_t>(plan.reference)];
  std::vector<std::vector<std::byte>> blocks{reference->exif};
  for (const ImageMetadata* one : placed) {
    if (one != reference) blocks.push_back(one->exif);
  }
  std::erase_if(blocks, [](const auto& block) { return block.empty(); });
  return io::joined_exif(blocks, ImageSize{static_cast<int>(plan.width), static_cast<int>(plan.height)});
}

}  // namespace

ImageMetadata mosaic_metadata(const MosaicPlan& plan, std::span<const ImageMetadata> images) {
  if (!plan.found || images.size() != plan.images.size()) {
    throw Error(ErrorCode::invalid_argument, "the metadata are not those of the images of a mosaic");
  }
  std::vector<const ImageMetadata*> placed;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (plan.images[i].status == MosaicImageStatus::placed) placed.push_back(&images[i]);
  }
  return {.icc = common_profile(placed), .exif = exif_of(plan, images, placed), .xmp = mosaic::photo_sphere_xmp(plan)};
}

}  // namespace octavo
