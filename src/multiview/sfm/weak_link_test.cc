#include "multiview/sfm/weak_link.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace octavo::sfm {
namespace {

// Adds `count` points that these images see.
void add_points(SfmModel& model, std::initializer_list<std::uint32_t> images, int count) {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t point = model.points.size();
    model.points[point] = {};
    for (const std::uint32_t image : images) model.images[image].observations.push_back({.point = point});
  }
}

SfmModel two_parts(int points_between) {
  SfmModel model;
  for (std::uint32_t id = 1; id <= 7; ++id) model.images[id].name = std::string(1, static_cast<char>('a' + id - 1));
  add_points(model, {1, 2, 3}, 500);
  add_points(model, {4, 5, 6, 7}, 400);
  add_points(model, {3, 5}, points_between);
  return model;
}

TEST(WeakestLink, JoinsTwoPartsByFewPoints) {
  const WeakLink link = weakest_link(two_parts(40));
  EXPECT_EQ(link.points, 40U);
  EXPECT_EQ(link.usual_points, 400);
  EXPECT_EQ(link.a + link.b, "ce");
  EXPECT_EQ(link.smaller_part, 3U);
}

TEST(WeakestLink, ASingleImageIsNoPart) {
  SfmModel model = two_parts(300);
  model.images[8].name = "h";
  add_points(model, {7, 8}, 20);
  EXPECT_EQ(weakest_link(model).points, 300U);
}

TEST(WeakestLink, OfFewImagesThereIsNone) {
  SfmModel model;
  add_points(model, {1, 2, 3, 4}, 50);
  EXPECT_EQ(weakest_link(model).usual_points, 0);
  EXPECT_EQ(weakest_link({}).usual_points, 0);
}

}  // namespace
}  // namespace octavo::sfm
