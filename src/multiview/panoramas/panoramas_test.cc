#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/multiview/panorama.h"

namespace octavo {
namespace {

constexpr double width = 512;

// A panorama whose samples are a smooth function of the direction, so that each view is known.
double brightness(const std::array<double, 3>& direction, int channel) {
  return 0.5 + 0.45 * direction[static_cast<std::size_t>(channel)];
}

Image made_panorama(PixelType type, double full) {
  Image image(static_cast<int>(width), static_cast<int>(width) / 2, 3, type);
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const auto direction = panorama_direction(x + 0.5, y + 0.5, width);
      for (int c = 0; c < 3; ++c) {
        const double value = brightness(direction, c) * full;
        if (type == PixelType::u8) {
          reinterpret_cast<std::uint8_t*>(image.row(y))[3 * x + c] = static_cast<std::uint8_t>(std::lround(value));
        } else {
          reinterpret_cast<std::uint16_t*>(image.row(y))[3 * x + c] = static_cast<std::uint16_t>(std::lround(value));
        }
      }
    }
  }
  return image;
}

Eigen::Quaterniond turn_of(const PanoramaView& view) {
  const auto& [w, x, y, z] = view.view_from_panorama;
  return {w, x, y, z};
}

TEST(PanoramaDirections, FollowTheConvention) {
  const auto expect = [](double u, double v, const Eigen::Vector3d& direction) {
    const auto found = panorama_direction(u, v, width);
    EXPECT_NEAR((Eigen::Vector3d(found.data()) - direction).norm(), 0, 1e-12) << u << ' ' << v;
  };
  expect(width / 2, width / 4, {0, 0, 1});      // the middle is ahead
  expect(width * 0.75, width / 4, {1, 0, 0});   // a quarter on is right
  expect(width * 0.25, width / 4, {-1, 0, 0});  // and before it left
  expect(0, width / 4, {0, 0, -1});             // the ends are behind
  expect(width / 2, 0, {0, -1, 0});             // the first row is up
  expect(width / 2, width / 2, {0, 1, 0});
}

TEST(PanoramaDirections, GoBackAndForth) {
  for (double u = 0.25; u < width; u += 7.3) {
    for (double v = 0.25; v < width / 2; v += 5.1) {
      const auto [again_u, again_v] = panorama_place(panorama_direction(u, v, width), width);
      EXPECT_NEAR(again_u, u, 1e-9);
      EXPECT_NEAR(again_v, v, 1e-9);
    }
  }
}

TEST(PanoramaViews, AreNamedByTheirDirections) {
  PanoramaOptions options{.panorama_views = 4, .view_poles = true};
  const std::vector<PanoramaView> views = panorama_views(options);
  std::vector<std::string> names;
  for (const PanoramaView& view : views) names.push_back(view.name);
  EXPECT_EQ(names, (std::vector<std::string>{"yaw000", "yaw090", "yaw180", "yaw270", "up", "down"}));
  const std::array<Eigen::Vector3d, 6> ahead{{{0, 0, 1}, {1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}}};
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Eigen::Vector3d middle = turn_of(views[i]).conjugate() * Eigen::Vector3d::UnitZ();
    EXPECT_NEAR((middle - ahead[i]).norm(), 0, 1e-12) << views[i].name;
  }
}

TEST(PanoramaViews, KeepTheResolution) {
  EXPECT_EQ(view_size_of({}, 6283), 2000);  // f = 1000
  EXPECT_NEAR(focal_length_of({}, 2000), 1000, 1e-9);
  EXPECT_EQ(view_size_of({.view_size = 640}, 6283), 640);
}

// A new member of the struct must have a row, or it would be neither checked nor settable.
TEST(PanoramaOptions, HasARowForEveryMember) {
  const OptionTable<PanoramaOptions>& table = option_table<PanoramaOptions>();
  const PanoramaOptions other{.panoramas = PanoramaOptions::Which::none,
                              .panorama_views = 6,
                              .view_angle = 100,
                              .view_size = 640,
                              .view_poles = true};
  PanoramaOptions copy;
  for (const auto& option : table.options) {
    EXPECT_NE(option.read(copy, option), option.read(other, option)) << option.name;
    table.set(copy, option, option.read(other, option));
  }
  EXPECT_EQ(copy, other);
}

TEST(PanoramaViews, RefuseValuesOutOfRange) {
  EXPECT_NO_THROW(validate(PanoramaOptions{}));
  EXPECT_THROW(validate(PanoramaOptions{.view_angle = 130}), Error);
  EXPECT_THROW(validate(PanoramaOptions{.view_size = 8}), Error);
}

