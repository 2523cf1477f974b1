// The CPU's octaves equal the reference's, byte by byte: every instruction set, every way of cutting into tiles, sizes
// around the vector widths, all kinds of input.

#include <gtest/gtest.h>

#include <cstring>

#include "engine/scale_space/octave_cpu.h"
#include "engine/scale_space/scale_space_reference.h"
#include "engine/selftest/images.h"
#include "engine/sift/sift_parts.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"
#include "tests/conformance/isas.h"

namespace octavo {
namespace {

void expect_equal(const Plane& got, const Plane& expected, const std::string& what) {
  ASSERT_EQ(got.width(), expected.width()) << what;
  ASSERT_EQ(got.height(), expected.height()) << what;
  for (int y = 0; y < got.height(); ++y) {
    ASSERT_EQ(std::memcmp(got.row(y), expected.row(y), sizeof(float) * got.width()), 0) << what << ", row " << y;
  }
}

std::vector<Tile> tiles_of(Size size, int width, int height) {
  std::vector<Tile> tiles;
  for (int y = 0; y < size.height; y += height) {
    for (int x = 0; x < size.width; x += width) {
      tiles.push_back({x, std::min(x + width, size.width), y, std::min(y + height, size.height)});
    }
  }
  return tiles;
}

// Every level of the octave and the next one's first image, on every instruction set, cut into `tiles`.
void check_octave(OctaveJob job, const std::vector<Plane>& expected, const std::vector<Tile>& tiles,
                  const std::string& what) {
  Plane expected_half;
  reference::halved(expected[static_cast<std::size_t>(job.plan->halved)], expected_half);
  for (const Isa& isa : isas_to_compare()) {
    std::vector<Plane> levels(static_cast<std::size_t>(job.plan->levels()));
    Plane half;
    half.resize(job.size.width / 2, job.size.height / 2);
    job.keep.clear();
    for (Plane& level : levels) {
      level.resize(job.size.width, job.size.height);
      job.keep.push_back(&level);
    }
    job.half = &half;
    OctaveCpu cpu(isa);
    for (const Tile& tile : tiles) cpu.run(job, tile, nullptr);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      expect_equal(levels[i], expected[i], what + ", " + isa.name + ", level " + std::to_string(i));
    }
    expect_equal(half, expected_half, what + ", " + isa.name + ", half");
  }
}

void check_image(const ImageView& image, const SiftOptions& options, const std::string& what) {
  const ScaleSpacePlan plan = plan_scale_space(image.width, image.height, scale_space_of(options));
  const auto octaves = reference::scale_space(image, options.luma, plan);
  for (std::size_t o = 0; o < octaves.size(); ++o) {
    OctaveJob job{.plan = &plan, .size = plan.octaves[o], .reach = 6, .keep = {}};
    if (o == 0) {
      job.image = &image;
      job.luma = options.luma;
    } else {
      job.first = &octaves[o][0];
    }
    const std::string name = what + ", octave " + std::to_string(o);
    for (int threads : {1, 2, 7}) check_octave(job, octaves[o], cut_into_tiles(plan.octaves[o], threads), name);
    if (o == 0) check_octave(job, octaves[o], tiles_of(plan.octaves[o], 48, 37), name + ", small tiles");
  }
}

TEST(ScaleSpaceConformance, SizesAroundVectorWidths) {
  for (int size : {6, 7, 8, 15, 16, 17, 31, 33, 63, 65, 127, 257}) {
    const Image image = images::blobs(size, 70 - size % 13);
    check_image(image.view(), {}, std::to_string(size) + " wide");
    check_image(image.view(), {.first_octave = 0}, std::to_string(size) + " wide, not doubled");
  }
}

TEST(ScaleSpaceConformance, TallAndThin) {
  check_image(images::blobs(6, 300).view(), {}, "6×300");
  check_image(images::blobs(700, 12).view(), {.first_octave = 0}, "700×12");
}

TEST(ScaleSpaceConformance, LayersAndSigmas) {
  const Image image = images::blobs(97, 61);
  for (int layers : {1, 2, 5, 8}) check_image(image.view(), {.layers = layers}, std::to_string(layers) + " layers");
  check_image(image.view(), {.layers = 1, .sigma = 4}, "sigma 4");
  check_image(image.view(), {.sigma = 0.8}, "sigma 0.8");
}

TEST(ScaleSpaceConformance, OneKernelRepeatedWithoutAFirstBlur) {
  for (int size : {12, 15, 16, 17, 31, 33, 63, 65, 127, 257}) {
    check_image(images::blobs(size, 70 - size % 13, PixelType::u8, 3).view(), preset("tsp2023"),
                std::to_string(size) + " wide, tsp2023");
  }
  SiftOptions options = preset("tsp2023");
  options.first_octave = -1;
  for (const double sigma : {0.8, 1.6, 4.0}) {
    options.sigma = sigma;
    options.layers = 3;
    check_image(images::blobs(97, 61).view(), options, "doubled, sigma " + std::to_string(sigma));
  }
}

// Image 0 of the first octave is the image in grey, bit by bit.
TEST(ScaleSpaceReference, ARepeatedKernelBeginsWithTheImage) {
  const Image image = images::blobs(75, 52, PixelType::u16, 4);
  const SiftOptions options = preset("tsp2023");
  Plane grey;
  reference::grey(image.view(), options.luma, grey);
  const auto octaves =
      reference::scale_space(image.view(), options.luma, plan_scale_space(75, 52, scale_space_of(options)));
  expect_equal(octaves[0][0], grey, "image 0");
}

TEST(ScaleSpaceConformance, PixelTypesChannelsAndUnalignedRows) {
  for (PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32}) {
    for (int channels : {1, 2, 3, 4}) {
      const Image image = images::blobs(75, 52, type, channels);
      const std::string what =
          "type " + std::to_string(static_cast<int>(type)) + ", channels " + std::to_string(channels);
      check_image(image.view(), {.luma = Luma::bt601}, what);
      Image storage;
      check_image(images::unaligned(image, storage), {}, what + ", unaligned");
    }
  }
}

TEST(ScaleSpaceReference, GreyOfWhiteIsOneAndDoublingKeepsTheCentre) {
  Image white(9, 5, 3, PixelType::u8);
  for (int y = 0; y < 5; ++y) std::memset(white.row(y), 255, 27);
  Plane grey, twice;
  reference::grey(white.view(), Luma::bt709, grey);
  EXPECT_NEAR(grey.row(4)[8], 1.0f, 1e-6f);

  Image ramp(9, 5, 1, PixelType::f32);  // pixel i of the doubled ramp has the ramp's value at i/2
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 9; ++x)
      reinterpret_cast<float*>(ramp.row(y))[x] = static_cast<float>(x) / 16 + static_cast<float>(y) / 32;
  }
  reference::grey(ramp.view(), Luma::bt709, grey);
  reference::doubled(grey, twice);
  for (int y = 0; y < 9; ++y) {
    for (int x = 0; x < 17; ++x) {
      EXPECT_FLOAT_EQ(twice.row(y)[x], static_cast<float>(x) / 32 + static_cast<float>(y) / 64);
    }
  }
}

}  // namespace
}  // namespace octavo
