// What images show of their lens, and what they do not.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "multiview/mosaic/adjustment.h"
#include "multiview/mosaic/frames.h"
#include "multiview/mosaic/radial.h"
#include "multiview/mosaic/test_scenes.h"

namespace octavo {
namespace {

using mosaic::test::input;
using mosaic::test::plan;
using mosaic::test::scene;

constexpr int view_width = 300, view_height = 220;
const double unit = std::hypot(view_width, view_height) / 2;

// What a camera above a scene is, and where.
struct Shot {
  double x, y;      // [pixel] of the scene, that the middle of the image shows
  double turn = 0;  // [radian] about the optical axis
};

struct Lens {
  double radial = 0, darkening = 0;  // darkening: the logarithm of the corners' brightness
  double wobble = 0;                 // [pixel] by how much details are elsewhere in each image but the first
};

// Images with noise.
std::vector<MosaicInput> shots(const std::vector<Shot>& list, const Lens& lens,
                               const std::function<cv::Mat(const cv::Mat&, std::size_t)>& expose = {}) {
  const cv::Mat whole = scene(700, 520);
  cv::RNG random(4);
  std::vector<MosaicInput> inputs;
  for (std::size_t i = 0; i < list.size(); ++i) {
    cv::Mat x(view_height, view_width, CV_32F), y(view_height, view_width, CV_32F),
        light(view_height, view_width, CV_32FC3), pixels, image;
    for (int row = 0; row < view_height; ++row) {
      for (int column = 0; column < view_width; ++column) {
        const cv::Point2d p((column - (view_width - 1) / 2.0) / unit, (row - (view_height - 1) / 2.0) / unit);
        const cv::Point2d q = mosaic::undistorted(p, lens.radial) * unit;
        const double c = std::cos(list[i].turn), s = std::sin(list[i].turn);
        const double u = list[i].x + c * q.x - s * q.y, v = list[i].y + s * q.x + c * q.y;
        x.at<float>(row, column) =
            static_cast<float>(u + (i > 0 ? lens.wobble * std::sin(u / 40) * std::cos(v / 30) : 0));
        y.at<float>(row, column) = static_cast<float>(v);
        light.at<cv::Vec3f>(row, column) = cv::Vec3f::all(static_cast<float>(std::exp(lens.darkening * p.dot(p))));
      }
    }
    cv::remap(whole, pixels, x, y, cv::INTER_CUBIC);
    pixels.convertTo(pixels, CV_32F);
    pixels = pixels.mul(light);
    if (expose) pixels = expose(pixels, i);
    cv::Mat noise(pixels.size(), CV_32FC3);
    random.fill(noise, cv::RNG::NORMAL, 0, 2);
    cv::Mat(pixels + noise).convertTo(image, CV_8U);
    inputs.push_back(input(std::to_string(i), image));
  }
  return inputs;
}

const std::vector<Shot> one_view{{350, 260}, {350, 260}, {350, 260}};
const std::vector<Shot> tiles{{190, 180}, {350, 170}, {510, 180}, {190, 330}, {350, 340}, {510, 330}};

cv::Mat another_exposure(const cv::Mat& pixels, std::size_t i) { return pixels * (i == 0 ? 1.0 : i == 1 ? 0.8 : 1.15); }

// A camera's curve: dark colours change otherwise than bright ones, and so do the channels.
cv::Mat another_curve(const cv::Mat& pixels, std::size_t i) {
  std::vector<cv::Mat> channels;
  cv::split(cv::max(pixels, 0.0), channels);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const double gamma = 1 + 0.15 * static_cast<double>(i) * (static_cast<double>(c) - 1);
    cv::pow(channels[c] / 255, gamma, channels[c]);
    channels[c] *= 255;
  }
  cv::Mat curved;
  cv::merge(channels, curved);
  return curved;
}

TEST(Lens, IsNotShownByOneViewSeveralTimes) {
  const auto nothing_shown = [](const Lens& lens, const auto& expose) {
    const MosaicPlan joined = plan(shots(one_view, lens, expose));
    ASSERT_TRUE(joined.found) << joined.reason;
    EXPECT_EQ(joined.model, MosaicModel::similarity) << joined.why;
    EXPECT_FALSE(joined.distortion) << joined.images[0].radial;
    EXPECT_NEAR(static_cast<double>(joined.width), view_width, 2);
    EXPECT_NEAR(static_cast<double>(joined.height), view_height, 2);
    EXPECT_EQ(joined.vignetting, Vignetting());
  };
  nothing_shown({.radial = 0.08, .darkening = -0.3}, another_curve);
  nothing_shown({.wobble = 0.6}, another_exposure);
}

TEST(Lens, IsNotShownByTurnsAboutItsAxis) {
  const std::vector<Shot> list{{350, 260}, {350, 260, 0.2}, {350, 260, 0.5}};
  for (const Lens& lens : {Lens{.radial = 0.08, .darkening = -0.3}, Lens{.wobble = 0.6}}) {
    const MosaicPlan joined = plan(shots(list, lens));
    ASSERT_TRUE(joined.found) << joined.reason;
    EXPECT_FALSE(joined.distortion) << joined.images[0].radial;
    EXPECT_EQ(joined.vignetting, Vignetting());
  }
}

// An error of a tenth of a pixel of all places would change the distortion by as much as it is.
TEST(Lens, IsNotShownByTinyMotions) {
  const MosaicPlan joined = plan(shots({{350, 260}, {351, 260.4}, {349.6, 261}}, {.radial = 0.08}));
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_FALSE(joined.distortion) << joined.images[0].radial;
}

TEST(Lens, IsShownByTiles) {
  for (const double radial : {0.08, -0.06}) {
    const MosaicPlan joined = plan(shots(tiles, {.radial = radial, .darkening = -0.3}, another_exposure));
    ASSERT_TRUE(joined.found) << joined.reason;
    EXPECT_EQ(joined.model, MosaicModel::similarity) << joined.why;
    EXPECT_NEAR(joined.images[0].radial, radial, 0.005);
    EXPECT_NEAR(joined.vignetting[0] + joined.vignetting[1], -0.3, 0.04);
    EXPECT_NEAR(joined.images[1].gain[0] / joined.images[0].gain[0], 0.8, 0.01);
  }
}

constexpr int turned_width = 480, turned_height = 360;
const double turned_unit = std::hypot(turned_width, turned_height) / 2;

// Views of a camera that turns in the middle of a painted sphere. `ray` tells where a pixel looks (x to the right, y
// down, z forward) from its place relative to the centre, in halves of the diagonal.
std::vector<MosaicInput> turned(const std::vector<double>& yaws,
                                const std::function<cv::Vec3d(const cv::Point2d&)>& ray) {
  const cv::Mat sphere = scene(2100, 1050);
  std::vector<MosaicInput> inputs;
  for (const double yaw : yaws) {
    const double c = std::cos(yaw), s = std::sin(yaw);
    cv::Mat x(turned_height, turned_width, CV_32F), y(turned_height, turned_width, CV_32F), view;
    for (int row = 0; row < turned_height; ++row) {
      for (int column = 0; column < turned_width; ++column) {
        const cv::Vec3d at =
            ray({(column - (turned_width - 1) / 2.0) / turned_unit, (row - (turned_height - 1) / 2.0) / turned_unit});
        const double longitude = std::atan2(c * at[0] + s * at[2], c * at[2] - s * at[0]);
        x.at<float>(row, column) = static_cast<float>(1050 + longitude / CV_PI * 1050);
        y.at<float>(row, column) = static_cast<float>(525 + std::asin(at[1] / cv::norm(at)) / CV_PI * 1050);
      }
    }
    cv::remap(sphere, view, x, y, cv::INTER_CUBIC, cv::BORDER_REFLECT);
    inputs.push_back(input(std::to_string(yaw), view));
  }
  return inputs;
}

// Within a few pixels, homographies explain parts of the overlaps alone.
TEST(Lens, IsFoundWhereHomographiesExplainFewMatches) {
  const double focal = 1.12 * turned_unit, radial = 0.3;
  const MosaicPlan joined = plan(turned({-0.35, 0.0, 0.35}, [&](const cv::Point2d& p) {
    const cv::Point2d q = mosaic::undistorted(p, radial) * (turned_unit / focal);
    return cv::Vec3d(q.x, q.y, 1);
  }));
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.model, MosaicModel::rotation) << joined.why;
  EXPECT_NEAR(joined.images[0].radial, radial, 0.01);
  EXPECT_NEAR(joined.images[0].focal_length, focal, 0.02 * focal);
  EXPECT_LT(joined.held_out, 0.5);
  const MosaicPair& bent = joined.pairs[1];  // of the first image and the last: a homography explains half of it
  EXPECT_GT(bent.inliers, 0.9 * bent.matches);
  EXPECT_TRUE(joined.warnings.empty()) << joined.warnings[0];
}

