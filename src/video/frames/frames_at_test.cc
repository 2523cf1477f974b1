#include "video/frames/frames_at.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// Ten grey frames, 0.1 s each, which are brighter one after the other.
class FramesAt : public testing::Test {
 protected:
  FramesAt() {
    std::string text = "YUV4MPEG2 W16 H16 F10:1 Ip Cmono\n";
    for (int i = 0; i < 10; ++i) text += "FRAME\n" + std::string(256, static_cast<char>(40 + 10 * i));
    std::ofstream(file, std::ios::binary) << text;
    options.decoder = OCTAVO_DECODE;
  }

  // Index and time of the frames at these times, in the order in which they come.
  std::vector<std::pair<std::int64_t, double>> read(const std::vector<double>& times) {
    std::vector<std::pair<std::int64_t, double>> frames;
    std::vector<FrameRequest> requests;
    for (const double t : times) {
      requests.push_back(
          {t, [&](const VideoFrame& frame, double seconds) { frames.emplace_back(frame.index, seconds); }});
    }
    read_frames_at(file, std::move(requests), options);
    return frames;
  }

  const TestFolder folder;
  fs::path file = folder / "clip.y4m";
  VideoOptions options;
};

TEST_F(FramesAt, AreThoseThatAreSeenThen) {
  const auto frames = read({0.55, 0, 0.1, 0.19, 0.19});
  ASSERT_EQ(frames.size(), 5u);
  const std::vector<std::int64_t> indices{0, 1, 1, 1, 5};
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].first, indices[i]);
    EXPECT_NEAR(frames[i].second, 0.1 * static_cast<double>(indices[i]), 1e-9);
  }
}

TEST_F(FramesAt, EndWithTheLastFrame) {
  const auto frames = read({0.95, 1.0, 7});
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].first, 9);
}

TEST_F(FramesAt, AreReadInSeveralRunsWhereTheyAreMany) {
  std::string text = "YUV4MPEG2 W16 H16 F1:3 Ip Cmono\n";  // 3 s each
  std::vector<double> times;
  for (int i = 0; i < 4001; ++i) {
    text += "FRAME\n" + std::string(256, static_cast<char>(40 + i % 100));
    times.push_back(3 * i + 1);
  }
  std::ofstream(file, std::ios::binary) << text;
  const auto frames = read(times);
  ASSERT_EQ(frames.size(), times.size());
  for (std::size_t i = 0; i < frames.size(); ++i) EXPECT_EQ(frames[i].first, static_cast<std::int64_t>(i));
}

TEST_F(FramesAt, OfNothingReadNothing) {
  file = "/no/such/file";
  EXPECT_TRUE(read({}).empty());
  EXPECT_THROW(read({0}), Error);
}

}  // namespace
}  // namespace octavo
