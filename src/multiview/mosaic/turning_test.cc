// Cameras that turn: which sets are of one, its focal length, and the whole turn.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "multiview/mosaic/test_scenes.h"
#include "octavo/error.h"

namespace octavo {
namespace {

using mosaic::test::colours;
using mosaic::test::input;
using mosaic::test::plan;
using mosaic::test::rms;
using mosaic::test::scene;

TEST(TurningCamera, IsFound) {
  const cv::Mat whole = scene(900, 420);
  const double focal = 330;
  const cv::Matx33d camera(focal, 0, 149.5, 0, focal, 119.5, 0, 0, 1), plane(focal, 0, 450, 0, focal, 210, 0, 0, 1);
  std::vector<MosaicInput> inputs;
  for (const double angle : {-0.5, -0.25, 0.0, 0.25, 0.5}) {
    const double c = std::cos(angle), s = std::sin(angle);
    const cv::Matx33d turn(c, 0, s, 0, 1, 0, -s, 0, c);
    cv::Mat view;
    cv::warpPerspective(whole, view, plane * turn * camera.inv(), {300, 240}, cv::INTER_CUBIC | cv::WARP_INVERSE_MAP,
                        cv::BORDER_REFLECT);
    inputs.push_back(input(std::to_string(angle), view));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.model, MosaicModel::rotation) << joined.why;
  EXPECT_NEAR(joined.images[1].focal_length, focal, 0.03 * focal);
  EXPECT_EQ(joined.projection, MosaicProjection::cylinder);
  ASSERT_TRUE(plan(inputs, {.projection = MosaicProjection::plane}).found);
}

// All around a camera: longitude to the right, latitude down. Its left and right ends meet.
cv::Mat panorama(int width, int height) {
  const int margin = 60;
  cv::RNG random(7);
  cv::Mat sum(height, width, CV_32FC3, cv::Scalar::all(127));
  for (const double sigma : {2.0, 5.0, 12.0}) {
    cv::Mat noise(height, width, CV_32FC3), wide;
    random.fill(noise, cv::RNG::NORMAL, 0, 60 * sigma);
    cv::copyMakeBorder(noise, wide, 0, 0, margin, margin, cv::BORDER_WRAP);
    cv::GaussianBlur(wide, wide, {}, sigma);
    sum += wide.colRange(margin, margin + width);
  }
  cv::Mat image;
  sum.convertTo(image, CV_8U);
  return image;
}

// What a camera sees of a panorama whose angles are pixels/scale; latitude 0 is in its middle.
// `hand` is the place of the camera, and `distance` that of what it sees in a direction.
double uneven(const cv::Vec3d& ray) { return 1 + 0.3 * std::sin(5 * std::atan2(ray[0], ray[2])); }
double lawn(const cv::Vec3d& ray) { return ray[1] > 0.05 ? 1 / ray[1] : 20; }
cv::Mat view_of(const cv::Mat& panorama, const cv::Matx33d& rotation, double focal, cv::Size size,
                const cv::Vec3d& hand = {}, double (*distance)(const cv::Vec3d&) = uneven) {
  const double scale = panorama.cols / (2 * std::numbers::pi);
  constexpr int margin = 8;
  cv::Mat wide, x(size, CV_32F), y(size, CV_32F), view;
  cv::copyMakeBorder(panorama, wide, 0, 0, margin, margin, cv::BORDER_WRAP);
  for (int row = 0; row < size.height; ++row) {
    for (int column = 0; column < size.width; ++column) {
      cv::Vec3d ray = rotation * cv::Vec3d(column - (size.width - 1) / 2.0, row - (size.height - 1) / 2.0, focal);
      ray = cv::normalize(ray);
      ray = ray * distance(ray) + hand;
      const double longitude = std::atan2(ray[0], ray[2]), latitude = std::atan2(ray[1], std::hypot(ray[0], ray[2]));
      x.at<float>(row, column) = static_cast<float>((longitude + std::numbers::pi) * scale + margin - 0.5);
      y.at<float>(row, column) = static_cast<float>(latitude * scale + panorama.rows / 2.0 - 0.5);
    }
  }
  cv::remap(wide, view, x, y, cv::INTER_CUBIC, cv::BORDER_REFLECT);
  return view;
}

cv::Matx33d turned(double yaw, double pitch, double roll) {
  cv::Matx33d y, x, z;
  cv::Rodrigues(cv::Vec3d(0, yaw, 0), y);
  cv::Rodrigues(cv::Vec3d(pitch, 0, 0), x);
  cv::Rodrigues(cv::Vec3d(0, 0, roll), z);
  return y * x * z;
}

// The rotation from image a to image b in a plan, against the truth [radian].
double rotation_error(const MosaicPlan& plan, const std::vector<cv::Matx33d>& truth, std::size_t a, std::size_t b) {
  const auto rotation = [&](std::size_t i) {
    const MosaicImage& image = plan.images[i];
    const double f = image.focal_length;
    const cv::Matx33d camera(f, 0, (image.size.width - 1) / 2.0, 0, f, (image.size.height - 1) / 2.0, 0, 0, 1);
    const cv::SVD svd(cv::Mat(cv::Matx33d(image.frame_from_image.data()) * camera));
    return cv::Matx33d(cv::Mat(svd.u * svd.vt));
  };
  cv::Vec3d difference;
  cv::Rodrigues(truth[b].t() * truth[a] * (rotation(b).t() * rotation(a)).t(), difference);
  return cv::norm(difference);
}

// The last column differs from the first as from its neighbour.
void expect_ends_meet(const cv::Mat& drawn) {
  const cv::Range rows(drawn.rows / 2 - 60, drawn.rows / 2 + 60);
  const int last = drawn.cols - 1;
  const double inside = rms(drawn(rows, {last - 2, last - 1}), drawn(rows, {last - 1, last}));
  EXPECT_LT(rms(drawn(rows, {0, 1}), drawn(rows, {last, last + 1})), 2 * inside + 2);
}

// The pair that closes the ring has far fewer matches than the others, and the moving hand makes the focal length
// unsure.
TEST(TurningCamera, ClosesARingByAWeakPair) {
  cv::Mat whole = panorama(1440, 500);
  constexpr int views = 10;
  const double focal = 230;
  cv::Mat smooth = whole.colRange(1320, 1400);  // all that views 4 and 5 share
  cv::GaussianBlur(smooth, smooth, {}, 2);
  cv::RNG random(10);
  std::vector<MosaicInput> inputs;
  std::vector<cv::Matx33d> truth;
  for (int i = 0; i < views; ++i) {
    // Moved or not, in each direction.
    const cv::Vec3d hand =
        -0.05 * cv::Vec3d(1 - random.uniform(0, 2), 1 - random.uniform(0, 2), 1 - random.uniform(0, 2));
    truth.push_back(turned(i * 2 * std::numbers::pi / views, 0.03 * std::sin(3.0 * i), 0.02 * std::cos(5.0 * i)));
    inputs.push_back(input(std::to_string(i), view_of(whole, truth.back(), focal, {230, 190}, hand)));
  }
  const MosaicPlan ring = plan(inputs);
  ASSERT_TRUE(ring.found) << ring.reason;
  EXPECT_EQ(ring.model, MosaicModel::rotation) << ring.why;
  for (std::size_t i = 0; i < views; ++i) EXPECT_LT(rotation_error(ring, truth, i, (i + 1) % views), 0.15) << i;
  const auto weak = std::ranges::find_if(ring.pairs, [](const MosaicPair& pair) { return pair.a == 4 && pair.b == 5; });
  ASSERT_NE(weak, ring.pairs.end());
  EXPECT_EQ(weak->status, MosaicPairStatus::used);
  EXPECT_LT(weak->residual, 3);
}

TEST(TurningCamera, IsNotHeldByWhoWalksAlong) {
  // The same person stands in each view, beside the way: by the person alone all pairs of views agree, with each other
  // too.
  const cv::Mat whole = panorama(1440, 500), person = scene(60, 150, 5);
  const double focal = 230;
  constexpr int views = 5;
  std::vector<MosaicInput> inputs;
  std::vector<cv::Matx33d> truth;
  for (int i = 0; i < views; ++i) {
    truth.push_back(turned(0.62 * i, 0.03 * std::sin(3.0 * i), 0.02 * std::cos(5.0 * i)));
    cv::Mat view = view_of(whole, truth.back(), focal, {240, 200});
    person.copyTo(view(cv::Rect({80 + 17 * (i * i % 4), 20 + 3 * i}, person.size())));
    inputs.push_back(input(std::to_string(i), view));
  }
  const MosaicPlan joined = plan(inputs);
  ASSERT_TRUE(joined.found) << joined.reason;
  EXPECT_EQ(joined.model, MosaicModel::rotation) << joined.why;
  for (std::size_t i = 0; i + 1 < views; ++i) {
    EXPECT_EQ(joined.images[i].status, MosaicImageStatus::placed);
    EXPECT_LT(rotation_error(joined, truth, i, i + 1), 2 / focal) << i;
  }
}

TEST(TurningCamera, ClosesARing) {
  const cv::Mat whole = panorama(1440, 500);
  const double focal = 230;
  constexpr int views = 10;
  const cv::Size size(230, 190);
  std::vector<MosaicInput> inputs;
  std::vector<cv::Matx33d> truth;
  for (int i = 0; i < views; ++i) {
    // Tilted a little, up and down, as by hand.
    truth.push_back(turned(i * 2 * std::numbers::pi / views, 0.03 * std::sin(3.0 * i), 0.02 * std::cos(5.0 * i)));
    inputs.push_back(input(std::to_string(i), view_of(whole, truth.back(), focal, size)));
  }
  const MosaicPlan ring = plan(inputs, {});
  ASSERT_TRUE(ring.found) << ring.reason;
  EXPECT_EQ(ring.model, MosaicModel::rotation) << ring.why;
  EXPECT_EQ(ring.projection, MosaicProjection::cylinder);
  for (std::size_t i = 0; i < views; ++i) {
    EXPECT_EQ(ring.images[i].status, MosaicImageStatus::placed);
    EXPECT_NEAR(ring.images[i].focal_length, focal, 0.005 * focal);
    EXPECT_LT(rotation_error(ring, truth, i, (i + 1) % views), 0.5 / focal);
    EXPECT_LT(rotation_error(ring, truth, i, (i + views / 2) % views), 0.5 / focal);
  }
  EXPECT_LT(ring.loop_error.value(), 0.5);
  // The whole turn, and no more.
  EXPECT_NEAR(static_cast<double>(ring.width), 2 * std::numbers::pi * ring.scale, 1e-6);
  // The horizon is straight: all rays of centres are near the horizontal plane.
  for (const MosaicImage& image : ring.images) {
    const cv::Vec3d middle =
        cv::Matx33d(image.frame_from_image.data()) * cv::Vec3d((size.width - 1) / 2.0, (size.height - 1) / 2.0, 1);
    EXPECT_LT(std::abs(middle[1]) / cv::norm(middle), 0.05);
  }
  expect_ends_meet(colours(draw_mosaic(ring, inputs)));
  const MosaicPlan cut = plan(inputs, {.seams = false, .crop = true});
  EXPECT_EQ(cut.width, ring.width);
  EXPECT_EQ(cut.left, ring.left);
  EXPECT_LT(cut.height, ring.height - 10);
  try {
    plan(inputs, {.projection = MosaicProjection::pannini, .seams = false});
    ADD_FAILURE() << "nothing is thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "the images are 360 degrees wide, the projection pannini takes 240: those that draw them are cylinder, "
        "sphere, stereographic");
  }
  // A little planet: what is straight below is in the middle, and the horizon at 2 from it.
  const MosaicPlan planet = plan(inputs, {.projection = MosaicProjection::stereographic, .seams = false});
  EXPECT_NEAR(static_cast<double>(planet.width) / planet.scale, static_cast<double>(planet.height) / planet.scale, 0.1);
  for (const MosaicImage& image : planet.images) {
    const cv::Vec3d middle =
        cv::Matx33d(image.frame_from_image.data()) * cv::Vec3d((size.width - 1) / 2.0, (size.height - 1) / 2.0, 1);
    EXPECT_LT(std::abs(middle[2]) / cv::norm(middle), 0.05);
    const cv::Vec3d above = cv::Matx33d(image.frame_from_image.data()) * cv::Vec3d(114.5, 0, 1);
    EXPECT_LT(above[2] / cv::norm(above), -0.2);
  }
}

TEST(TurningCamera, ClosesASphere) {
  const cv::Mat whole = panorama(1440, 720);
  const double focal = 230;
  const cv::Size size(270, 300);
  std::vector<MosaicInput> inputs;
  std::vector<cv::Matx33d> truth;
  for (const double pitch : {-0.43, 0.43}) {
    for (int i = 0; i < 8; ++i) truth.push_back(turned(i * std::numbers::pi / 4, pitch, 0.02 * std::cos(5.0 * i)));
  }
  for (std::size_t i = 0; i < truth.size(); ++i) {
    inputs.push_back(input(std::to_string(i), view_of(whole, truth[i], focal, size)));
  }
  const MosaicPlan sphere = plan(inputs, {});
  ASSERT_TRUE(sphere.found) << sphere.reason;
  EXPECT_EQ(sphere.model, MosaicModel::rotation) << sphere.why;
  EXPECT_EQ(sphere.projection, MosaicProjection::sphere);
  EXPECT_NEAR(static_cast<double>(sphere.width), 2 * std::numbers::pi * sphere.scale, 1e-6);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ASSERT_EQ(sphere.images[i].status, MosaicImageStatus::placed) << sphere.images[i].reason;
    EXPECT_LT(rotation_error(sphere, truth, i, (i + 1) % truth.size()), 0.5 / focal);
    EXPECT_LT(rotation_error(sphere, truth, i, (i + truth.size() / 2) % truth.size()), 0.5 / focal);
  }
  expect_ends_meet(colours(draw_mosaic(sphere, inputs)));
}

