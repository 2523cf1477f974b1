#include "multiview/mosaic/photo_sphere.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numbers>
#include <regex>
#include <string>
#include <vector>

namespace octavo::mosaic {
namespace {

// The whole width and height, and the left and the top of the part.
std::vector<int> numbers_of(const std::string& xmp) {
  std::vector<int> numbers;
  for (const char* const name : {"FullPanoWidth", "FullPanoHeight", "CroppedAreaLeft", "CroppedAreaTop"}) {
    std::smatch found;
    const bool is_there = std::regex_search(xmp, found, std::regex(std::string("GPano:") + name + "Pixels=\"(\\d+)\""));
    numbers.push_back(is_there ? std::stoi(found[1]) : -1);
  }
  return numbers;
}

// A whole turn is 800 pixels wide.
MosaicPlan plan_on(MosaicProjection projection, double left, double top, std::uint64_t width, std::uint64_t height) {
  MosaicPlan plan;
  plan.projection = projection;
  plan.scale = 400 / std::numbers::pi;
  plan.left = left, plan.top = top, plan.width = width, plan.height = height;
  return plan;
}

using CanvasNumbers = std::vector<int>;

TEST(PhotoSphere, TellsThePartOfTheSphere) {
  MosaicPlan plan = plan_on(MosaicProjection::sphere, -399.5, -199.5, 800, 400);
  EXPECT_EQ(numbers_of(photo_sphere_xmp(plan)), (CanvasNumbers{800, 400, 0, 0}));  // all of it
  EXPECT_NE(photo_sphere_xmp(plan).find("ProjectionType=\"equirectangular\""), std::string::npos);
  plan.left = -99.5, plan.top = 0.5, plan.width = 150,
  plan.height = 50;  // to the left of the middle, below the horizon
  EXPECT_EQ(numbers_of(photo_sphere_xmp(plan)), (CanvasNumbers{800, 400, 300, 200}));
  plan.left = 350, plan.top = 180;  // no part lies outside
  EXPECT_EQ(numbers_of(photo_sphere_xmp(plan)), (CanvasNumbers{800, 400, 650, 350}));
}

TEST(PhotoSphere, HorizonOfACylinderIsInTheMiddle) {
  const MosaicPlan plan = plan_on(MosaicProjection::cylinder, -99.5, -59.5, 200, 100);
  const std::string xmp = photo_sphere_xmp(plan);
  EXPECT_EQ(numbers_of(xmp), (CanvasNumbers{800, 120, 300, 0}));
  EXPECT_NE(xmp.find("ProjectionType=\"cylindrical\" GPano:UsePanoramaViewer=\"False\""), std::string::npos);
}

TEST(PhotoSphere, PlaneHasNone) { EXPECT_EQ(photo_sphere_xmp({}), ""); }

}  // namespace
}  // namespace octavo::mosaic