TEST(PanoramaViews, AreTwiceAsWideAsHigh) {
  EXPECT_TRUE(is_two_to_one({6720, 3360}));
  EXPECT_TRUE(is_two_to_one({6719, 3360}));
  EXPECT_FALSE(is_two_to_one({6710, 3360}));
  EXPECT_THROW(PanoramaCutter(Image(600, 200, 1, PixelType::u8).view(), {}), Error);
}

TEST(ToldPanorama, IsReadFromAttributesAndElements) {
  EXPECT_EQ(told_panorama(R"(<rdf:Description GPano:ProjectionType="equirectangular"/>)"), ToldPanorama::whole);
  EXPECT_EQ(told_panorama("<GPano:ProjectionType>equirectangular</GPano:ProjectionType>"), ToldPanorama::whole);
  EXPECT_EQ(told_panorama("<GPano:ProjectionType>cylindrical</GPano:ProjectionType>"), ToldPanorama::none);
  EXPECT_EQ(told_panorama("GPano:ProjectionType"), ToldPanorama::none);
  EXPECT_EQ(told_panorama(""), ToldPanorama::none);
  const std::string sizes = R"( GPano:CroppedAreaImageWidthPixels="4000" GPano:FullPanoWidthPixels="8000")";
  EXPECT_EQ(told_panorama(R"(GPano:ProjectionType="equirectangular")" + sizes), ToldPanorama::part);
  EXPECT_EQ(told_panorama(R"(GPano:ProjectionType = 'equirectangular' GPano:FullPanoWidthPixels='x')"),
            ToldPanorama::whole);
}

// Every pixel of every view has the brightness of its direction: across the seam and at the poles too.
class CutPanorama : public testing::TestWithParam<std::pair<PixelType, int>> {};

TEST_P(CutPanorama, ShowsWhatLiesInEachDirection) {
  const auto [type, size] = GetParam();
  const double full = type == PixelType::u8 ? 255 : 65535;
  const Image panorama = made_panorama(type, full);
  const PanoramaOptions options{.view_size = size, .view_poles = true};
  const PanoramaCutter cutter(panorama.view(), options);
  ASSERT_EQ(cutter.size(), size == 0 ? 163 : size);
  const double focal = focal_length_of(options, cutter.size()), middle = cutter.size() / 2.0;
  for (const PanoramaView& view : panorama_views(options)) {
    const Image cut = cutter.cut(view);
    ASSERT_EQ(cut.type(), type);
    ASSERT_EQ(cut.width(), cutter.size());
    double worst = 0;
    for (int y = 0; y < cut.height(); ++y) {
      for (int x = 0; x < cut.width(); ++x) {
        const Eigen::Vector3d ray =
            (turn_of(view).conjugate() * Eigen::Vector3d(x + 0.5 - middle, y + 0.5 - middle, focal)).normalized();
        for (int c = 0; c < 3; ++c) {
          const double value = type == PixelType::u8 ? reinterpret_cast<const std::uint8_t*>(cut.row(y))[3 * x + c]
                                                     : reinterpret_cast<const std::uint16_t*>(cut.row(y))[3 * x + c];
          worst = std::max(worst, std::abs(value / full - brightness({ray.x(), ray.y(), ray.z()}, c)));
        }
      }
    }
    EXPECT_LT(worst, 0.006) << view.name;  // 1.5 of 255
  }
}

INSTANTIATE_TEST_SUITE_P(TypesAndSizes, CutPanorama,
                         testing::Values(std::pair{PixelType::u8, 0}, std::pair{PixelType::u16, 0},
                                         std::pair{PixelType::u8, 48}));

// Stripes of one pixel become their mean in a view of a quarter of the size, not stripes of other widths.
TEST(PanoramaCutter, TakesMeansWhereViewsHaveFewerPixels) {
  Image panorama(512, 256, 1, PixelType::u8);
  for (int y = 0; y < panorama.height(); ++y) {
    for (int x = 0; x < panorama.width(); ++x) panorama.row(y)[x] = std::byte(x % 2 == 0 ? 0 : 250);
  }
  const Image cut = PanoramaCutter(panorama.view(), {.view_size = 40}).cut(panorama_views({}).front());
  for (int y = 0; y < cut.height(); ++y) {
    for (int x = 0; x < cut.width(); ++x) EXPECT_NEAR(std::to_integer<int>(cut.row(y)[x]), 125, 12);
  }
}

}  // namespace
}  // namespace octavo
