// The range of a clip: raw frames of YUV4MPEG2, a format of text and planes, whose samples are known.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/video/video.h"

namespace octavo {
namespace {

constexpr int clip_width = 40, clip_height = 30;

// Samples of 9 to 16 bits in two bytes each, `sample(frame, x)`, and for 4:2:0 chroma of the value `chroma`.
std::string deep_clip(const std::string& form, int frames, const std::function<unsigned(int, int)>& sample,
                      std::optional<unsigned> chroma = {}) {
  std::string text = "YUV4MPEG2 W40 H30 F25:1 Ip C" + form + "\n";
  const auto append = [&](unsigned value) {
    text += static_cast<char>(value & 255);
    text += static_cast<char>(value >> 8);
  };
  for (int i = 0; i < frames; ++i) {
    text += "FRAME\n";
    for (int k = 0; k < clip_width * clip_height; ++k) append(sample(i, k % clip_width));
    for (int k = 0; chroma && k < clip_width * clip_height / 2; ++k) append(*chroma);
  }
  return text;
}

// From 0 to `most` across the frame.
unsigned ramp(int x, unsigned most) { return most * static_cast<unsigned>(x) / (clip_width - 1); }

struct Seen {
  VideoFacts facts;
  std::vector<int> darkest, brightest;  // of each frame
  std::vector<VideoWarning> warnings;
};

Seen seen_of(Video video) {
  Seen seen;
  seen.facts = video.facts();
  while (const std::optional<VideoFrame> frame = video.next()) {
    const std::byte* const row = frame->grey.row(0);
    seen.darkest.push_back(static_cast<int>(row[0]));
    seen.brightest.push_back(static_cast<int>(row[clip_width - 1]));
  }
  seen.warnings = video.warnings();
  return seen;
}

class ClipRange : public ::testing::Test {
 protected:
  Seen see(const std::string& clip, VideoOptions options = {}) {
    options.every = 1;
    options.decoder = OCTAVO_DECODE;
    return seen_of(Video(folder_.write("clip.y4m", clip), options));
  }

  const TestFolder folder_;
};

TEST_F(ClipRange, OfFewBitsIsOneForAllFrames) {
  const auto dim = [](int frame, int x) { return ramp(x, frame % 2 == 0 ? 1000 : 300); };
  const std::string clip = deep_clip("mono16", 40, dim);
  const Seen seen = see(clip);
  EXPECT_EQ(seen.facts.black, 0);
  EXPECT_EQ(seen.facts.white, 1023);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(seen.brightest[i], i % 2 == 0 ? 249 : 75) << i;
  EXPECT_TRUE(seen.warnings.empty());
  EXPECT_EQ(see(clip, {.range = InputRange::full}).brightest[0], 4);
  EXPECT_EQ(see(deep_clip("mono12", 40, dim)).brightest[0], 249);
}

TEST_F(ClipRange, IsNarrowWhereTheValuesAre) {
  const Seen seen = see(deep_clip("mono16", 3, [](int, int x) { return 7000 + ramp(x, 1000); }));
  EXPECT_EQ(seen.facts.black, 7000);
  EXPECT_EQ(seen.facts.white, 8000);
  EXPECT_EQ(seen.darkest[2], 0);
  EXPECT_EQ(seen.brightest[2], 255);
}

TEST_F(ClipRange, IsThatOfTheFormatWhereItIsUsed) {
  for (const auto& [form, most] : {std::pair("mono16", 65535u), {"mono10", 1023u}, {"mono10", 600u}}) {
    const std::string clip = deep_clip(form, 3, [most = most](int, int x) { return ramp(x, most); });
    const Seen seen = see(clip);
    EXPECT_EQ(seen.facts.white, 0) << form;
    EXPECT_EQ(seen.brightest, see(clip, {.range = InputRange::full}).brightest) << form;
  }
  // Y'CbCr defines black and white, of a dim scene too.
  const Seen night = see(deep_clip(
      "420p10", 3, [](int, int x) { return 64 + ramp(x, 100); }, 512));
  EXPECT_EQ(night.facts.white, 0);
  EXPECT_EQ(night.brightest[0], (255 * 25 + 109) / 219);
}

TEST_F(ClipRange, IsGivenByBlackAndWhite) {
  const VideoOptions options{.black = 100, .white = 300};
  const auto sample = [](int, int x) { return 100 + ramp(x, 200); };
  for (const Seen& seen :
       {see(deep_clip("mono16", 2, sample), options), see(deep_clip("420p10", 2, sample, 512), options)}) {
    EXPECT_EQ(seen.facts.black, 100);
    EXPECT_EQ(seen.darkest[1], 0);
    EXPECT_EQ(seen.brightest[1], 255);
  }
  EXPECT_THROW(see("", {.black = 300, .white = 100}), Error);
  EXPECT_THROW(see("", {.range = InputRange::full, .white = 100}), Error);
}

TEST_F(ClipRange, LeavesOutBlackFramesAndHotPixels) {
  const Seen seen = see(deep_clip("mono16", 64, [](int frame, int x) {
    static int count = 0;
    if (frame < 4) return 0u;
    return ++count == 1000 ? 65535u : ramp(x, 900);
  }));
  EXPECT_EQ(seen.facts.white, 1023);
  EXPECT_EQ(seen.brightest[63], 900 * 255 / 1023);
}

// A clip may have more than the frames that are looked at.
TEST_F(ClipRange, TellsOfValuesBeyond) {
  const Seen seen = see(deep_clip("mono16", 320, [](int frame, int x) { return ramp(x, frame == 33 ? 4095 : 900); }));
  EXPECT_EQ(seen.facts.white, 1023);
  ASSERT_EQ(seen.warnings.size(), 1u);
  EXPECT_EQ(seen.warnings[0].name, "range");
  EXPECT_EQ(seen.warnings[0].sentence.substr(0, 52), "frame 33 at 1.320 s has values from 0 to 4095, but t");
}

// It is read once only, so that the first frame decides.
TEST_F(ClipRange, OfAPipeIsThatOfTheFirstFrame) {
  const auto brighter = [](int frame, int x) { return ramp(x, frame == 0 ? 900 : 1800); };
  const auto file = folder_.write("clip.y4m", deep_clip("mono16", 20, brighter));
  std::FILE* const pipe = popen(("cat '" + file.string() + "'").c_str(), "r");
  VideoOptions options{.every = 1};
  options.decoder = OCTAVO_DECODE;
  const Seen seen = seen_of(Video(fileno(pipe), "a pipe", options));
  pclose(pipe);
  EXPECT_EQ(seen.facts.white, 1023);
  EXPECT_EQ(seen.brightest[1], 255);
  EXPECT_EQ(seen.warnings.size(), 1u);
  EXPECT_EQ(see(deep_clip("mono16", 20, brighter)).facts.white, 2047);
}

}  // namespace
}  // namespace octavo