// Lenses of other formulas: fisheyes whose distances from the centre grow with the angle, or with the sine of its half,
// and which see 105 and 149 degrees from corner to corner, like the wide fields of action cameras.
TEST(Lens, OfAFisheyeIsCloseEnough) {
  const double step = 0.45;
  for (const double corner : {0.92, 1.3}) {
    for (const bool by_sine : {false, true}) {
      const MosaicPlan joined = plan(turned({-step, 0.0, step}, [&](const cv::Point2d& p) {
        const double r = cv::norm(p), angle = by_sine ? 2 * std::asin(r * std::sin(corner / 2)) : r * corner;
        return cv::Vec3d(p.x / r * std::sin(angle), p.y / r * std::sin(angle), std::cos(angle));
      }));
      ASSERT_TRUE(joined.found) << joined.reason;
      EXPECT_EQ(joined.model, MosaicModel::rotation) << joined.why;
      EXPECT_LT(joined.held_out, 1.5) << corner << " " << by_sine;
      std::vector<cv::Vec3d> axes;
      for (const MosaicImage& image : joined.images) {
        EXPECT_EQ(image.status, MosaicImageStatus::placed) << image.reason;
        axes.push_back(cv::normalize(cv::Matx33d(image.frame_from_image.data()) *
                                     cv::Vec3d((turned_width - 1) / 2.0, (turned_height - 1) / 2.0, 1)));
      }
      for (std::size_t i = 1; i < axes.size(); ++i) {
        EXPECT_NEAR(std::acos(axes[i].dot(axes[i - 1])), step, 0.01) << corner << " " << by_sine;
      }
    }
  }
}

