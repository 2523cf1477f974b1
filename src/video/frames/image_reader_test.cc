#include "video/frames/image_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "video/frames/frames_at.h"
#include "video/frames/video_parts.h"

namespace octavo {
namespace {

template <class Sample>
Image filled(int width, int height, const std::vector<Sample>& pixel, PixelType type) {
  Image image(width, height, static_cast<int>(pixel.size()), type);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      std::memcpy(image.row(y) + static_cast<std::size_t>(x) * pixel.size() * sizeof(Sample), pixel.data(),
                  pixel.size() * sizeof(Sample));
    }
  }
  return image;
}

int grey_at(const VideoFrame& frame, int x, int y) { return std::to_integer<int>(frame.grey.row(y)[x]); }

class ImageReaderTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const Image& image) {
    write_image(folder / name, image.view());
    return folder / name;
  }

  const TestFolder folder;
};

TEST_F(ImageReaderTest, GivesOneFrameWithoutATime) {
  const auto file = write("a.png", filled<std::uint8_t>(1280, 720, {200, 100, 50}, PixelType::u8));
  Video video(file, {.colour = true});
  EXPECT_TRUE(is_image(video.facts()));
  EXPECT_EQ(video.facts().container, "image");
  EXPECT_EQ(video.facts().codec, "png");
  EXPECT_EQ(video.facts().width, 1280);
  EXPECT_EQ(video.facts().frame_rate.numerator, 0);
  const std::optional<VideoFrame> frame = video.next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->grey.width(), 640);
  EXPECT_EQ(frame->grey.height(), 360);
  EXPECT_EQ(grey_at(*frame, 5, 7), 118) << "0.2126 R + 0.7152 G + 0.0722 B";
  EXPECT_EQ(std::to_integer<int>(frame->colour.row(7)[3 * 5 + 2]), 50);
  EXPECT_EQ(frame->seconds, 0);
  EXPECT_FALSE(video.next());
  EXPECT_EQ(video.decoded(), 1);
  EXPECT_EQ(video.seconds_done(), 0);
}

TEST_F(ImageReaderTest, TakesAllDepths) {
  const auto of_16 = write("a.png", filled<std::uint16_t>(64, 32, {32768}, PixelType::u16));
  EXPECT_EQ(grey_at(*Video(of_16, {.range = InputRange::full}).next(), 0, 0), 128);
  const auto of_32 = write("a.tif", filled<float>(64, 32, {0.2F}, PixelType::f32));
  EXPECT_EQ(grey_at(*Video(of_32, {.range = InputRange::full}).next(), 0, 0), 51);
  EXPECT_EQ(grey_at(*Video(of_32, {.black = 0.1, .white = 0.3}).next(), 0, 0), 128);
}

TEST_F(ImageReaderTest, IsBlackWhereAlphaHides) {
  Image image = filled<std::uint8_t>(64, 32, {90, 90, 90, 255}, PixelType::u8);
  for (int x = 0; x < 10; ++x) image.row(3)[4 * x + 3] = std::byte{100};
  Video video(write("a.png", image));
  const std::optional<VideoFrame> frame = video.next();
  EXPECT_EQ(grey_at(*frame, 9, 3), 0);
  EXPECT_EQ(grey_at(*frame, 10, 3), 90);
}

TEST_F(ImageReaderTest, ShowsTheImageAtEachTime) {
  const auto file = write("a.png", filled<std::uint8_t>(64, 32, {90}, PixelType::u8));
  std::vector<double> given;
  const auto take = [&](const VideoFrame&, double seconds) { given.push_back(seconds); };
  read_frames_at(file, {{0, take}, {7, take}}, {});
  EXPECT_EQ(given, (std::vector<double>{0, 0}));
  video::VideoParts parts(file, {}, {{1, 2}});
  EXPECT_TRUE(parts.is_image());
  EXPECT_TRUE(parts.next());
  EXPECT_FALSE(parts.next());
}

TEST_F(ImageReaderTest, RefusesWhatReadImageRefuses) {
  const auto file = write("a.png", filled<std::uint8_t>(64, 32, {90}, PixelType::u8));
  EXPECT_THROW(Video(file, {.max_pixels = 100}), Error);
  EXPECT_THROW(Video(file, {.size = -1}), Error);
  const std::string cut = folder.write("cut.png", "\x89PNG\r\n\x1A\n and no more").string();
  try {
    const Video video(cut);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    EXPECT_NE(std::string(error.what()).find("cannot read '" + cut + "': "), std::string::npos);
  }
}

TEST(ImageFormat, FollowsFromTheFirstBytes) {
  const auto format = [](const std::string& text) {
    return image_format(std::as_bytes(std::span(text.data(), text.size())));
  };
  EXPECT_EQ(format("\xFF\xD8\xFF\xE0 …"), "jpeg");
  EXPECT_EQ(format("GIF89a…"), "gif");
  EXPECT_EQ(format(std::string("\0\0\0\x18", 4) + "ftypheic"), "heif");
  EXPECT_EQ(format(std::string("\0\0\0\x18", 4) + "ftypisom"), "") << "MP4";
  EXPECT_EQ(format("RIFF1234AVI "), "");
  EXPECT_EQ(format(""), "");
}

}  // namespace
}  // namespace octavo
