// Images that are much longer than wide, or much wider than long, have the same features on every GPU as on the CPU.
// CUDA takes 65535 groups along y. The heights exceed this number of groups, and twice this number, for kernels that
// have a group for each row, for eight rows and for sixteen. The content is flat but for pieces of noise and discs.
// Some of these lie around the rows where a grid is cut, and one lies at the far end.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/core/plane.h"
#include "engine/selftest/images.h"
#include "engine/trilateral/trilateral.h"
#include "octavo/extractor.h"
#include "octavo/foagdd.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"
#include "tests/conformance/contenders.h"

namespace octavo {
namespace {

constexpr int piece_length = 120;

// A flat image of `across` × `along` pixels with noise and discs at some places along its long side. The long side is
// vertical if `upright`, otherwise horizontal.
class LongImage {
 public:
  LongImage(int across, int along, bool upright, int channels = 1)
      : along_(along),
        upright_(upright),
        image_(upright ? across : along, upright ? along : across, channels, PixelType::u8) {
    for (int y = 0; y < image_.height(); ++y) std::fill_n(image_.row(y), image_.stride(), std::byte{100});
    for (const int seam : {65535 / 2, 65535, 131070, 524280}) add_piece(seam - piece_length / 2, across);
    add_piece(0, across);
    add_piece(along - piece_length, across);
  }

  [[nodiscard]] const ImageView& view() const { return image_.view(); }
  [[nodiscard]] std::string name() const {
    return std::to_string(image_.width()) + "x" + std::to_string(image_.height());
  }

  // The number of keypoints in the last piece.
  [[nodiscard]] std::ptrdiff_t at_the_end(const std::vector<Keypoint>& keypoints) const {
    return std::count_if(keypoints.begin(), keypoints.end(), [&](const Keypoint& k) {
      return (upright_ ? k.y : k.x) >= static_cast<float>(along_ - piece_length);
    });
  }

 private:
  // Noise, which has corners, and then dark discs, which have extrema even between the borders of a narrow image.
  void add_piece(int first, int across) {
    if (first + piece_length > along_) return;
    std::uint64_t state = static_cast<std::uint64_t>(first + 1);
    for (int i = 0; i < piece_length; ++i) {
      for (int j = 0; j < across; ++j) {
        const int from_disc_i = i % 20 - 10, from_disc_j = j - across / 2;
        const bool on_disc = from_disc_i * from_disc_i + from_disc_j * from_disc_j <= 16;
        const std::byte noise{static_cast<std::uint8_t>(images::next_random(state) & 255)};
        const std::byte value = i < piece_length / 2 ? noise : on_disc ? std::byte{5} : std::byte{250};
        const int x = upright_ ? j : first + i, y = upright_ ? first + i : j;
        std::fill_n(image_.row(y) + x * image_.channels(), image_.channels(), value);
      }
    }
  }

  int along_;
  bool upright_;
  Image image_;
};

// Runs `test` on the name of every GPU.
template <class Test>
void on_every_gpu(const Test& test) {
  const std::vector<std::string> gpus = gpu_names();
  if (gpus.empty()) GTEST_SKIP() << "no GPU: neither CUDA nor OpenCL offers one";
  for (const std::string& name : gpus) test(name);
}

// `Algorithm` is Extractor or Foagdd.
template <class Algorithm, class Options>
void expect_features_of_the_cpu(const LongImage& image, const Options& options) {
  on_every_gpu([&](const std::string& gpu) {
    const Features expected = Algorithm(options, {.name = "cpu"}).extract(image.view());
    EXPECT_GT(image.at_the_end(expected.keypoints), 0) << image.name();
    EXPECT_TRUE(Algorithm(options, {.name = gpu}).extract(image.view()) == expected) << gpu << ", " << image.name();
  });
}

TEST(LongImages, Sift) {
  expect_features_of_the_cpu<Extractor>(LongImage(24, 70'000, true, 3), SiftOptions{.first_octave = 0});
  expect_features_of_the_cpu<Extractor>(LongImage(24, 70'000, false), SiftOptions{});
  expect_features_of_the_cpu<Extractor>(LongImage(32, 140'000, true, 3), SiftOptions{.first_octave = 0, .sigma = 2.1});
}

// One row of groups of the first blur computes 16 rows of the doubled image.
TEST(LongImages, SiftOfHalfAMillionRows) {
  expect_features_of_the_cpu<Extractor>(LongImage(14, 530'000, true), SiftOptions{.max_octaves = 1});
}

// By gradients: nearly all of such an image is flat, so it has no contrast by percentiles.
TEST(LongImages, TrilateralSift) {
  const SiftOptions options{.first_octave = 0,
                            .max_octaves = 2,
                            .edge_threshold = 0,
                            .smoothing = Smoothing::trilateral,
                            .trilateral_range = TrilateralRange::gradients};
  expect_features_of_the_cpu<Extractor>(LongImage(32, 140'000, true), options);
  expect_features_of_the_cpu<Extractor>(LongImage(32, 70'000, false), options);
}

TEST(LongImages, Foagdd) {
  const FoagddOptions options{.corner_threshold = 2};
  expect_features_of_the_cpu<Foagdd>(LongImage(64, 70'000, true), options);
  expect_features_of_the_cpu<Foagdd>(LongImage(64, 70'000, false), options);
  expect_features_of_the_cpu<Foagdd>(LongImage(16, 140'000, true), options);
}

TEST(LongImages, FoagddWithOtherDirectionsAndWindows) {
  const FoagddOptions options{.directions = 5, .window = 5, .corner_threshold = 2, .describe = true};
  expect_features_of_the_cpu<Foagdd>(LongImage(16, 140'000, true), options);
}

TEST(LongImages, TrilateralFilter) {
  for (const double sigma : {1.0, 2.5, 3.0}) {
    for (const LongImage& image : {LongImage(3, 1'100'000, true), LongImage(3, 140'000, false)}) {
      on_every_gpu([&](const std::string& gpu) {
        Plane expected, found;
        make_trilateral_engine({.spatial_sigma = sigma}, {.name = "cpu"})->filter(image.view(), expected);
        make_trilateral_engine({.spatial_sigma = sigma}, {.name = gpu})->filter(image.view(), found);
        const auto width = static_cast<std::size_t>(image.view().width);
        for (int y = 0; y < image.view().height; ++y) {
          ASSERT_TRUE(std::equal(found.row(y), found.row(y) + width, expected.row(y)))
              << gpu << ", " << image.name() << ", sigma " << sigma << ", row " << y;
        }
      });
    }
  }
}

}  // namespace
}  // namespace octavo
