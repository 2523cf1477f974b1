// Projections, and the part of a canvas that an image covers.

#include "multiview/mosaic/canvas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/calib3d.hpp>
#include <string>
#include <vector>

#include "multiview/mosaic/projection.h"

namespace octavo::mosaic {
namespace {

class OfRays : public testing::TestWithParam<MosaicProjection> {};

INSTANTIATE_TEST_SUITE_P(Projections, OfRays,
                         testing::Values(MosaicProjection::cylinder, MosaicProjection::sphere,
                                         MosaicProjection::pannini, MosaicProjection::stereographic),
                         [](const auto& test) { return std::string(word(test.param)); });

cv::Vec3d direction(double longitude, double latitude) {
  return ray_of({longitude, latitude}, MosaicProjection::sphere);
}

TEST_P(OfRays, PointsAndRaysAgree) {
  for (double longitude = -110; longitude <= 110; longitude += 10) {
    for (double latitude = -40; latitude <= 40; latitude += 10) {
      const cv::Vec3d ray = direction(longitude * degrees, latitude * degrees) * 7;
      const auto point = point_of(ray, GetParam());
      ASSERT_TRUE(point.has_value());
      const cv::Vec3d back = ray_of(*point, GetParam());
      EXPECT_LT(cv::norm(cv::normalize(back) - cv::normalize(ray)), 1e-12);
    }
  }
  // In the middle, all have the scale of a plane.
  const auto middle = point_of({1e-6, -2e-6, 1}, GetParam());
  EXPECT_NEAR(middle->x, 1e-6, 1e-15);
  EXPECT_NEAR(middle->y, -2e-6, 1e-15);
}

// The geometry of a camera that is turned.
Geometry turned_camera(double yaw, double pitch, double roll, double focal, double radial,
                       MosaicProjection projection) {
  cv::Matx33d y, x, z;
  cv::Rodrigues(cv::Vec3d(0, yaw, 0), y);
  cv::Rodrigues(cv::Vec3d(pitch, 0, 0), x);
  cv::Rodrigues(cv::Vec3d(0, 0, roll), z);
  const ImageSize size{300, 200};
  const cv::Matx33d camera(focal, 0, (size.width - 1) / 2.0, 0, focal, (size.height - 1) / 2.0, 0, 0, 1);
  const cv::Matx33d frame = y * x * z * camera.inv();
  std::array<double, 9> numbers{};
  std::copy_n(frame.val, 9, numbers.begin());
  return geometry_of(numbers, radial, size, projection);
}

// All that is drawn of an image lies in its extent, whose sides are where the outermost is drawn.
TEST_P(OfRays, TheExtentIsThatOfAllPixels) {
  constexpr double focal = 150;
  for (const double yaw : {0.0, 0.9, 2.0, 3.0}) {
    for (const double pitch : {0.0, 0.8, -1.5}) {
      for (const double radial : {0.0, -0.1}) {
        const Geometry g = turned_camera(yaw, pitch, 0.3, focal, radial, GetParam());
        const auto area = extent(g, GetParam());
        double left = HUGE_VAL, right = -HUGE_VAL, top = HUGE_VAL, bottom = -HUGE_VAL;
        for (int row = 0; row < g.size.height; ++row) {
          for (int column = 0; column < g.size.width; ++column) {
            auto at = point_of(g.ray(cv::Point2d(column, row)), GetParam());
            if (!at) continue;
            if (is_round(GetParam())) {
              const double middle = area->x + area->width / 2;
              at->x -= 2 * std::numbers::pi * std::round((at->x - middle) / (2 * std::numbers::pi));
            }
            left = std::min(left, at->x), right = std::max(right, at->x);
            top = std::min(top, at->y), bottom = std::max(bottom, at->y);
          }
        }
        SCOPED_TRACE(testing::Message() << yaw << " " << pitch << " " << radial);
        ASSERT_EQ(area.has_value(), left <= right);
        if (!area) continue;
        const double tiny = 1e-6;
        EXPECT_LT(area->x, left + tiny);
        EXPECT_LT(area->y, top + tiny);
        EXPECT_GT(area->x + area->width, right - tiny);
        EXPECT_GT(area->y + area->height, bottom - tiny);
        // Where the projection ends, between two pixels, the last is less than a pixel away as large as it is drawn.
        const Ends ends = ends_of(GetParam());
        const auto expect_not_more = [&](double more, double end) { EXPECT_LT(more, (1 + end * end) / focal); };
        expect_not_more(left - area->x, left);
        expect_not_more(top - area->y, top);
        expect_not_more(area->x + area->width - right, right);
        expect_not_more(area->y + area->height - bottom, bottom);
        EXPECT_LE(area->height, 2 * ends.y);
      }
    }
  }
}

// Points of a line of space, on the canvas.
std::vector<cv::Point2d> drawn_line(const cv::Vec3d& point, const cv::Vec3d& along, MosaicProjection projection) {
  std::vector<cv::Point2d> list;
  for (double t = -2; t <= 2; t += 0.25) list.push_back(*point_of(point + along * t, projection));
  return list;
}

double bow(const std::vector<cv::Point2d>& line) {
  const cv::Point2d along = (line.back() - line.front()) / cv::norm(line.back() - line.front());
  double most = 0;
  for (const cv::Point2d& p : line) most = std::max(most, std::abs(along.cross(p - line.front())));
  return most;
}

TEST(Pannini, KeepsVerticalAndRadialLinesStraight) {
  for (const double longitude : {-115.0, -60.0, 0.0, 45.0, 100.0}) {
    EXPECT_LT(bow(drawn_line(direction(longitude * degrees, 0), {0, 0.4, 0}, MosaicProjection::pannini)), 1e-12);
  }
  for (const double slope : {-1.0, 0.3, 2.0}) {
    EXPECT_LT(bow(drawn_line({0, 0, 1}, {0.8, 0.8 * slope, 0}, MosaicProjection::pannini)), 1e-12);
  }
  EXPECT_GT(bow(drawn_line({0, 1, 1}, {0.8, 0, 0}, MosaicProjection::pannini)), 0.05);
}

TEST(Stereographic, KeepsAngles) {
  for (const double longitude : {0.0, 50.0, 140.0}) {
    for (const double latitude : {-60.0, 0.0, 20.0}) {
      const double u = longitude * degrees, v = latitude * degrees, step = 1e-5;
      const auto at = [&](double du, double dv) {
        return *point_of(direction(u + du / std::cos(v), v + dv), MosaicProjection::stereographic);
      };
      const cv::Point2d along = (at(step, 0) - at(-step, 0)) / (2 * step),
                        up = (at(0, step) - at(0, -step)) / (2 * step);
      EXPECT_NEAR(along.dot(up) / up.dot(up), 0, 1e-6);
      EXPECT_NEAR(cv::norm(along) / cv::norm(up), 1, 1e-6);
    }
  }
  EXPECT_NEAR(point_of({1, 0, 0}, MosaicProjection::stereographic)->x, 2, 1e-12);
  EXPECT_FALSE(point_of({0, 0, -1}, MosaicProjection::stereographic));
}

}  // namespace
}  // namespace octavo::mosaic