TEST(TurningCamera, LeavesTheWidestGapBehind) {
  const cv::Mat whole = panorama(1440, 400);
  const double focal = 230;
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 6; ++i) {
    // From −150° to 30°: the middle is −60°.
    const cv::Matx33d rotation = turned((-150 + 36 * i) * std::numbers::pi / 180, 0, 0);
    inputs.push_back(input(std::to_string(i), view_of(whole, rotation, focal, {230, 190})));
  }
  const MosaicPlan arc = plan(inputs);
  ASSERT_TRUE(arc.found) << arc.reason;
  EXPECT_EQ(arc.model, MosaicModel::rotation) << arc.why;
  EXPECT_EQ(arc.projection, MosaicProjection::cylinder);
  const auto heading = [&](std::size_t i) {
    const cv::Vec3d middle = cv::Matx33d(arc.images[i].frame_from_image.data()) * cv::Vec3d(114.5, 94.5, 1);
    return std::atan2(middle[0], middle[2]);
  };
  EXPECT_NEAR(heading(0) + heading(5), 0, 0.03);
  EXPECT_NEAR(heading(5) - heading(0), std::numbers::pi, 0.02);
  EXPECT_NEAR(static_cast<double>(arc.width) / arc.scale, std::numbers::pi + 2 * std::atan(115 / focal), 0.02);
}

