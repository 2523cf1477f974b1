#include "octavo/video/affinity.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

// A clip of 4 frames a second in YUV4MPEG2: each number is a scene of random blocks; the same number, the same scene.
class Clip {
 public:
  explicit Clip(const std::vector<unsigned>& scenes) {
    std::ofstream file(path_, std::ios::binary);
    file << "YUV4MPEG2 W160 H120 F4:1 Ip Cmono\n";
    for (const unsigned scene : scenes) {
      std::mt19937 random(scene);
      std::string plane(160 * 120, '\x10');
      for (std::size_t block = 0; block < 20 * 15; ++block) {
        const char grey = static_cast<char>(30 + random() % 190);
        for (std::size_t y = 0; y < 8; ++y) plane.replace((block / 20 * 8 + y) * 160 + block % 20 * 8, 8, 8, grey);
      }
      file << "FRAME\n" << plane;
    }
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  const TestFolder folder_;
  const fs::path path_ = folder_ / "clip.y4m";
};

AffinityMatrix affinity(const Clip& a, const Clip& b, AffinityMeasure measure) {
  VideoOptions video;
  video.decoder = OCTAVO_DECODE;
  return affinity_of(a.path(), b.path(), {.measure = measure, .fps = 4}, video);
}

class EachMeasure : public testing::TestWithParam<AffinityMeasure> {};
INSTANTIATE_TEST_SUITE_P(Affinity, EachMeasure, testing::Values(AffinityMeasure::matches, AffinityMeasure::vlad));

TEST_P(EachMeasure, TheSameSceneIsMostSimilar) {
  const std::vector<unsigned> of_a{1, 2, 3, 4}, of_b{5, 3, 3, 1, 6};
  const Clip a(of_a), b(of_b);
  const AffinityMatrix matrix = affinity(a, b, GetParam());
  ASSERT_EQ(matrix.values.size(), of_a.size() * of_b.size());
  EXPECT_EQ(matrix.seconds_a, (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(matrix.seconds_b.back(), 1);
  const float same = matrix.at(2, 1);
  EXPECT_EQ(same, matrix.at(2, 2)) << "a frame that repeats the one before has its column";
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    for (std::size_t j = 0; j < of_b.size(); ++j) {
      if (of_a[i] == of_b[j]) {
        EXPECT_GT(matrix.at(i, j), same / 2);
      } else {
        EXPECT_LT(matrix.at(i, j), same / 2) << i << ' ' << j;
      }
    }
  }
}

TEST_P(EachMeasure, OfAClipWithItselfIsSymmetric) {
  const Clip a({1, 2, 1});
  const AffinityMatrix matrix = affinity(a, a, GetParam());
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(matrix.at(i, j), matrix.at(j, i), 1);
  }
}

TEST(AffinityOfSignatures, IsThatOfTheClips) {
  const Clip a({1, 2, 2, 3, 4}), b({5, 2, 3, 3, 1, 6});
  VideoOptions video;
  video.decoder = OCTAVO_DECODE;
  const auto signature = [&](const Clip& clip) {
    return sign_clip(clip.path(), {.fps = 4, .max_features = AffinityOptions().max_features}, video);
  };
  const ClipSignature of_a = signature(a), of_b = signature(b);
  ASSERT_EQ(of_a.frames.size(), 4u) << "the frame that repeats the one before is not kept";
  const AffinityMatrix expected = affinity(a, b, AffinityMeasure::matches);
  const AffinityMatrix whole = affinity_of(of_a, {0, of_a.seconds}, of_b, {0, 1000}, 4);
  EXPECT_EQ(whole.seconds_a, expected.seconds_a);
  EXPECT_EQ(whole.seconds_b, expected.seconds_b);
  EXPECT_EQ(whole.values, expected.values);

  const AffinityMatrix part = affinity_of(of_a, {0.5, 1}, of_b, {0.25, 1}, 4);
  EXPECT_EQ(part.seconds_a, (std::vector<double>{0.5, 0.75}));
  EXPECT_EQ(part.seconds_b, (std::vector<double>{0.25, 0.5, 0.75}));
  EXPECT_EQ(part.at(1, 2), expected.at(3, 3));
  EXPECT_TRUE(affinity_of({}, {0, 1}, of_b, {0, 1}, 4).values.empty());
  EXPECT_THROW(affinity_of({.seconds = 100, .frames = of_a.frames}, {0, 100}, of_b, {0, 2}, 1000), Error);
}

TEST(AffinityImage, HasAColourForEachPairOfFrames) {
  AffinityMatrix matrix{AffinityMeasure::matches, {0, 1}, {0, 1, 2}, {0, 0, 0, 0, 0, 9}};
  const Image colours = affinity_colours(matrix);
  ASSERT_EQ(colours.width(), 3);
  ASSERT_EQ(colours.height(), 2);
  EXPECT_TRUE(std::equal(colours.row(0), colours.row(0) + 3, colours.row(1) + 3));
  EXPECT_FALSE(std::equal(colours.row(0), colours.row(0) + 3, colours.row(1) + 6));
  EXPECT_THROW(affinity_colours({}), Error);
}

TEST(AffinityImage, ShowsTheSegmentsInTheirPlaces) {
  AffinityMatrix matrix{AffinityMeasure::matches, {0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7}, std::vector<float>(32)};
  matrix.values[9] = 100;
  const Image plain = draw_affinity(matrix);
  const CopySegment segment{.query_in = 1, .query_out = 2, .other_in = 4, .other_out = 5};
  const Image drawn = draw_affinity(matrix, std::vector{segment});
  ASSERT_EQ(plain.width(), drawn.width());
  ASSERT_EQ(plain.height(), drawn.height());
  // The matrix is 12 pixels a frame, from (64, 48); the middle of the segment is at 4.5 to the right, 1.5 down.
  const auto* before = plain.row(48 + 18) + 3 * (64 + 54);
  const auto* after = drawn.row(48 + 18) + 3 * (64 + 54);
  EXPECT_FALSE(std::equal(before, before + 3, after));
  // A block has a thin frame.
  matrix.blocks = {{.a_in = 1, .a_out = 3, .b_in = 2, .b_out = 6, .share = 1}};
  const Image framed = draw_affinity(matrix);
  const auto* corner = framed.row(48 + 12) + 3 * (64 + 24);
  EXPECT_TRUE(corner[0] == std::byte{255} && corner[1] == std::byte{255} && corner[2] == std::byte{255});
  EXPECT_THROW(draw_affinity({}), Error);
}

TEST(AffinityFile, IsAnArchiveOfNumPy) {
  const AffinityMatrix matrix{AffinityMeasure::vlad, {0}, {0, 1}, {0.5F, -0.25F}};
  const std::vector<std::byte> bytes = encode_npz_affinity(matrix);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const char* name :
       {"affinity.npy", "seconds_a.npy", "seconds_b.npy", "segments.npy", "blocks.npy", "'<f4'", "(1, 2)", "(0, 5)"}) {
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
  EXPECT_EQ(bytes, encode_npz_affinity(matrix));
}

TEST(AffinityOptionsTest, RefuseWrongValues) {
  const Clip a({1});
  EXPECT_THROW(affinity_of(a.path(), a.path(), {.fps = 0}), Error);
  EXPECT_THROW(affinity_of(a.path(), a.path(), {.max_features = 3}), Error);
}

}  // namespace
}  // namespace octavo
