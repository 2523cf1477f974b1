// Models of two rooms with one poster: a mapper puts their cameras at the same places.

#include "multiview/sfm/shared_places.h"

#include <gtest/gtest.h>

#include <string>

namespace octavo::sfm {
namespace {

constexpr int cameras = 5, rows = 24;

// A wall of points before cameras that stand `apart` and look at it. Those of room b are at the same places as those of
// room a. Each sees the points of its room, and both the poster's: the first columns of 24.
SfmModel rooms(int columns_of_poster, double apart = 0.1) {
  SfmModel model;
  model.cameras[1] = {.model = "PINHOLE", .width = 800, .height = 800, .parameters = {800, 800, 400, 400}};
  std::uint32_t id = 0;
  for (const char room : {'a', 'b'}) {
    for (int i = 0; i < cameras; ++i) {
      SfmImage& image = model.images[++id];
      image.name = std::string(1, room) + std::to_string(i);
      image.camera = 1;
      image.translation = {-apart * i, 0, 0};
      for (int k = 0; k < rows * rows; ++k) {
        const int column = k % rows, row = k / rows;
        const std::array<double, 3> place{column * 0.15 - 1.7, row * 0.15 - 1.7, 4};
        const bool is_poster = column < columns_of_poster;
        const auto point = static_cast<std::uint64_t>(is_poster || room == 'a' ? k : k + rows * rows);
        const auto pixel = project(model.cameras[1], in_camera(image, place));
        if (!pixel || (*pixel)[0] < 0 || (*pixel)[0] >= 800) continue;
        model.points[point].place = place;
        image.observations.push_back({.x = (*pixel)[0], .y = (*pixel)[1], .point = point});
      }
    }
  }
  return model;
}

TEST(SharedPlaces, ImagesOfOneSceneShareThemAll) {
  const SharedPlaces shared = shared_places(rooms(rows));
  EXPECT_EQ(shared.pairs, 90U);
  EXPECT_EQ(shared.lower_quartile, 1);
}

TEST(SharedPlaces, ImagesOfTwoScenesShareWhatLooksAlike) {
  const SharedPlaces shared = shared_places(rooms(6));
  EXPECT_EQ(shared.pairs, 90U);
  EXPECT_LT(shared.lower_quartile, 0.35);
  EXPECT_NE(shared.a[0], shared.b[0]) << "images of different rooms share least";
}

TEST(SharedPlaces, CamerasOfOtherSidesAreNotCompared) {
  const SharedPlaces shared = shared_places(rooms(6, 4.0));
  EXPECT_EQ(shared.pairs, 2U) << "the two at the first place";
}

TEST(SharedPlaces, CamerasOfUnknownModelsAreLeftOut) {
  SfmModel model = rooms(6);
  model.cameras[1].model = "NEW_LENS";
  EXPECT_EQ(shared_places(model).pairs, 0U);
}

TEST(SharedPlaces, AModelWithoutPointsHasNone) {
  SfmModel model = rooms(6);
  for (auto& [id, image] : model.images) image.observations.clear();
  model.points.clear();
  EXPECT_EQ(shared_places(model).pairs, 0U);
}

}  // namespace
}  // namespace octavo::sfm
