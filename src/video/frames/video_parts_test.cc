// Parts of videos, with the leaps of octavo-decode, against all frames of the same files: frames, times and pixels must
// be the same, and next to nothing between the parts may be decoded where a file can leap.

#include "video/frames/video_parts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/test_folder.h"

namespace octavo::video {
namespace {

namespace fs = std::filesystem;

// Clips that ffmpeg makes.
class VideoInParts : public testing::Test {
 protected:
  void SetUp() override {
    options_.decoder = OCTAVO_DECODE;
    if (std::system("command -v ffmpeg > /dev/null") != 0) GTEST_SKIP() << "lacks ffmpeg, which makes the clips";
  }

  // 40 seconds of a moving test image.
  fs::path clip(const std::string& name, const std::string& encoding) {
    fs::path file = folder_ / name;
    const std::string command = "ffmpeg -v error -y -f lavfi -i testsrc2=size=96x64:rate=25:duration=40 " + encoding +
                                " '" + file.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return file;
  }

  // Compares parts of a clip with all of it. Returns the number of frames that were decoded for the parts.
  std::int64_t compare(const fs::path& file, const std::vector<Part>& parts) {
    std::map<std::int64_t, VideoFrame> all;  // by time
    VideoOptions options = options_;
    options.every = 1;
    Video whole(file, options);
    while (std::optional<VideoFrame> frame = whole.next()) all.emplace(frame->ticks, std::move(*frame));
    const double first = all.begin()->second.seconds;

    VideoParts video(file, options_, parts);
    std::map<std::int64_t, VideoFrame> found;
    std::int64_t decoded = 0, last = -1;
    while (std::optional<VideoFrame> frame = video.next()) {
      EXPECT_GT(frame->ticks, last);
      last = frame->ticks;
      decoded = frame->index + 1;
      const auto expected = all.find(frame->ticks);
      if (expected == all.end()) {
        ADD_FAILURE() << "no frame has the time " << frame->seconds;
        continue;
      }
      const VideoFrame& b = expected->second;
      EXPECT_EQ(frame->seconds, b.seconds);
      EXPECT_EQ(frame->duration_ticks, b.duration_ticks);
      EXPECT_EQ(frame->key, b.key);
      const auto pixels = static_cast<std::size_t>(b.grey.width()) * static_cast<std::size_t>(b.grey.height());
      EXPECT_EQ(std::memcmp(frame->grey.row(0), b.grey.row(0), pixels), 0) << "frame at " << b.seconds;
      found.emplace(frame->ticks, std::move(*frame));
    }
    // All frames of the parts, and those at their borders, are there.
    for (auto one = all.begin(); one != all.end(); ++one) {
      const double begin = one->second.seconds - first;
      const auto next = std::next(one);
      const double end = next == all.end() ? 1e9 : next->second.seconds - first;
      for (const Part& part : parts) {
        const bool is_wanted = begin <= part.to && end > part.from;
        EXPECT_TRUE(!is_wanted || found.contains(one->first)) << begin;
      }
    }
    EXPECT_TRUE(found.contains(all.begin()->first));
    return decoded;
  }

  const TestFolder folder_;
  VideoOptions options_{.engine = VideoEngine::cpu};
};

constexpr auto h264_options = "-c:v libx264 -preset veryfast -bf 3 -g 50 -pix_fmt yuv420p";
const std::vector<Part> some{{0.2, 0.5}, {11.3, 12.4}, {30, 30}, {31, 31.5}, {39.5, 41}};

TEST_F(VideoInParts, LeapsToTheSameFrames) {
  for (const auto& [name, encoding] : std::vector<std::pair<std::string, std::string>>{
           {"a.mp4", h264_options},
           {"a.mkv", h264_options},
           {"later.mp4", std::string(h264_options) + " -output_ts_offset 7"},
           {"edited.mov", std::string(h264_options) + " -movflags +faststart"},
           {"varied.mkv", std::string(h264_options) + " -vf select='gt(mod(n\\,7)\\,2)' -vsync vfr"},
           {"hevc.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=50 -pix_fmt yuv420p"},
           {"vp9.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 -pix_fmt yuv420p"},
           {"mpeg2.mkv", "-c:v mpeg2video -g 15 -bf 2 -q:v 3"},
           {"intra.mov", "-c:v mjpeg -q:v 3 -pix_fmt yuvj420p"},
           {"dim.mp4",
            "-vf format=gray12le,lut=c0=val/8 -c:v libx265 -preset ultrafast "
            "-x265-params log-level=none:keyint=50 -pix_fmt gray12le"}}) {
    SCOPED_TRACE(name);
    EXPECT_LT(compare(clip(name, encoding), some), 500);
  }
}

TEST_F(VideoInParts, AreReadFromTheBeginningWhereLeapsAreNotExact) {
  for (const auto& [name, encoding] : std::vector<std::pair<std::string, std::string>>{
           {"a.ts", h264_options},
           {"a.avi", "-c:v mpeg4 -q:v 3 -g 50"},
           {"mpeg4.mp4", "-c:v mpeg4 -q:v 3 -g 50"},
           {"open.mp4", std::string(h264_options) + " -x264-params open-gop=1:scenecut=0"},
           {"refreshed.mkv", std::string(h264_options) + " -x264-params intra-refresh=1"},
           {"one.mp4", std::string(h264_options) + " -g 2000 -keyint_min 2000 -x264-params scenecut=0"}}) {
    SCOPED_TRACE(name);
    const fs::path file = clip(name, encoding);
    EXPECT_GT(compare(file, some), 980);
  }
}

TEST_F(VideoInParts, EndWithTheLastPart) { EXPECT_LT(compare(clip("a.ts", h264_options), {{1, 2}}), 60); }

}  // namespace
}  // namespace octavo::video
