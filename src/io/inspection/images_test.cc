// Images of planes: the meaning of a byte, the place of a tile, the directions of a descriptor.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "io/inspection/inspection_images.h"
#include "octavo/error.h"
#include "octavo/io/inspection_folder.h"

namespace octavo {
namespace {

Image plane(int width, int height, float value) {
  Image image(width, height, 1, PixelType::f32);
  for (int y = 0; y < height; ++y) {
    auto* row = reinterpret_cast<float*>(image.row(y));
    std::fill(row, row + width, value);
  }
  return image;
}

float& at(Image& image, int x, int y) { return reinterpret_cast<float*>(image.row(y))[x]; }
float value_at(const ImageView& view, int x, int y) { return reinterpret_cast<const float*>(view.row(y))[x]; }

TEST(Reduction, KeepsTheLongestSideWithinTheLimit) {
  EXPECT_EQ(reduction(640, 480, 640), 1);
  EXPECT_EQ(reduction(641, 480, 640), 2);
  EXPECT_EQ(reduction(480, 7680, 640), 12);
  EXPECT_EQ(reduction(7680, 4320, 0), 1);
}

TEST(Reduced, GivesMeansOrWhatIsFarthestFromZero) {
  Image image = plane(5, 3, 0);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 5; ++x) at(image, x, y) = static_cast<float>(10 * y + x);
  }
  const Image half = reduced({.stage = "blur", .pixels = image.view()}, 2);
  ASSERT_EQ(half.width(), 3);
  ASSERT_EQ(half.height(), 2);
  EXPECT_FLOAT_EQ(value_at(half.view(), 0, 0), 5.5f);   // 0 1 10 11
  EXPECT_FLOAT_EQ(value_at(half.view(), 2, 0), 9.0f);   // 4 14
  EXPECT_FLOAT_EQ(value_at(half.view(), 1, 1), 22.5f);  // 22 23
  EXPECT_FLOAT_EQ(value_at(half.view(), 2, 1), 24.0f);

  at(image, 1, 1) = -11.5f;  // 0 1 10 −11.5
  const Image strongest = reduced({.stage = "difference", .pixels = image.view(), .is_signed = true}, 2);
  ASSERT_EQ(strongest.width(), 3);
  EXPECT_EQ(value_at(strongest.view(), 0, 0), -11.5f);
  EXPECT_EQ(value_at(strongest.view(), 1, 0), 13);
  EXPECT_EQ(value_at(strongest.view(), 2, 1), 24);
}

TEST(ImageOf, MapsAsItsCommentSays) {
  Image image = plane(4, 1, 0);
  for (int x = 0; x < 4; ++x) at(image, x, 0) = std::array{-0.3f, -0.05f, 0.0f, 0.1f}[static_cast<std::size_t>(x)];
  const Image difference =
      image_of(image.view(), {.stage = "difference", .black = -0.1f, .white = 0.1f, .is_signed = true});
  EXPECT_EQ(static_cast<int>(difference.row(0)[0]), 1);
  EXPECT_EQ(static_cast<int>(difference.row(0)[1]), 65);  // 128 − 63.5 = 64.5
  EXPECT_EQ(static_cast<int>(difference.row(0)[2]), 128);
  EXPECT_EQ(static_cast<int>(difference.row(0)[3]), 255);
  const Image blur = image_of(image.view(), {.stage = "blur", .black = -0.3f, .white = 0.1f});
  EXPECT_EQ(static_cast<int>(blur.row(0)[0]), 0);
  EXPECT_EQ(static_cast<int>(blur.row(0)[2]), 191);
  EXPECT_EQ(static_cast<int>(blur.row(0)[3]), 255);
}