TEST(Lens, HasAUsualFocalLengthWhereNothingShowsIt) {
  const MosaicPlan joined =
      plan(shots(one_view, {}), {.model = MosaicModel::rotation, .keep_redundant = true, .seams = false});
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_NEAR(joined.images[0].focal_length, std::exp(mosaic::usual_log_focal) * unit, 1);
  ASSERT_EQ(joined.warnings.size(), 1U);
  EXPECT_NE(joined.warnings[0].find("that of a usual lens is assumed"), std::string::npos) << joined.warnings[0];
}

TEST(Lens, HasTheFocalLengthOfExifDataWhereNothingShowsIt) {
  std::vector<MosaicInput> inputs = shots(one_view, {});
  for (MosaicInput& input : inputs) {
    input.load = [load = input.load] {
      StoredImage stored = load();
      stored.focal_length = 3 * unit;
      return stored;
    };
  }
  const MosaicPlan joined = plan(inputs, {.model = MosaicModel::rotation, .keep_redundant = true, .seams = false});
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_NEAR(joined.images[0].focal_length, 3 * unit, 1);
  ASSERT_EQ(joined.warnings.size(), 1U);
  EXPECT_NE(joined.warnings[0].find("that of the EXIF data is taken"), std::string::npos) << joined.warnings[0];
}

// Noise of points that do not move tells nothing of a lens. Distances that are measured without the distortion shrink
// with it, and then all noise asks for as much of it as is allowed; noise alone asks for either sign.
TEST(Frames, DistortionDoesNotShrinkTheirDistances) {
  int below = 0, above = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    mosaic::Frames frames{
        MosaicModel::similarity, true, {cv::Matx33d::eye(), cv::Matx33d::eye()}, {0, 0}, {0}, {0}, {100, 100}};
    mosaic::PairPoints pair{0, 1, {}, {}, {}, {}};
    cv::RNG random(seed * 7919);
    for (int i = 0; i < 100; ++i) {
      const cv::Point2d p(random.uniform(-0.8, 0.8), random.uniform(-0.6, 0.6));
      pair.in_a.push_back(p);
      pair.in_b.push_back(p + cv::Point2d(random.gaussian(0.005), random.gaussian(0.005)));
      pair.weight_in_a.push_back(cv::Matx22d::eye());
      pair.weight_in_b.push_back(cv::Matx22d::eye());
    }
    mosaic::adjust(frames, {pair}, 0, mosaic::usual_huber);
    (frames.radial[0] < 0 ? below : above) += 1;
    EXPECT_GT(mosaic::lens_deviation(frames, {pair}, 0, mosaic::usual_huber, 0.5).radial[0], 1);
  }
  EXPECT_GT(below, 4);
  EXPECT_GT(above, 4);
}

TEST(Frames, DistortedIsTheInverseOfUndistorted) {
  for (const double radial : {mosaic::least_radial, -0.1, 0.0, 0.1, mosaic::largest_radial}) {
    for (const double r : {0.0, 0.3, 0.7, 1.0}) {
      const cv::Point2d p(0.6 * r, 0.8 * r);
      const auto again = mosaic::distorted(mosaic::undistorted(p, radial), radial);
      ASSERT_TRUE(again);
      EXPECT_LT(cv::norm(*again - p), 1e-6) << radial << " " << r;
    }
  }
  EXPECT_FALSE(mosaic::distorted({1.1, 0}, mosaic::least_radial));
}

}  // namespace
}  // namespace octavo
