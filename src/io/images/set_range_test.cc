#include "io/images/set_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class RangeOfSet : public io::test::FolderTest {
 protected:
  // A ramp from `low` to `high`.
  fs::path add(const std::string& name, PixelType type, double low, double high) {
    Image image(40, 30, 1, type);
    for (int y = 0; y < 30; ++y) {
      for (int x = 0; x < 40; ++x) {
        const double value = low + (high - low) * x / 39;
        if (type == PixelType::u8) image.row(y)[x] = static_cast<std::byte>(value);
        if (type == PixelType::u16)
          reinterpret_cast<std::uint16_t*>(image.row(y))[x] = static_cast<std::uint16_t>(value);
        if (type == PixelType::f32) reinterpret_cast<float*>(image.row(y))[x] = static_cast<float>(value);
      }
    }
    write_image(folder_ / name, image.view());
    files_.push_back(folder_ / name);
    return files_.back();
  }

  std::vector<fs::path> files_;
};

TEST_F(RangeOfSet, HoldsWhatTheImagesUse) {
  add("a.png", PixelType::u16, 7000, 7400);
  add("b.png", PixelType::u16, 7300, 8000);
  add("c.png", PixelType::u8, 0, 255);
  io::test::write_bytes(folder_ / "d.png", "no image");
  files_.push_back(folder_ / "d.png");
  files_.push_back(folder_ / "none.png");
  EXPECT_EQ(range_of_set(files_), (ValueRange{7000, 8000}));
  std::ranges::reverse(files_);
  EXPECT_EQ(range_of_set(files_), (ValueRange{7000, 8000}));
  EXPECT_EQ(range_of_set({folder_ / "c.png", folder_ / "d.png"}), std::nullopt);
  EXPECT_EQ(range_of_set({}), std::nullopt);
}

TEST_F(RangeOfSet, IsThatOfSixteenImages) {
  for (int i = 10; i < 74; ++i)
    add(std::to_string(i) + ".png", PixelType::u16, 0, i == 11 ? 60000 : i == 14 ? 2000 : 900);
  EXPECT_EQ(range_of_set(files_), (ValueRange{0, 2047}));  // every fourth one
}

TEST_F(RangeOfSet, IsOfOneType) {
  add("a.tif", PixelType::f32, 273, 300);
  EXPECT_EQ(range_of_set(files_), (ValueRange{273, 300}));
  add("b.png", PixelType::u16, 0, 900);
  try {
    range_of_set(files_);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    EXPECT_NE(std::string(error.what()).find("a.tif' and '"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace octavo
