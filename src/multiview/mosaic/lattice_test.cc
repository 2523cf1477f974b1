// Tiles of patterns that repeat, with a few shapes that do not: most tiles agree a period away as well.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "multiview/mosaic/intensities.h"
#include "multiview/mosaic/other_places.h"
#include "multiview/mosaic/repetition.h"
#include "multiview/mosaic/test_scenes.h"

namespace octavo {
namespace {

using mosaic::test::input;
using mosaic::test::plan;

enum class Pattern { hexagons, bricks, windows };

struct Lattice {
  Pattern pattern;
  int period;       // [pixel]
  double contrast;  // [grey level]
};

const cv::Size tile_size(500, 400), tile_step(350, 280);
constexpr int tiles_along = 3;

void draw_lines(cv::Mat& whole, const Lattice& lattice) {
  const int period = lattice.period, line = period / 2;
  const auto draw = [&](const std::vector<cv::Point>& points, bool is_closed) {
    cv::polylines(whole, points, is_closed, lattice.contrast, 2, cv::LINE_AA);
  };
  for (int row = -1; row * line < whole.rows + period; ++row) {
    for (int x = (row % 2) * period / 2 - period; x < whole.cols + period; x += period) {
      const double side = period / std::numbers::sqrt3;
      const int y = lattice.pattern == Pattern::hexagons ? static_cast<int>(1.5 * side * row) : line * row;
      std::vector<cv::Point> corners;
      for (int k = 0; k < 6; ++k) {
        const double angle = k * std::numbers::pi / 3;
        corners.emplace_back(x + cvRound(side * std::sin(angle)), y + cvRound(side * std::cos(angle)));
      }
      switch (lattice.pattern) {
        case Pattern::hexagons:
          draw(corners, true);
          break;
        case Pattern::bricks:
          draw({{x, y + line}, {x, y}, {x + period, y}}, false);
          break;
        case Pattern::windows:
          if (row % 2 == 0) cv::rectangle(whole, {x, y, period / 2, 2 * period / 3}, lattice.contrast, cv::FILLED);
      }
    }
  }
}

// The lattice on a soft shade, and polygons.
cv::Mat lattice_with_shapes(const Lattice& lattice) {
  const cv::Size size((tiles_along - 1) * tile_step.width + tile_size.width,
                      (tiles_along - 1) * tile_step.height + tile_size.height);
  cv::RNG random(4);
  cv::Mat shade(4, 5, CV_32F), whole = cv::Mat::zeros(size, CV_32F), grey, colours;
  random.fill(shade, cv::RNG::NORMAL, 150, 10);
  cv::resize(shade, grey, size, 0, 0, cv::INTER_CUBIC);
  draw_lines(whole, lattice);
  for (int i = 0; i < 5; ++i) {
    const cv::Point middle(random.uniform(0, size.width), random.uniform(0, size.height));
    std::vector<cv::Point> corners;
    for (int k = 0; k < 7; ++k) {
      const double angle = 2 * std::numbers::pi * k / 7, reach = random.uniform(40.0, 130.0);
      corners.push_back(middle + cv::Point(cvRound(reach * std::cos(angle)), cvRound(reach * std::sin(angle))));
    }
    cv::fillPoly(whole, std::vector<std::vector<cv::Point>>{corners}, 60, cv::LINE_AA);
  }
  cv::cvtColor(grey + whole, colours, cv::COLOR_GRAY2RGB);
  return colours;
}

class Lattices : public testing::TestWithParam<Lattice> {};

TEST_P(Lattices, PlaceNoTileAPeriodAway) {
  const cv::Mat whole = lattice_with_shapes(GetParam());
  cv::RNG random(5);
  std::vector<cv::Point> corners;
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < tiles_along * tiles_along; ++i) {
    corners.emplace_back(i % tiles_along * tile_step.width, i / tiles_along * tile_step.height);
    cv::Mat noise(tile_size, CV_32FC3), tile;
    random.fill(noise, cv::RNG::NORMAL, 0, 2);
    cv::Mat(whole(cv::Rect(corners.back(), noise.size())) + noise).convertTo(tile, CV_8U);
    inputs.push_back(input(std::to_string(i), tile));
  }
  const MosaicPlan joined = plan(inputs, {.model = MosaicModel::similarity, .distortion = false, .seams = false});
  EXPECT_TRUE(std::ranges::any_of(joined.pairs,
                                  [](const MosaicPair& pair) { return pair.status == MosaicPairStatus::undecidable; }));
  if (!joined.found) return;
  const cv::Point first = corners[static_cast<std::size_t>(joined.reference)];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const MosaicImage& image = joined.images[i];
    if (image.status != MosaicImageStatus::placed) continue;
    EXPECT_NEAR(image.frame_from_image[2], corners[i].x - first.x, 3) << "tile " << i;
    EXPECT_NEAR(image.frame_from_image[5], corners[i].y - first.y, 3) << "tile " << i;
  }
}

// Bars of several widths look alike all along them; some discs tell where. From a place farther along the bars the
// alignment comes back: that is no other place.
TEST(Bars, WithDiscsAreDecided) {
  const cv::Size size(700, 400);
  cv::RNG random(3);
  cv::Mat scene(size, CV_8UC3, cv::Scalar::all(140));
  for (int x = -300; x < size.width; x += random.uniform(60, 140)) {
    cv::line(scene, {x, size.height}, {x + 300, 0}, cv::Scalar::all(random.uniform(40, 240)), random.uniform(10, 40),
             cv::LINE_AA);
  }
  for (int i = 0; i < 40; ++i) {
    cv::circle(scene, {random.uniform(0, size.width), random.uniform(0, size.height)}, random.uniform(3, 8),
               cv::Scalar::all(random.uniform(60, 220)), cv::FILLED, cv::LINE_AA);
  }
  cv::GaussianBlur(scene, scene, {}, 1.5);
  const auto seen_from = [&](int x) {
    cv::Mat noise(size.height, 500, CV_32FC3), tile;
    random.fill(noise, cv::RNG::NORMAL, 0, 2);
    cv::Mat part;
    scene(cv::Rect({x, 0}, noise.size())).convertTo(part, CV_32F);
    cv::Mat(part + noise).convertTo(tile, CV_8U);
    return mosaic::grey_image(tile, 2e6);
  };
  const mosaic::GreyImage a = seen_from(0), b = seen_from(200);
  mosaic::VerifiedPair pair;
  pair.b_from_a = {1, 0, -200, 0, 1, 0, 0, 0, 1};
  ASSERT_FALSE(mosaic::other_places(a, b, pair.b_from_a).empty());
  EXPECT_FALSE(mosaic::is_undecidable(pair, a, b, 3));
}

INSTANTIATE_TEST_SUITE_P(Each, Lattices,
                         testing::Values(Lattice{Pattern::hexagons, 190, -12}, Lattice{Pattern::hexagons, 130, -30},
                                         Lattice{Pattern::bricks, 150, -25}, Lattice{Pattern::bricks, 90, 20},
                                         Lattice{Pattern::windows, 190, -60}, Lattice{Pattern::windows, 120, 50}));

}  // namespace
}  // namespace octavo
