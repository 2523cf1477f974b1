// Windows of octaves that are made again for visits have the bytes of those of images that stay.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/selftest/images.h"
#include "engine/sift/engine.h"
#include "engine/sift/keypoint.h"
#include "octavo/image.h"
#include "octavo/sift_options.h"

namespace octavo {
namespace {

struct Case {
  std::string name;
  SiftOptions options;
};

class WindowsOfVisits : public testing::TestWithParam<Case> {};

// 2600×1700 pixels: the first octave is dropped.
TEST_P(WindowsOfVisits, AreThoseOfImagesThatStay) {
  const Image image = images::blobs(2600, 1700);
  const std::unique_ptr<SiftEngine> engine = make_engine(GetParam().options, {.name = "cpu", .threads = 2});
  std::vector<Oriented> points;
  const auto found = engine->detect(image.view());
  for (std::size_t o = 0; o < found.size(); ++o) {
    for (const Extremum& e : found[o]) {
      points.push_back({static_cast<int>(o), e, scale_of(e, scale_space_of(GetParam().options))});
    }
  }
  ASSERT_GT(points.size(), 1000u);
  const auto keypoints_of = [&](std::vector<Oriented> some) {
    if (GetParam().options.affine) engine->fit_shapes(some);
    const std::vector<Orientations> orientations = engine->orient(some);
    for (std::size_t i = 0; i < some.size(); ++i) some[i].turns = orientations[i].turns[0];
    return some;
  };
  const auto descriptors_of = [&](const std::vector<Oriented>& keypoints) {
    std::vector<std::uint8_t> descriptors(keypoints.size() * descriptor_length);
    engine->describe(keypoints, descriptors.data());
    return descriptors;
  };
  const std::vector<Oriented> keypoints = keypoints_of(points);
  const std::vector<std::uint8_t> descriptors = descriptors_of(keypoints);

  EXPECT_EQ(engine->detect_for_visits(image.view()), found);
  for (int time = 0; time < 2; ++time) {
    std::vector<std::size_t> visited(points.size());
    std::size_t visits = 0;
    engine->visit(image.view(), points, [&](const std::vector<std::size_t>& indices) {
      ++visits;
      std::vector<Oriented> some;
      for (const std::size_t i : indices) some.push_back(points[i]);
      some = keypoints_of(std::move(some));
      const std::vector<std::uint8_t> of_some = descriptors_of(some);
      for (std::size_t k = 0; k < indices.size(); ++k) {
        const std::size_t i = indices[k];
        ++visited[i];
        EXPECT_EQ(some[k].turns, keypoints[i].turns) << i;
        EXPECT_TRUE(std::equal(of_some.begin() + static_cast<std::ptrdiff_t>(k * descriptor_length),
                               of_some.begin() + static_cast<std::ptrdiff_t>((k + 1) * descriptor_length),
                               descriptors.begin() + static_cast<std::ptrdiff_t>(i * descriptor_length)))
            << i;
      }
    });
    EXPECT_GT(visits, 2u);
    EXPECT_EQ(visited, std::vector<std::size_t>(points.size(), 1));
  }
}

SiftOptions small_windows() {
  SiftOptions options;
  options.pool_from = 0.125;
  options.pool_to = 4;
  return options;
}

SiftOptions ellipses() {
  SiftOptions options;
  options.affine = true;
  return options;
}

INSTANTIATE_TEST_SUITE_P(Options, WindowsOfVisits,
                         testing::Values(Case{"octavo", {}}, Case{"best", preset("best")},
                                         Case{"signature", preset("signature")}, Case{"small_windows", small_windows()},
                                         Case{"ellipses", ellipses()}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace octavo
