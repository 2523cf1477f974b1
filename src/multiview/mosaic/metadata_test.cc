// What the metadata of a mosaic are, for plans that are made up.

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "octavo/error.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {
namespace {

MosaicPlan plan_of(const std::vector<MosaicImageStatus>& statuses) {
  MosaicPlan plan;
  plan.found = true;
  plan.reference = 1;
  for (const MosaicImageStatus status : statuses) plan.images.push_back({.status = status});
  return plan;
}

// The header of a profile.
std::vector<std::byte> profile(std::string_view colours, char maker) {
  std::vector<std::byte> bytes(132);
  const auto put = [&](std::size_t at, std::string_view text) {
    std::ranges::transform(text, bytes.begin() + static_cast<std::ptrdiff_t>(at), [](char c) { return std::byte(c); });
  };
  bytes[3] = std::byte{132};
  put(16, colours), put(36, "acsp"), put(48, {&maker, 1});
  return bytes;
}

constexpr auto placed = MosaicImageStatus::placed;

TEST(MosaicMetadata, ProfileIsThatOfAllPlacedImages) {
  const MosaicPlan plan = plan_of({placed, placed, MosaicImageStatus::no_overlap});
  const ImageMetadata wide{.icc = profile("RGB ", 'a')}, other{.icc = profile("RGB ", 'b')},
      grey{.icc = profile("GRAY", 'a')};
  const auto made = [&](std::vector<ImageMetadata> images) { return mosaic_metadata(plan, images); };
  EXPECT_EQ(made({wide, wide, other}), wide);
  EXPECT_EQ(made({wide, other, wide}), ImageMetadata());
  EXPECT_EQ(made({wide, {}, wide}), ImageMetadata());
  EXPECT_EQ(made({grey, grey, grey}), ImageMetadata());  // the mosaic is RGB
  EXPECT_THROW(made({wide, wide}), Error);
}

}  // namespace
}  // namespace octavo
