#include "video/frames/video_writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/video/video.h"
#include "video/frames/encode_request.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

VideoWriterOptions of_size(int width, int height) {
  VideoWriterOptions options{.size = {width, height}};
  options.encoder = OCTAVO_ENCODE;
  return options;
}

// An image of one grey level.
Image grey_image(int width, int height, int level) {
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) {
    std::fill_n(image.row(y), width, static_cast<std::byte>(level));
  }
  return image;
}

std::vector<VideoFrame> frames_of(const fs::path& file) {
  VideoOptions options{.every = 1, .size = 0};
  options.decoder = OCTAVO_DECODE;
  Video video(file, options);
  std::vector<VideoFrame> frames;
  while (std::optional<VideoFrame> frame = video.next()) frames.push_back(std::move(*frame));
  return frames;
}

std::string error_of(const auto& job) {
  try {
    job();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(VideoWriter, WritesWhatIsReadAgain) {
  const TestFolder folder;
  const std::vector<std::int64_t> times{1000, 1040, 1080, 1200, 1201, 1300};  // of a variable rate
  for (const char* const name : {"a.mp4", "b.MKV", "c.mov", "d.m4v"}) {
    for (const VideoCodec codec : {VideoCodec::automatic, VideoCodec::mpeg4}) {
      VideoWriterOptions options = of_size(64, 48);
      options.time_base = {1, 1000};
      options.codec = codec;
      VideoWriter writer(folder / name, options);
      EXPECT_TRUE(writer.codec() == "mpeg4" || (codec == VideoCodec::automatic && writer.codec() == "h264"));
      for (std::size_t i = 0; i < times.size(); ++i) {
        writer.write(grey_image(64, 48, 40 * static_cast<int>(i)).view(), times[i]);
      }
      writer.finish();
      const std::vector<VideoFrame> frames = frames_of(folder / name);
      ASSERT_EQ(frames.size(), times.size()) << name;
      for (std::size_t i = 0; i < times.size(); ++i) {
        EXPECT_NEAR(frames[i].seconds, static_cast<double>(times[i] - 1000) / 1000, 1e-9) << name << i;
        EXPECT_EQ(frames[i].grey.width(), 64);
        EXPECT_EQ(frames[i].grey.height(), 48);
        EXPECT_NEAR(static_cast<int>(frames[i].grey.row(20)[30]), 40.0 * static_cast<double>(i), 4) << name << i;
      }
    }
  }
}

TEST(VideoWriter, KeepsTicksThatMpeg4CannotCount) {
  const TestFolder folder;
  VideoWriterOptions options = of_size(32, 32);
  options.time_base = {1, 90000};
  options.codec = VideoCodec::mpeg4;
  VideoWriter writer(folder / "a.mp4", options);
  const std::vector<std::int64_t> times{0, 3003, 3004, 9001};
  for (const std::int64_t time : times) writer.write(grey_image(32, 32, 90).view(), time);
  writer.finish();
  const std::vector<VideoFrame> frames = frames_of(folder / "a.mp4");
  ASSERT_EQ(frames.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(frames[i].ticks, times[i]);
}

TEST(VideoWriter, MakesSidesEvenAndTimesAscend) {
  const TestFolder folder;
  VideoWriter writer(folder / "odd.mp4", of_size(33, 17));
  for (const std::int64_t time : {5, 5, 3, 9}) writer.write(grey_image(33, 17, 90).view(), time);
  writer.finish();
  const std::vector<VideoFrame> frames = frames_of(folder / "odd.mp4");
  ASSERT_EQ(frames.size(), 4u);
  EXPECT_EQ(frames[0].grey.width(), 34);
  EXPECT_EQ(frames[0].grey.height(), 18);
  for (const auto& [i, seconds] : {std::pair{0, 0.0}, std::pair{1, 0.04}, std::pair{2, 0.08}, std::pair{3, 0.16}}) {
    EXPECT_NEAR(frames[static_cast<std::size_t>(i)].seconds, seconds, 1e-9);
  }
}

TEST(VideoWriter, KeepsTheFileThatIsThereUntilTheEnd) {
  const TestFolder folder;
  std::ofstream(folder / "a.mp4") << "before";
  {
    VideoWriter writer(folder / "a.mp4", of_size(32, 32));
    writer.write(grey_image(32, 32, 90).view(), 0);
  }
  std::string content;
  std::ifstream(folder / "a.mp4") >> content;
  EXPECT_EQ(content, "before");
  EXPECT_EQ(folder.entries(), 1u) << "no .a.mp4.part stays";
}

TEST(VideoWriter, RefusesWhatItCannotWrite) {
  const TestFolder folder;
  const auto error = [&](const fs::path& file, const VideoWriterOptions& options) {
    return error_of([&] { VideoWriter(file, options); });
  };
  EXPECT_NE(error(folder / "a.txt", of_size(32, 32)).find("must end in one of .mp4"), std::string::npos);
  EXPECT_NE(error(folder / "none/a.mp4", of_size(32, 32)).find("there is no folder"), std::string::npos);
  EXPECT_NE(error(folder / "a.mp4", of_size(0, 32)).find("width"), std::string::npos);
  EXPECT_NE(error(folder / "a.mp4", of_size(32, 20000)).find("height"), std::string::npos);
  VideoWriterOptions other = of_size(32, 32);
  other.encoder = "/no/encoder";
  EXPECT_NE(error(folder / "a.mp4", other).find("the encoder '/no/encoder' is not a program"), std::string::npos);
  other.encoder = "/bin/true";
  EXPECT_NE(error(folder / "a.mp4", other).find("the encoder ended too early"), std::string::npos);
  VideoWriter writer(folder / "a.mp4", of_size(32, 32));
  EXPECT_NE(error_of([&] { writer.write(grey_image(32, 30, 9).view(), 0); }).find("32x30"), std::string::npos);
  EXPECT_NE(error_of([&] { writer.finish(); }).find("there is no image"), std::string::npos);
}

TEST(VideoWriter, TellsThatAFileCannotGrow) {
  const TestFolder folder;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{20'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] {
    VideoWriter writer(folder / "a.mp4", of_size(320, 240));
    Image noise(320, 240, 1, PixelType::u8);
    unsigned state = 1;
    for (int i = 0; i < 200; ++i) {
      for (int y = 0; y < 240; ++y) {
        for (int x = 0; x < 320; ++x) {
          noise.row(y)[x] = static_cast<std::byte>((state = state * 1664525 + 1013904223) >> 24);
        }
      }
      writer.write(noise.view(), i);
    }
    writer.finish();
  });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(error.find("a.mp4': "), std::string::npos) << error;
  EXPECT_NE(error.find("File too large"), std::string::npos) << error;
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(EncodeRequest, IsReadAgain) {
  const video::EncodeRequest request{"mp4", true, {640, 480}, {1, 12800}, {30000, 1001}, {"libx264", "mpeg4"}};
  EXPECT_EQ(video::encode_request_in(video::words_of(request)), request);
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{}, {"octavo-encode-0", "{}"}, {"octavo-encode-2", "{}"}, {"octavo-encode-2", "no"}}) {
    EXPECT_THROW(video::encode_request_in(wrong), Error);
  }
}

}  // namespace
}  // namespace octavo
