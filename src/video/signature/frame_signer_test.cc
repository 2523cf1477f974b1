#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/video/clip_signature.h"

namespace octavo {
namespace {

// Blobs of random grey at random places.
Image textured(int width, int height, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Image image(width, height, 1, PixelType::u8);
  for (int y = 0; y < height; ++y) std::fill_n(image.row(y), width, std::byte{128});
  for (int i = 0; i < 400; ++i) {
    const int side = 4 + static_cast<int>(random() % 24);
    const int x0 = static_cast<int>(random() % static_cast<std::uint64_t>(width - side));
    const int y0 = static_cast<int>(random() % static_cast<std::uint64_t>(height - side));
    const auto grey = static_cast<std::byte>(40 + random() % 200);
    for (int y = y0; y < y0 + side; ++y) std::fill_n(image.row(y) + x0, side, grey);
  }
  return image;
}

Image turned_round(const Image& image) {
  Image result(image.width(), image.height(), 1, PixelType::u8);
  for (int y = 0; y < image.height(); ++y) {
    std::reverse_copy(image.row(y), image.row(y) + image.width(), result.row(y));
  }
  return result;
}

Image with_bars(const Image& image, int top, int side) {
  Image result(image.width() + 2 * side, image.height() + 2 * top, 1, PixelType::u8);
  for (int y = 0; y < result.height(); ++y) std::fill_n(result.row(y), result.width(), std::byte{0});
  for (int y = 0; y < image.height(); ++y) {
    std::copy_n(image.row(y), image.width(), result.row(y + top) + side);
  }
  return result;
}

TEST(FrameSigner, KeepsAtMostSoManyFeaturesInsideTheFrame) {
  FrameSigner signer(SignatureOptions{.max_features = 100});
  const FrameSignature signature = signer.sign(textured(320, 240, 1).view());
  EXPECT_EQ(signature.width, 320);
  EXPECT_EQ(signature.height, 240);
  EXPECT_GT(signature.features.size(), 50u);
  EXPECT_LE(signature.features.size(), 100u);
  for (const SignatureFeature& feature : signature.features) {
    EXPECT_LT(feature.x, 64 * 320);
    EXPECT_LT(feature.y, 64 * 240);
  }
  EXPECT_TRUE(signature.further_words.empty());
}

Image negative_of_image(const Image& image) {
  Image result(image.width(), image.height(), 1, PixelType::u8);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) result.row(y)[x] = std::byte(255 - std::to_integer<int>(image.row(y)[x]));
  }
  return result;
}

TEST(FrameSigner, TheNegativeIsThatOfTheNegativeImage) {
  const Image image = textured(320, 240, 2);
  FrameSigner plain, negative({}, {}, Tones::negative);
  const FrameSignature signature = plain.sign(image.view());
  EXPECT_EQ(negative.sign(negative_of_image(image).view()), signature);
  EXPECT_NE(negative.sign(image.view()), signature);
}

// Gradients turn round, and so does the orientation: in its frame the cells of the descriptor are turned by 180°.
TEST(FrameSigner, TheNegativeHasTheSameKeypointsTheOtherWayRound) {
  const Image image = textured(320, 240, 2);
  FrameSigner plain, negative({}, {}, Tones::negative);
  plain.sign(image.view());
  negative.sign(image.view());
  const Features &a = plain.features(), &b = negative.features();
  std::size_t same = 0;
  for (std::size_t i = 0; i < a.keypoints.size(); ++i) {
    for (std::size_t j = 0; j < b.keypoints.size(); ++j) {
      const Keypoint &p = a.keypoints[i], &q = b.keypoints[j];
      const double turn = std::remainder(p.orientation + std::numbers::pi - q.orientation, 2 * std::numbers::pi);
      if (std::hypot(p.x - q.x, p.y - q.y) > 0.01 || std::abs(turn) > 0.01) continue;
      int most = 0;
      for (std::size_t cell = 0; cell < 16; ++cell) {
        for (std::size_t direction = 0; direction < 8; ++direction) {
          const int of_a = a.descriptors[128 * i + 8 * cell + direction];
          const int of_b = b.descriptors[128 * j + 8 * (15 - cell) + direction];
          most = std::max(most, std::abs(of_a - of_b));
        }
      }
      if (most <= 2) ++same;
    }
  }
  EXPECT_GT(same, a.keypoints.size() * 9 / 10);
}

