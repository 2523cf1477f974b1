#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/video/clip_signature.h"
#include "video/frames/video_writer.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// A clip of 25 frames a second in YUV4MPEG2: scene i is random blocks, and lasts `frames[i]` frames; −n: black.
class Clip {
 public:
  explicit Clip(const std::vector<int>& frames) {
    std::ofstream file(path_, std::ios::binary);
    file << "YUV4MPEG2 W160 H120 F25:1 Ip Cmono\n";
    std::mt19937_64 random(5);
    for (const int count : frames) {
      std::string plane(160 * 120, '\x10');
      for (int block = 0; block < 20 * 15 && count > 0; ++block) {
        const char grey = static_cast<char>(30 + random() % 190);
        for (int y = 0; y < 8; ++y)
          plane.replace(static_cast<std::size_t>(block / 20 * 8 + y) * 160 + block % 20 * 8, 8, 8, grey);
      }
      for (int i = 0; i < std::abs(count); ++i) file << "FRAME\n" << plane;
    }
  }
  [[nodiscard]] ClipSignature sign(const SignatureOptions& options = {}) const {
    VideoOptions video;
    video.decoder = OCTAVO_DECODE;
    return sign_clip(path_, options, video);
  }

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  const TestFolder folder_;
  const fs::path path_ = folder_ / "clip.y4m";
};

TEST(ClipSigner, AScenePerSignature) {
  const ClipSignature signature = Clip({50, 25, -25, 50}).sign();
  ASSERT_EQ(signature.frames.size(), 4u);
  const std::vector<double> begins{0, 2, 3, 4, 6};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_DOUBLE_EQ(signature.frames[i].seconds, begins[i]);
    EXPECT_NEAR(signature.frames[i].until, begins[i + 1], 0.05);
    EXPECT_EQ(signature.frames[i].features.empty(), i == 2);
  }
  EXPECT_EQ(signature.frames[1].index, 50);
  EXPECT_EQ(signature.frames[2].junk, Junk::black);
  EXPECT_NEAR(signature.seconds, 6, 0.05);
}

TEST(ClipSigner, TakesTheFramesThatTheOptionsAskFor) {
  const Clip clip({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(clip.sign({.every = 1}).frames.size(), 12u);
  EXPECT_EQ(clip.sign({.every = 5}).frames.size(), 3u);
  EXPECT_EQ(clip.sign({.fps = 5}).frames.size(), 3u);
}

TEST(ClipSigner, TheSameClipHasTheSameSignature) {
  const Clip clip({10, 10, 10});
  EXPECT_EQ(clip.sign(), clip.sign());
}

TEST(ClipSigner, TakesASignerThatHasSignedOtherClips) {
  const Clip clip({10, 10, 10});
  VideoOptions video;
  video.decoder = OCTAVO_DECODE;
  FrameSigner signer;
  for (int round = 0; round < 2; ++round) {
    ClipSigner clip_signer(clip.path(), signer, video);
    ClipSignature signature;
    while (std::optional<FrameSignature> frame = clip_signer.next()) signature.frames.push_back(std::move(*frame));
    EXPECT_EQ(signature.frames, clip.sign().frames);
  }
}

TEST(ClipSigner, AFrameBeforeALeapOfTheTimesStandsForAMinute) {
  const TestFolder folder;
  VideoWriterOptions options{.size = {160, 120}};
  options.encoder = OCTAVO_ENCODE;
  VideoWriter writer(folder / "leap.mkv", options);
  Image image(160, 120, 1, PixelType::u8);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 160; ++x) image.row(y)[x] = static_cast<std::byte>(16 * ((x / 8 * 7 + y / 8 * 11) % 13) + 20);
  }
  for (const std::int64_t ticks : {0, 25, 50, 2500000, 2500025}) writer.write(image.view(), ticks);
  writer.finish();
  VideoOptions video;
  video.decoder = OCTAVO_DECODE;
  const ClipSignature signature = sign_clip(folder / "leap.mkv", {}, video);
  ASSERT_EQ(signature.frames.size(), 2u);
  EXPECT_DOUBLE_EQ(signature.frames[0].until, 2 + 60.5);
  EXPECT_DOUBLE_EQ(signature.frames[1].seconds, 100000);
  EXPECT_NEAR(signature.frames[1].until, 100002, 1.1);
}

TEST(ClipSigner, RefusesAMissingClip) { EXPECT_THROW(sign_clip("/no/such/clip.mp4"), Error); }

}  // namespace
}  // namespace octavo
