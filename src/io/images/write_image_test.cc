#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "io/images/test_images.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"

namespace octavo {
namespace {

using namespace io::test;
namespace fs = std::filesystem;

std::string complaint(const fs::path& file, const ImageView& image) {
  try {
    write_image(file, image);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << file << " was written";
  return {};
}

void expect_same_pixels(const Image& a, const Image& b) {
  ASSERT_EQ(a.width(), b.width());
  ASSERT_EQ(a.height(), b.height());
  ASSERT_EQ(a.channels(), b.channels());
  ASSERT_EQ(a.type(), b.type());
  for (int y = 0; y < a.height(); ++y)
    EXPECT_TRUE(std::equal(a.row(y), a.row(y) + a.stride(), b.row(y))) << "row " << y;
}

using WriteImage = FolderTest;

TEST_F(WriteImage, LosslessFormatsGiveBackWhatTheyGot) {
  struct Case {
    const char *name, *ending;
  };
  for (const auto& [name, ending] :
       {Case{"grey8.png", ".png"}, Case{"grey16.png", ".png"}, Case{"rgb8.png", ".png"}, Case{"rgb16.png", ".png"},
        Case{"rgba8.png", ".png"}, Case{"rgba16.png", ".png"}, Case{"grey8.png", ".tif"}, Case{"grey16.png", ".tiff"},
        Case{"rgb8.png", ".tif"}, Case{"rgb16.png", ".TIF"}, Case{"rgba8.png", ".tif"}, Case{"float.tif", ".tif"},
        Case{"float_rgb.tif", ".tif"}, Case{"rgb8.png", ".webp"}, Case{"grey8.png", ".pgm"}, Case{"grey16.png", ".pgm"},
        Case{"rgb8.png", ".ppm"}, Case{"rgb16.png", ".ppm"}}) {
    SCOPED_TRACE(std::string(name) + " as " + ending);
    const Image image = read_image(testdata(name));
    const fs::path file = folder_ / (std::string("image") + ending);
    write_image(file, image.view());
    expect_same_pixels(image, read_image(file));
  }
}

TEST_F(WriteImage, JpegIsClose) {
  const Image image = read_image(testdata("grey8.png"));
  write_image(folder_ / "a.jpg", image.view());
  const Image back = read_image(folder_ / "a.jpg");
  ASSERT_EQ(back.channels(), 1);
  for (int x = 0; x < width; ++x) EXPECT_NEAR(sample(back, x, 4, 0), red(x), 6);
}

TEST_F(WriteImage, DeeperSamplesAreRounded) {
  const Image wide = read_image(testdata("rgb16.png"));
  write_image(folder_ / "a.webp", wide.view());
  expect_same_pixels(read_image(testdata("rgb8.png")), read_image(folder_ / "a.webp"));
  const Image real = read_image(testdata("float.tif"));
  write_image(folder_ / "a.png", real.view());
  expect_same_pixels(read_image(testdata("grey16.png")), read_image(folder_ / "a.png"));
}

TEST_F(WriteImage, AlphaStaysWhereTheFormatHasIt) {
  const Image grey_alpha = read_image(testdata("grey_alpha8.png"));
  write_image(folder_ / "a.png", grey_alpha.view());
  const Image back = read_image(folder_ / "a.png");
  ASSERT_EQ(back.channels(), 4);
  EXPECT_EQ(sample(back, 3, 2, 1), red(3));
  EXPECT_EQ(sample(back, 3, 2, 3), alpha(2));
  write_image(folder_ / "a.pgm", grey_alpha.view());
  expect_same_pixels(read_image(testdata("grey8.png")), read_image(folder_ / "a.pgm"));
  write_image(folder_ / "a.ppm", read_image(testdata("rgba8.png")).view());
  expect_same_pixels(read_image(testdata("rgb8.png")), read_image(folder_ / "a.ppm"));
}

TEST_F(WriteImage, RowsNeedNotBePackedAlignedOrAscending) {
  const Image image = read_image(testdata("rgb16.png"));
  const std::ptrdiff_t stride = image.stride() + 3;
  std::vector<std::byte> padded(static_cast<std::size_t>(stride) * height + 1);
  ImageView view = image.view();
  for (int y = 0; y < height; ++y) {
    std::copy(image.row(y), image.row(y) + image.stride(), padded.data() + 1 + (height - 1 - y) * stride);
  }
  view.data = padded.data() + 1 + (height - 1) * stride;
  view.stride = -stride;
  write_image(folder_ / "a.png", view);
  expect_same_pixels(image, read_image(folder_ / "a.png"));
}

TEST_F(WriteImage, RefusalsNameTheFileAndLeaveNothingBehind) {
  const Image image = read_image(testdata("rgb8.png"));
  const auto expect_complaint = [&](const fs::path& file, const char* part) {
    const std::string sentence = complaint(file, image.view());
    EXPECT_NE(sentence.find(file.string()), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  expect_complaint(folder_ / "a.xyz", "'.xyz' is none of");
  expect_complaint(folder_ / "a", "'' is none of");
  expect_complaint(folder_ / "a.pgm", "this one has colours");
  expect_complaint(folder_ / "none" / "a.png", "there is no folder '");
  fs::create_directory(folder_ / "folder.png");
  expect_complaint(folder_ / "folder.png", "it is a folder");
  fs::remove(folder_ / "folder.png");
  EXPECT_TRUE(fs::is_empty(folder_.path));
}

TEST_F(WriteImage, ImagesBeyondTheSidesOfAFormatAreRefused) {
  const Image wide(65501, 1, 1, PixelType::u8), high(1, 16384, 3, PixelType::u8);
  EXPECT_NE(complaint(folder_ / "a.jpg", wide.view()).find("a.jpg': a JPEG file holds at most 65500 pixels a side"),
            std::string::npos);
  EXPECT_NE(complaint(folder_ / "a.webp", high.view()).find("16383 pixels a side, the image is 1 × 16384"),
            std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder_.path));
}

TEST_F(WriteImage, NamesAreRefusedBeforeTheWork) {
  const auto refusal = [&](const char* name, bool in_colour) -> std::string {
    try {
      require_writable_images(std::array{folder_ / name}, in_colour);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  for (const char* name : {"a.png", "a.JPG", "a.webp", "a.ppm", "a.pgm"}) EXPECT_EQ(refusal(name, false), "") << name;
  EXPECT_NE(refusal("a.xyz", false).find("must end in one of .png, .jpg, .jpeg, .tif, .tiff, .webp, .pgm, .ppm"),
            std::string::npos);
  EXPECT_NE(refusal("a.pgm", true).find("must end in one of .png, .jpg, .jpeg, .tif, .tiff, .webp, .ppm"),
            std::string::npos);
  EXPECT_NE(refusal("none/a.png", true).find("there is no folder '"), std::string::npos);
}

TEST_F(WriteImage, ImagesWithoutPixelsAreRefused) {
  EXPECT_NE(complaint(folder_ / "a.png", ImageView{}).find("0 × 0 pixels"), std::string::npos);
  Image image(2, 2, 3, PixelType::u8);
  ImageView view = image.view();
  view.channels = 5;
  EXPECT_NE(complaint(folder_ / "a.png", view).find("5 channels"), std::string::npos);
  view.channels = 3;
  view.stride = 5;
  EXPECT_NE(complaint(folder_ / "a.png", view).find("5 bytes apart"), std::string::npos);
}

TEST_F(WriteImage, AFileIsReplacedWholeAndALinkIsFollowed) {
  const Image image = read_image(testdata("rgb8.png"));
  write_bytes(folder_ / "old.png", "something old");
  fs::create_symlink("old.png", folder_ / "link.png");
  write_image(folder_ / "link.png", image.view());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.png"));
  expect_same_pixels(image, read_image(folder_ / "old.png"));
  EXPECT_EQ(folder_.entries(), 2u);
}

TEST_F(WriteImage, ADeviceIsWrittenAndStays) {
  fs::create_symlink("/dev/null", folder_ / "null.png");
  write_image(folder_ / "null.png", read_image(testdata("rgb8.png")).view());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace octavo