// The values of tiles identify octave and level: 10·octave + level + 1.
TEST(PackedPyramid, TilesAreWhereTheyBelong) {
  const int width = 21, height = 13;
  PackedPyramid packed(width, height, 0);
  ASSERT_EQ(packed.plane().pixels.width, 42);
  ASSERT_EQ(packed.plane().pixels.height, 26);
  for (int o = 2; o >= 0; --o) {
    for (int level = 0; level < 5; ++level) {
      const Image tile = plane(width >> o, height >> o, static_cast<float>(10 * o + level + 1));
      packed.add({.stage = "difference", .octave = o - 1, .level = level, .pixels = tile.view(), .white = 40}, -1);
      packed.add({.stage = "blur", .octave = o - 1, .level = level, .pixels = tile.view()}, -1);
    }
  }
  int x = 0, y = 0;
  std::vector<int> covered(33, 0);
  for (int j = 0; j < 26; ++j) {
    for (int i = 0; i < 42; ++i) ++covered[static_cast<std::size_t>(value_at(packed.plane().pixels, i, j))];
  }
  for (int o = 0; o < 3; ++o) {
    const int w = width >> o, h = height >> o;
    for (int level = 0; level < 3; ++level) {
      const int left = x + level % 2 * w, top = y + level / 2 * h, number = 10 * o + level + 1;
      EXPECT_EQ(value_at(packed.plane().pixels, left, top), static_cast<float>(number));
      EXPECT_EQ(value_at(packed.plane().pixels, left + w - 1, top + h - 1), static_cast<float>(number));
      EXPECT_EQ(covered[static_cast<std::size_t>(number)], w * h);
    }
    x += w;
    y += h;
  }
  const Image image = image_of(packed.plane().pixels, packed.plane());
  EXPECT_EQ(static_cast<int>(image.row(25)[41]), 128);  // free area is 0
  EXPECT_EQ(static_cast<int>(image.row(0)[0]), static_cast<int>(std::lround(128 + 127.0 / 40)));
}

TEST(PackedPyramid, IsReducedToTheLongestSide) {
  PackedPyramid packed(800, 600, 500);  // 1600 × 1200 by 4
  EXPECT_EQ(packed.plane().pixels.width, 400);
  EXPECT_EQ(packed.plane().pixels.height, 300);
  const Image tile = plane(400, 300, 0.25f);
  packed.add({.stage = "difference", .octave = 0, .level = 1, .pixels = tile.view(), .white = 1}, -1);
  EXPECT_FLOAT_EQ(value_at(packed.plane().pixels, 300, 150), 0.25f);
  EXPECT_FLOAT_EQ(value_at(packed.plane().pixels, 399, 224), 0.25f);
  EXPECT_EQ(value_at(packed.plane().pixels, 299, 150), 0);
}

TEST(Reduced, KeepsTheGreatestValueOfAPlaneWithPeaks) {
  constexpr float none = -std::numeric_limits<float>::infinity();
  Image pixels(4, 2, 1, PixelType::f32);
  const std::array values{none, -3.0f, none, none, -8.0f, -5.0f, none, none};
  for (int i = 0; i < 8; ++i) reinterpret_cast<float*>(pixels.row(i / 4))[i % 4] = values[static_cast<std::size_t>(i)];
  const StagePlane measure{
      .stage = "measure", .level = -1, .pixels = pixels.view(), .black = -8, .has_peaks = true, .scale = 2};
  EXPECT_EQ(measure.name(), "scale2_measure");
  const Image small = reduced(measure, 2);
  EXPECT_EQ(value_at(small.view(), 0, 0), -3);
  EXPECT_EQ(value_at(small.view(), 1, 0), none);
  EXPECT_EQ(static_cast<int>(image_of(small.view(), measure).row(0)[1]), 0);
}

TEST(Verdicts, HaveNamesAndColoursOfTheirOwn) {
  std::set<std::string_view> names;
  std::set<std::array<std::uint8_t, 3>> colours;
  for (std::size_t v = 0; v < verdict_count; ++v) {
    names.insert(name_of(static_cast<CandidateVerdict>(v)));
    colours.insert(colour_of(static_cast<CandidateVerdict>(v)));
  }
  EXPECT_EQ(names.size(), verdict_count);
  EXPECT_EQ(colours.size(), verdict_count);
}