// The cameras have one x axis, which does not tell the vertical direction.
TEST(TurningCamera, KeepsATallPanoramaUpright) {
  const cv::Mat whole = panorama(1440, 720);
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 5; ++i) {
    inputs.push_back(input(std::to_string(i), view_of(whole, turned(1, 0.4 * (i - 2), 0), 230, {230, 190})));
  }
  const MosaicPlan tall = plan(inputs);
  ASSERT_TRUE(tall.found) << tall.reason;
  EXPECT_EQ(tall.model, MosaicModel::rotation) << tall.why;
  EXPECT_EQ(tall.projection, MosaicProjection::sphere);
  EXPECT_LT(tall.width, tall.height);
  for (int i = 0; i < 5; ++i) {
    const cv::Matx33d frame(tall.images[static_cast<std::size_t>(i)].frame_from_image.data());
    const cv::Vec3d middle = frame * cv::Vec3d(114.5, 94.5, 1);
    EXPECT_NEAR(std::atan2(middle[1], middle[2]), 0.4 * (2 - i), 0.02);
    EXPECT_NEAR(middle[0] / cv::norm(middle), 0, 0.01);
  }
}

// Equal windows join images that do not overlap; the pairs of neighbours, which have far more matches, are right.
TEST(TurningCamera, IsNotMisledByWindowsThatRepeat) {
  constexpr int period = 192, views = 12;
  const cv::Mat window = scene(56, 80, 3);
  cv::Mat whole = panorama(12 * period, 700);
  for (int x = 20; x < whole.cols; x += period) {
    for (const int y : {250, 400}) window.copyTo(whole(cv::Rect(x, y, window.cols, window.rows)));
  }
  const double focal = 150 / std::tan(29 * std::numbers::pi / 180);
  std::vector<MosaicInput> inputs;
  std::vector<cv::Matx33d> truth;
  for (int i = 0; i < views; ++i) {
    truth.push_back(turned(i * std::numbers::pi / 6, 0.02 * std::sin(3.0 * i), 0.01 * std::cos(5.0 * i)));
    inputs.push_back(input(std::to_string(i), view_of(whole, truth.back(), focal, {300, 240})));
  }
  const MosaicPlan ring = plan(inputs);
  ASSERT_TRUE(ring.found) << ring.reason;
  EXPECT_EQ(ring.model, MosaicModel::rotation) << ring.why;
  EXPECT_TRUE(std::any_of(ring.pairs.begin(), ring.pairs.end(),
                          [](const MosaicPair& pair) { return pair.status == MosaicPairStatus::inconsistent; }));
  for (std::size_t i = 0; i < views; ++i) {
    ASSERT_EQ(ring.images[i].status, MosaicImageStatus::placed);
    EXPECT_LT(rotation_error(ring, truth, i, (i + 1) % views), 0.5 / focal);
    EXPECT_LT(rotation_error(ring, truth, i, (i + views / 2) % views), 1 / focal);
  }
}