TEST(FrameSigner, BlackBarsOnlyMoveTheFeatures) {
  FrameSigner signer;
  const Image image = textured(320, 240, 2);
  FrameSignature plain = signer.sign(image.view());
  const FrameSignature barred = signer.sign(with_bars(image, 40, 16).view());
  for (SignatureFeature& feature : plain.features) {
    feature.x = static_cast<std::uint16_t>(feature.x + 64 * 16);
    feature.y = static_cast<std::uint16_t>(feature.y + 64 * 40);
  }
  EXPECT_EQ(plain.features, barred.features);
}

TEST(FrameSigner, ASignatureOfTheMirroredFrameIsNearlyThatOfAMirror) {
  FrameSigner signer;
  const Image image = textured(320, 240, 3);
  const FrameSignature computed = mirrored(signer.sign(image.view()));
  const FrameSignature real = signer.sign(turned_round(image).view());
  int found = 0;
  for (const SignatureFeature& a : computed.features) {
    found += std::ranges::any_of(real.features, [&](const SignatureFeature& b) {
      return std::abs(a.x - b.x) <= 32 && std::abs(a.y - b.y) <= 32 && std::abs(a.scale - b.scale) <= 1 &&
             std::abs(static_cast<std::int8_t>(a.orientation - b.orientation)) <= 3 &&
             hamming_distance(a.code, b.code) <= 16;
    });
  }
  EXPECT_GT(found, static_cast<int>(computed.features.size() * 8 / 10));
}

TEST(FrameSigner, AMirrorOfAMirrorIsTheImage) {
  FrameSigner signer(SignatureOptions{.words = 4});
  const FrameSignature signature = signer.sign(textured(320, 240, 3).view());
  EXPECT_NE(mirrored(signature), signature);
  EXPECT_EQ(mirrored(mirrored(signature)), signature);
}

TEST(FrameSigner, JunkHasNoFeatures) {
  FrameSigner signer;
  const FrameSignature black = signer.sign(with_bars(Image(2, 2, 1, PixelType::u8), 100, 100).view());
  EXPECT_EQ(black.junk, Junk::black);
  EXPECT_TRUE(black.features.empty());
}

TEST(FrameSigner, GivesFurtherWordsForQueries) {
  FrameSigner one(SignatureOptions{.max_features = 64}), many(SignatureOptions{.max_features = 64, .words = 5});
  const Image image = textured(320, 240, 4);
  const FrameSignature plain = one.sign(image.view());
  const FrameSignature query = many.sign(image.view());
  EXPECT_EQ(plain.features, query.features);
  ASSERT_EQ(query.further_words.size(), 4 * query.features.size());
  for (std::size_t i = 0; i < query.features.size(); ++i) {
    EXPECT_EQ(std::count(query.further_words.begin() + static_cast<std::ptrdiff_t>(4 * i),
                         query.further_words.begin() + static_cast<std::ptrdiff_t>(4 * i + 4), query.features[i].word),
              0);
  }
}

// PoCL counts as a GPU.
TEST(FrameSigner, SignsTheSameOnEveryDevice) {
  const Image image = with_bars(textured(320, 240, 8), 40, 0);
  const Image black = with_bars(textured(320, 240, 8), 200, 0);
  FrameSigner cpu(SignatureOptions{.max_features = 100, .words = 8}, {.name = "cpu"});
  for (const Device& device : list_devices()) {
    if (!device.conformant || device.kind == "cpu" || device.kind == "reference") continue;
    FrameSigner signer(SignatureOptions{.max_features = 100, .words = 8}, {.name = device.name});
    for (const Image* frame : {&image, &black}) {
      EXPECT_EQ(signer.sign(frame->view()), cpu.sign(frame->view())) << device.name;
      EXPECT_TRUE(signer.features() == cpu.features()) << device.name;
    }
  }
}

TEST(FrameSigner, RefusesWrongOptionsAndLargeFrames) {
  EXPECT_THROW(FrameSigner(SignatureOptions{.max_features = 1}), Error);
  EXPECT_THROW(FrameSigner(SignatureOptions{.words = 300}), Error);
  FrameSigner signer;
  EXPECT_THROW(signer.sign(textured(1001, 64, 1).view()), Error);
}

}  // namespace
}  // namespace octavo