std::array<int, 3> pixel(const Image& image, int x, int y) {
  std::array<int, 3> rgb{};
  for (std::size_t c = 0; c < 3; ++c) rgb[c] = static_cast<int>(image.row(y)[3 * static_cast<std::size_t>(x) + c]);
  return rgb;
}

std::array<int, 3> as_pixel(CandidateVerdict verdict) {
  const auto [red, green, blue] = colour_of(verdict);
  return {red, green, blue};
}

TEST(DrawCandidates, PutsDotsWhereTheCandidatesAreKeptOnesOnTop) {
  Image black(100, 80, 1, PixelType::u8);
  for (int y = 0; y < 80; ++y) std::fill(black.row(y), black.row(y) + 100, std::byte{0});
  const std::vector<Candidate> candidates = {{.x = 20, .y = 10, .verdict = CandidateVerdict::kept},
                                             {.x = 20, .y = 10, .verdict = CandidateVerdict::on_edge},
                                             {.x = 40, .y = 35, .verdict = CandidateVerdict::low_contrast}};
  // Pixel i of the image is pixels 2i and 2i + 1 of the image.
  const Image drawn = draw_candidates(black.view(), candidates, 2);
  ASSERT_EQ(drawn.width(), 100);
  EXPECT_EQ(pixel(drawn, 40, 20), as_pixel(CandidateVerdict::kept));
  EXPECT_EQ(pixel(drawn, 80, 70), as_pixel(CandidateVerdict::low_contrast));
  EXPECT_EQ(pixel(drawn, 60, 60), (std::array{0, 0, 0}));
  ASSERT_GT(drawn.height(), 80);  // the legend names the verdicts that occur
  std::set<std::array<int, 3>> below;
  for (int y = 80; y < drawn.height(); ++y) {
    for (int x = 0; x < 100; ++x) below.insert(pixel(drawn, x, y));
  }
  for (const CandidateVerdict v : {CandidateVerdict::kept, CandidateVerdict::on_edge, CandidateVerdict::low_contrast}) {
    EXPECT_TRUE(below.contains(as_pixel(v))) << name_of(v);
  }
  EXPECT_FALSE(below.contains(as_pixel(CandidateVerdict::unstable)));
}

// The only vote, of cell (row, column) and direction d, must point d/8 of a turn before the orientation.
// OpenCV's warp takes sides of at most 32766 pixels.
TEST(DrawDescriptor, LevelsMayBeLong) {
  const std::array<std::uint8_t, descriptor_length> none{};
  Image wide = plane(40000, 60, 0.5f), small = plane(200, 60, 0.5f);
  for (int i = 0; i < 40; ++i) {
    const float value = static_cast<float>(i % 7) / 7;
    at(wide, 38080 + i, 10 + i) = value;
    at(small, 80 + i, 10 + i) = value;
  }
  const auto drawn = [&](const Image& image, float x) {
    const StagePlane level{.stage = "blur", .octave = 0, .level = 1, .pixels = image.view()};
    return draw_descriptor(level, {.x = x, .y = 30, .scale = 3, .layer = 1}, none, 200);
  };
  const Image of_wide = drawn(wide, 38100), of_small = drawn(small, 100);
  for (int y = 0; y < 200; ++y) ASSERT_EQ(std::memcmp(of_wide.row(y), of_small.row(y), 600), 0) << y;
}