// Of a lawn before the feet a homography follows the displacements far better, and no plane can show so wide a view.
TEST(TurningCamera, MayMoveAboveALawn) {
  const cv::Mat whole = panorama(2000, 900);
  cv::RNG random(4);
  std::vector<MosaicInput> inputs;
  std::vector<cv::Matx33d> truth;
  for (int i = 0; i < 8; ++i) {
    const cv::Vec3d hand(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05));
    truth.push_back(turned(0.5 * (i % 4), i < 4 ? 0.1 : -0.4, 0.02 * std::cos(5.0 * i)));
    inputs.push_back(input(std::to_string(i), view_of(whole, truth.back(), 300, {320, 260}, hand, lawn)));
  }
  const MosaicPlan held = plan(inputs);
  ASSERT_TRUE(held.found) << held.reason;
  EXPECT_EQ(held.model, MosaicModel::rotation) << held.why;
  for (std::size_t i = 0; i + 1 < truth.size(); ++i) EXPECT_LT(rotation_error(held, truth, i, i + 1), 0.05) << i;
}

// By a long lens each view is nearly as by an affine camera; the plane of all of them has no end.
TEST(TurningCamera, IsNoPlaneThatCannotBeDrawn) {
  const cv::Mat whole = panorama(2600, 1100);
  cv::RNG random(2);
  constexpr double h = 0.1;
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 9; ++i) {
    const cv::Vec3d hand(random.uniform(-h, h), random.uniform(-h, h), random.uniform(-h, h));
    inputs.push_back(input(std::to_string(i), view_of(whole, turned(0.35 * i, -0.05, 0), 440, {320, 260}, hand, lawn)));
  }
  const MosaicPlan held = plan(inputs);
  ASSERT_TRUE(held.found) << held.reason;
  EXPECT_EQ(held.model, MosaicModel::rotation) << held.why;
}

