#include "octavo/video/video.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/core/test_folder.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// A file of this content, which is removed at the end.
class File {
 public:
  explicit File(const std::string& content) : path_(folder_.write("clip", content)) {}
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  const TestFolder folder_;
  const fs::path path_;
};

VideoOptions with_decoder(const std::string& decoder) {
  VideoOptions options{.every = 1, .size = 0, .stored_luma = true};
  options.decoder = decoder;
  return options;
}

// YUV4MPEG2, a format of text and planes. Frame i is grey of the level 20 + i.
std::string y4m(int width, int height, int frames, const std::string& more = "") {
  std::string text =
      "YUV4MPEG2 W" + std::to_string(width) + " H" + std::to_string(height) + " F25:1 Ip C420jpeg" + more + "\n";
  const auto chroma = static_cast<std::size_t>(2 * ((width + 1) / 2) * ((height + 1) / 2));
  for (int i = 0; i < frames; ++i) {
    text += "FRAME\n" + std::string(static_cast<std::size_t>(width * height), static_cast<char>(20 + i)) +
            std::string(chroma, static_cast<char>(128));
  }
  return text;
}

// The error of reading a file to its end.
std::string error_of(const fs::path& file, const VideoOptions& options) {
  try {
    Video video(file, options);
    while (video.next()) continue;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_error);
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Video, GivesFramesAndTimes) {
  const File file(y4m(34, 18, 7));
  Video video(file.path(), with_decoder(OCTAVO_DECODE));
  EXPECT_EQ(video.facts().codec, "rawvideo");
  EXPECT_EQ(video.facts().width, 34);
  EXPECT_EQ(video.facts().time_base, (Ratio{1, 25}));
  for (int i = 0; i < 7; ++i) {
    const std::optional<VideoFrame> frame = video.next();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->index, i);
    EXPECT_EQ(frame->ticks, i);
    EXPECT_EQ(frame->seconds, i / 25.0);
    EXPECT_EQ(frame->grey.width(), 34);
    EXPECT_EQ(frame->grey.height(), 18);
    EXPECT_EQ(frame->grey.row(17)[33], static_cast<std::byte>(20 + i));
    EXPECT_TRUE(frame->colour.empty());
  }
  EXPECT_FALSE(video.next());
  EXPECT_FALSE(video.next());
  EXPECT_EQ(video.decoded(), 7);
  EXPECT_TRUE(video.warnings().empty());
}

TEST(Video, ReadsAnOpenFile) {
  const File file(y4m(16, 16, 2));
  std::FILE* const open = std::fopen(file.path().c_str(), "rb");
  Video video(fileno(open), "standard input", with_decoder(OCTAVO_DECODE));
  EXPECT_TRUE(video.next());
  std::fclose(open);
  EXPECT_TRUE(video.next());
  EXPECT_FALSE(video.next());
}

TEST(Video, AppliesOptions) {
  const File file(y4m(64, 32, 30, " XCOLORRANGE=FULL"));
  VideoOptions options = with_decoder(OCTAVO_DECODE);
  options.every = 0;
  options.fps = 5;
  options.size = 16;
  options.colour = true;
  Video video(file.path(), options);
  int taken = 0;
  while (const std::optional<VideoFrame> frame = video.next()) {
    EXPECT_EQ(frame->index, 5 * taken++);
    EXPECT_EQ(frame->grey.width(), 16);
    EXPECT_EQ(frame->grey.height(), 8);
    EXPECT_EQ(frame->colour.channels(), 3);
    EXPECT_EQ(frame->colour.row(0)[0], frame->grey.row(0)[0]);  // grey, of full range
  }
  EXPECT_EQ(taken, 6);
  options.fps = 0;
  EXPECT_THROW(Video(file.path(), options), Error);
}

TEST(Video, CanBeLeftAtAnyTime) {
  const File file(y4m(640, 480, 40));
  for (int frames = 0; frames < 3; ++frames) {
    Video video(file.path(), with_decoder(OCTAVO_DECODE));
    for (int i = 0; i < frames; ++i) EXPECT_TRUE(video.next());
    const Video moved = std::move(video);
  }
}

TEST(Video, NamesFilesThatCannotBeRead) {
  const VideoOptions options = with_decoder(OCTAVO_DECODE);
  EXPECT_NE(error_of("/no/clip.mp4", options).find("no such file"), std::string::npos);
  EXPECT_NE(error_of(TestFolder().path, options).find("directory"), std::string::npos);
  const File empty(""), text("Once upon a time there was no video.\n"), huge(y4m(64, 64, 1));
  EXPECT_NE(error_of(empty.path(), options).find("it is empty"), std::string::npos);
  EXPECT_NE(error_of(text.path(), options).find("no known video format"), std::string::npos);
  VideoOptions small = options;
  small.max_pixels = 1000;
  EXPECT_NE(error_of(huge.path(), small).find("64x64"), std::string::npos) << error_of(huge.path(), small);
}

TEST(Video, ReportsABrokenDecoder) {
  struct Case {
    const char *how, *sentence, *place;
  };
  for (const Case& one :
       {Case{"h", "made no progress for 0.3 s", ""},
        Case{"f", "made no progress for 0.3 s", "after frame 41 at 1.640 s"},
        Case{"c", "the decoder crashed: Segmentation fault", "after frame 41 at 1.640 s"},
        Case{"e", "ended too early", "after frame 41 at 1.640 s"}, Case{"n", "went mad", "after frame 41 at 1.640 s"},
        Case{"b", "went mad", ""}, Case{"l", "a frame is too large", ""}}) {
    const File file(one.how);
    VideoOptions options = with_decoder(OCTAVO_BROKEN_DECODER);
    options.patience = 0.3;
    options.max_pixels = 1'000'000;
    const auto begin = std::chrono::steady_clock::now();
    const std::string error = error_of(file.path(), options);
    EXPECT_NE(error.find(one.sentence), std::string::npos) << error;
    EXPECT_NE(error.find(one.place), std::string::npos) << error;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << one.how;
  }
}

TEST(Video, FindsTheDecoder) {
  const File file(y4m(16, 16, 1));
  VideoOptions options = with_decoder("/no/decoder");
  EXPECT_THROW(Video(file.path(), options), Error);
  options.decoder = "";
  EXPECT_TRUE(Video(file.path(), options).next()) << "beside this program";
  setenv("OCTAVO_DECODER", "/no/decoder", 1);
  EXPECT_THROW(Video(file.path(), options), Error);
  unsetenv("OCTAVO_DECODER");
}

TEST(Video, KnowsNames) {
  for (const char* name : {"a.mp4", "b/c.MOV", "d.mkv", "e.avi"}) EXPECT_TRUE(looks_like_video(name)) << name;
  for (const char* name : {"a.jpg", "mp4", ".mp4", "b.txt"}) EXPECT_FALSE(looks_like_video(name)) << name;
}

}  // namespace
}  // namespace octavo