TEST(DrawDescriptor, RosesPointWhereTheDescriptorSays) {
  Image grey = plane(200, 200, 0.5f);
  at(grey, 0, 0) = 0;
  const StagePlane level{.stage = "blur", .octave = 0, .level = 1, .pixels = grey.view()};
  const int side = 640;
  for (const auto& [row, column, direction, turns] :
       {std::tuple{0, 0, 0, 0.0}, {3, 1, 2, 0.0}, {1, 2, 5, 0.25}, {2, 3, 7, 0.6}}) {
    std::array<std::uint8_t, descriptor_length> descriptor{};
    descriptor[static_cast<std::size_t>((row * 4 + column) * 8 + direction)] = 200;
    const double angle = turns * 2 * std::numbers::pi;
    const Keypoint keypoint{.x = 100, .y = 100, .scale = 4, .orientation = static_cast<float>(angle), .layer = 1};
    const Image drawn = draw_descriptor(level, keypoint, descriptor, side);
    ASSERT_EQ(drawn.width(), side);
    const double cell = side / 6.4, u = (column - 1.5) * cell, v = (row - 1.5) * cell;
    const double arrow = angle - direction * std::numbers::pi / 4;
    const double x = 319.5 + u * std::cos(angle) - v * std::sin(angle) + 0.3 * cell * std::cos(arrow);
    const double y = 319.5 + u * std::sin(angle) + v * std::cos(angle) + 0.3 * cell * std::sin(arrow);
    const auto [red, green, blue] = pixel(drawn, static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)));
    EXPECT_GT(red - blue, 80) << row << column << direction;
  }
  const std::array<std::uint8_t, descriptor_length> none{};
  EXPECT_EQ(draw_descriptor(level, {.x = 0, .y = 0, .scale = 2, .layer = 1}, none, 100).height(), 100);
  EXPECT_THROW(draw_descriptor({}, {.scale = 2}, none), Error);
}

TEST(DrawDescriptor, FrameIsThatOfTheEllipse) {
  Image grey = plane(300, 300, 0.5f);
  at(grey, 0, 0) = 0;
  const StagePlane level{.stage = "blur", .octave = 0, .level = 1, .pixels = grey.view()};
  const int side = 640;
  const Keypoint k{.x = 150, .y = 150, .scale = 4, .layer = 1, .a11 = 6, .a12 = 4, .a21 = -2, .a22 = 4.0f / 3};
  // The farthest corners, A·(±6, ±6), are at 1.13⁻¹ of the way to the edge.
  const double zoom = side / (2 * 1.13 * 6 * std::hypot(6 + 4, -2 + 4.0 / 3));
  const auto place = [&](double u, double v) {  // in units of σ
    return std::pair(319.5 + zoom * (6 * u + 4 * v), 319.5 + zoom * (-2 * u + 4.0 / 3 * v));
  };
  const auto colour_at = [&](const Image& drawn, std::pair<double, double> at) {
    return pixel(drawn, static_cast<int>(std::lround(at.first)), static_cast<int>(std::lround(at.second)));
  };
  const std::array<std::uint8_t, descriptor_length> none{};
  const Image empty = draw_descriptor(level, k, none, side);
  for (const double along : {-0.7, 0.4}) {  // the sides of the window are blue
    for (const auto& [u, v] : {std::pair{6.0, 6 * along}, {-6.0, 6 * along}, {6 * along, 6.0}, {6 * along, -6.0}}) {
      const auto [red, green, blue] = colour_at(empty, place(u, v));
      EXPECT_GT(blue - red, 60) << u << ' ' << v;
    }
  }
  for (const double turn : {0.7, 2.0, 4.0, 5.5}) {  // the ellipse is green
    const auto [red, green, blue] = colour_at(empty, place(std::cos(turn), std::sin(turn)));
    EXPECT_GT(green - red, 60) << turn;
  }
  std::array<std::uint8_t, descriptor_length> descriptor{};
  descriptor[(1 * 4 + 2) * 8 + 6] = 200;  // row 1, column 2, three quarters against the sense of the angle: downwards
  const auto [red, green, blue] = colour_at(draw_descriptor(level, k, descriptor, side), place(1.5, -1.5 + 0.9));
  EXPECT_GT(red - blue, 80);
}

TEST(InspectionFolder, RefusesFilesThatADetectorCannotGive) {
  EXPECT_THROW(check_inspection(FoagddOptions{}, {}, {.packed = true}), Error);
  EXPECT_THROW(check_inspection(FoagddOptions{}, {}, {.point = Point{3, 4}}), Error);
  EXPECT_NO_THROW(check_inspection(FoagddOptions{.describe = true}, {}, {.point = Point{3, 4}}));
  EXPECT_NO_THROW(check_inspection(SiftOptions{}, {}, {.point = Point{3, 4}, .packed = true}));
}

}  // namespace
}  // namespace octavo