// Its hand moves: a homography for each image follows the displacements, and is no better for it.
TEST(TurningCamera, MayMoveALittle) {
  const cv::Mat whole = panorama(2200, 700);
  cv::RNG random(3);
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 5; ++i) {
    const cv::Vec3d hand(random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01));
    const cv::Matx33d rotation = turned(0.3 * (i - 2), 0.02 * std::sin(3.0 * i), 0.02 * std::cos(5.0 * i));
    inputs.push_back(input(std::to_string(i), view_of(whole, rotation, 350, {350, 280}, hand)));
  }
  const MosaicPlan held = plan(inputs);
  ASSERT_TRUE(held.found) << held.reason;
  EXPECT_EQ(held.model, MosaicModel::rotation) << held.why;
  EXPECT_NEAR(held.images[0].focal_length, 350, 20);
  EXPECT_GT(held.held_out, 1.1 * held.candidates.back().held_out + 0.03);
}

TEST(TurningCamera, MayZoom) {
  const cv::Mat whole = panorama(2200, 700);
  const std::vector<double> focal{350, 380, 350, 320};
  std::vector<MosaicInput> inputs;
  for (std::size_t i = 0; i < focal.size(); ++i) {
    const double yaw = 0.3 * static_cast<double>(i);
    inputs.push_back(input(std::to_string(i), view_of(whole, turned(yaw, 0, 0), focal[i], {350, 280})));
  }
  const MosaicPlan zoomed = plan(inputs);
  ASSERT_TRUE(zoomed.found) << zoomed.reason;
  EXPECT_EQ(zoomed.model, MosaicModel::rotation) << zoomed.why;
  for (std::size_t i = 0; i < focal.size(); ++i) EXPECT_NEAR(zoomed.images[i].focal_length, focal[i], 0.01 * focal[i]);
}

