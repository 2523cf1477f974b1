// Masks of files: which one an image has, what is told where it has none, and that the image then carries it as alpha.

#include "io/images/masks.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "io/images/mask.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// An image of `channels` full samples.
Image full_image(int width, int channels, PixelType type = PixelType::u8) {
  Image image(width, 2, channels, type);
  for (int y = 0; y < 2; ++y) std::memset(image.row(y), 255, static_cast<std::size_t>(image.stride()));
  return image;
}

// A mask that hides the first `hidden` columns.
Image mask_image(int width, int hidden) {
  Image mask = full_image(width, 1);
  for (int y = 0; y < 2; ++y) std::memset(mask.row(y), 0, static_cast<std::size_t>(hidden));
  return mask;
}

// How many columns of the image are hidden at the left.
int hidden_columns(const Image& image) {
  const auto mask = mask_of_alpha(image.view());
  if (!mask) return 0;
  int hidden = 0;
  while (hidden < image.width() && mask->row(1)[hidden] == std::byte{0}) ++hidden;
  return hidden;
}

class MasksTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_ / "m" / "a"); }

  fs::path write(const fs::path& name, const Image& image) {
    write_image(folder_ / name, image.view());
    return folder_ / name;
  }
  int hidden(const Masks& masks, const fs::path& name, int channels = 3) {
    return hidden_columns(
        masks.hidden(name, name.string(),
                     [&](const Image*) {
                       return Photograph{full_image(8, channels), {}};
                     })
            .image);
  }

  TestFolder folder_;
};

TEST_F(MasksTest, OfAFolderHaveTheNamesOfColmap) {
  write("m/a/b.jpg.png", mask_image(8, 3));
  write("m/c.png", mask_image(8, 5));
  write("m/d.jpg", mask_image(8, 7));
  const Masks masks(folder_ / "m", {});
  EXPECT_EQ(hidden(masks, "a/b.jpg"), 3);
  EXPECT_EQ(hidden(masks, "c.png"), 5);
  EXPECT_EQ(hidden(masks, "d.jpg"), 0);
  EXPECT_NE(masks.digest("c.png"), masks.digest("a/b.jpg"));
  EXPECT_EQ(masks.digest("d.jpg"), "");
}

TEST_F(MasksTest, OfAFileAreThoseOfAllImages) {
  const Masks masks(write("m.png", mask_image(8, 3)), {});
  EXPECT_EQ(hidden(masks, "a.jpg"), 3);
  EXPECT_EQ(hidden(masks, "b.jpg", 1), 3);
  EXPECT_EQ(masks.digest("a.jpg"), masks.digest("b.jpg"));
}

TEST_F(MasksTest, ImagesWithoutOneAreTold) {
  write("m/b.jpg.png", mask_image(8, 3));
  const Masks masks(folder_ / "m", {});
  std::vector<std::string> warnings;
  const JobContext context{.warn = [&](const std::string& sentence) { warnings.push_back(sentence); }};
  masks.check(std::array<fs::path, 1>{"b.jpg"}, context);
  EXPECT_TRUE(warnings.empty());
  masks.check(std::array<fs::path, 3>{"b.jpg", "c.jpg", "d.jpg"}, context);
  ASSERT_EQ(warnings.size(), 1);
  EXPECT_NE(warnings[0].find("2 of 3"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("c.jpg.png"), std::string::npos) << warnings[0];
  EXPECT_THROW(masks.check(std::array<fs::path, 1>{"c.jpg"}, context), Error);
}

TEST_F(MasksTest, OfAnotherSizeAreRefused) {
  const Masks masks(write("m.png", mask_image(7, 3)), {});
  try {
    hidden(masks, "a.jpg");
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("7x2 pixels, but a.jpg is 8x2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(Masks(folder_ / "none", {}), Error);
}

TEST_F(MasksTest, AlphaStaysWhereTheMaskShows) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (const int colours : {1, 3}) {
      const Image opaque = hidden_by(full_image(8, colours, type).view(), mask_image(8, 2).view());
      EXPECT_EQ(opaque.channels(), colours + 1);
      EXPECT_EQ(hidden_columns(opaque), 2);
      const Image twice = hidden_by(opaque.view(), mask_image(8, 1).view());
      EXPECT_EQ(twice.channels(), colours + 1);
      EXPECT_EQ(hidden_columns(twice), 2);
    }
  }
  const Image none = hidden_by(full_image(8, 3).view(), mask_image(8, 8).view());
  EXPECT_EQ(why_none_shown(none.view(), false), "its alpha channel hides all of it");
  EXPECT_EQ(why_none_shown(none.view(), true), "the mask, or an alpha channel, hides all of it");
  const Image some = hidden_by(full_image(8, 3).view(), mask_image(8, 1).view());
  EXPECT_EQ(why_none_shown(some.view(), true), why_no_keypoints(some.view()));
  EXPECT_EQ(mask_of_alpha(full_image(8, 4).view()), nullptr);
  EXPECT_EQ(mask_of_alpha(full_image(8, 3).view()), nullptr);
}

}  // namespace
}  // namespace octavo
