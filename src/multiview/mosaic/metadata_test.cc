// What the metadata of a mosaic are, for plans that are made up.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "io/exif/exif.h"
#include "octavo/error.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {
namespace {

using namespace std::string_literals;

MosaicPlan plan_of(const std::vector<MosaicImageStatus>& statuses) {
  MosaicPlan plan;
  plan.found = true;
  plan.reference = 1;
  for (const MosaicImageStatus status : statuses) plan.images.emplace_back().status = status;
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

// A block with the camera's model, which is shorter than 4 letters.
std::vector<std::byte> exif_of(std::string_view model) {
  std::string block = "II*\0\x08\0\0\0\x01\0\x10\x01\x02\0\x04\0\0\0"s + std::string(model);
  block.resize(26);
  const auto bytes = std::as_bytes(std::span(block));
  return {bytes.begin(), bytes.end()};
}

TEST(MosaicMetadata, ExifDataAreThoseThatNoPlacedImageContradicts) {
  MosaicPlan plan = plan_of({placed, placed, MosaicImageStatus::no_overlap});
  plan.width = 5000, plan.height = 1200;
  const ImageMetadata one{.exif = exif_of("One")}, two{.exif = exif_of("Two")};
  const auto facts = [&](std::vector<ImageMetadata> images) {
    return io::exif_facts(mosaic_metadata(plan, images).exif);
  };
  EXPECT_EQ(facts({one, one, two}).model, "One");
  EXPECT_EQ(facts({one, one, two}).width, 5000);
  EXPECT_EQ(facts({one, {}, two}).model, "One");
  EXPECT_EQ(facts({one, two, two}).model, "");
  EXPECT_TRUE(mosaic_metadata(plan, std::vector<ImageMetadata>{{}, {}, two}).exif.empty());
}

}  // namespace
}  // namespace octavo