// Rolls do not tell the vertical direction: their axis is the one that the camera looks along.
TEST(TurningCamera, IsNoFlatSceneWithALittlePerspective) {
  // Corners off by up to two pixels: a telephoto lens that turns would explain them within half a pixel.
  const cv::Mat whole = scene(1500, 700);
  const cv::Size size(400, 300);
  for (const std::uint64_t seed : {1U, 3U, 6U}) {
    cv::RNG random(seed);
    std::vector<MosaicInput> inputs;
    for (int i = 0; i < 8; ++i) {
      const cv::Point2f middle(280.0F + 280.0F * static_cast<float>(i % 4),
                               220.0F + 210.0F * static_cast<float>(i / 4));
      std::vector<cv::Point2f> corners, places;
      for (const cv::Point2f& side : {cv::Point2f(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
        corners.emplace_back(199.5F * (1 + side.x), 149.5F * (1 + side.y));
        places.push_back(middle + cv::Point2f(199.5F * side.x, 149.5F * side.y) +
                         cv::Point2f(random.uniform(-2.4F, 2.4F), random.uniform(-1.8F, 1.8F)));
      }
      cv::Mat tile;
      cv::warpPerspective(whole, tile, cv::getPerspectiveTransform(corners, places), size,
                          cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REFLECT);
      inputs.push_back(input(std::to_string(i), tile));
    }
    const MosaicPlan joined = plan(inputs);
    ASSERT_TRUE(joined.found) << joined.reason;
    EXPECT_EQ(joined.model, MosaicModel::homography) << joined.why;
    EXPECT_LT(joined.held_out, 0.1);
  }
}

TEST(TurningCamera, MayTurnAboutItsOpticalAxis) {
  const cv::Mat whole = panorama(2200, 900);
  std::vector<MosaicInput> inputs;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back(input(std::to_string(i), view_of(whole, turned(0.1 * i, 0.05 * i, 0.3 * i), 350, {350, 280})));
  }
  const MosaicPlan rolled = plan(inputs, {.model = MosaicModel::rotation, .seams = false});
  ASSERT_TRUE(rolled.found) << rolled.reason;
  EXPECT_EQ(rolled.projection, MosaicProjection::plane);
}

// Two are level, one of them on its side: they tell what is below, and not the mean of all.
TEST(TurningCamera, IsHeldLevelOrOnItsSide) {
  const cv::Mat whole = panorama(2200, 900);
  std::vector<MosaicInput> inputs;
  for (const double roll : {47.0, 0.0, -34.0, 91.0}) {
    const auto i = static_cast<double>(inputs.size());
    const cv::Matx33d rotation = turned(0.05 * i, 0.03 * i, roll * std::numbers::pi / 180);
    inputs.push_back(input(std::to_string(roll), view_of(whole, rotation, 350, {350, 280})));
  }
  const MosaicPlan held = plan(inputs, {.model = MosaicModel::rotation, .seams = false});
  ASSERT_TRUE(held.found) << held.reason;
  const cv::Vec3d right = cv::Matx33d(held.images[1].frame_from_image.data()) * cv::Vec3d(1, 0, 0);
  EXPECT_NEAR(right[1] / cv::norm(right), 0, 0.03);
  EXPECT_GT(right[0], 0);
}

TEST(TurningCamera, IsWhatACylinderAsksFor) {
  const cv::Mat whole = panorama(2200, 700);
  const std::vector<MosaicInput> inputs{input("a", view_of(whole, turned(0, 0, 0), 900, {300, 240})),
                                        input("b", view_of(whole, turned(0.12, 0, 0), 900, {300, 240}))};
  for (const MosaicProjection projection : {MosaicProjection::cylinder, MosaicProjection::sphere,
                                            MosaicProjection::pannini, MosaicProjection::stereographic}) {
    const MosaicPlan round = plan(inputs, {.projection = projection, .seams = false});
    ASSERT_TRUE(round.found) << round.reason;
    EXPECT_EQ(round.model, MosaicModel::rotation);
    EXPECT_EQ(round.projection, projection);
  }
}

}  // namespace
}  // namespace octavo
