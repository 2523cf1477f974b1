#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "octavo/multiview/panorama.h"
#include "octavo/multiview/sfm.h"

namespace octavo {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond turn_by(double degrees, const Vector3d& axis) {
  return Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()));
}

std::array<double, 4> numbers_of(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

// A result with panoramas of 8 views at given places and turns in one model.
class TwoPanoramas : public testing::Test {
 protected:
  TwoPanoramas() {
    result_.models.emplace_back().folder = "0";
    add("a.jpg", {1, 2, 3}, turn_by(40, {0, 1, 0.2}));
    add("b.jpg", {3, 2, 3}, turn_by(-70, {0.1, 1, 0}));
  }

  void add(const std::string& name, const Vector3d& centre, const Quaterniond& panorama_from_model) {
    SfmPanorama panorama{.name = name};
    for (const PanoramaView& view : panorama_views({})) {
      const std::string image = name + "/" + view.name + ".jpg";
      panorama.views.push_back({image, view.view_from_panorama});
      const auto& [w, x, y, z] = view.view_from_panorama;
      place(image, centre, Quaterniond(w, x, y, z) * panorama_from_model);
    }
    result_.panoramas.push_back(panorama);
  }

  void place(const std::string& name, const Vector3d& centre, const Quaterniond& camera_from_model) {
    const Vector3d t = -(camera_from_model * centre);
    // Both signs stand for one rotation.
    Quaterniond rotation = camera_from_model;
    if (images().size() % 2 == 1) rotation.coeffs() *= -1;
    images()[next_++] = {.name = name,
                         .camera_from_world = numbers_of(rotation),
                         .translation = {t.x(), t.y(), t.z()},
                         .observations = {}};
  }

  std::map<std::uint32_t, SfmImage>& images() { return result_.models.front().model.images; }

  SfmResult result_;
  std::uint32_t next_ = 1;
};

TEST_F(TwoPanoramas, AreWhereTheirViewsAgree) {
  EXPECT_TRUE(tell_panoramas(result_).empty());
  const SfmPanorama& one = result_.panoramas.front();
  EXPECT_EQ(one.model, 0U);
  EXPECT_EQ(one.registered, 8U);
  EXPECT_NEAR((Vector3d(one.centre.data()) - Vector3d(1, 2, 3)).norm(), 0, 1e-9);
  const Quaterniond turn(one.rotation[0], one.rotation[1], one.rotation[2], one.rotation[3]);
  EXPECT_NEAR(turn.angularDistance(turn_by(40, {0, 1, 0.2})), 0, 1e-7);
  EXPECT_NEAR(one.centre_spread, 0, 1e-9);
  EXPECT_NEAR(one.rotation_spread, 0, 1e-5);
  EXPECT_NEAR(one.nearest.value(), 2, 1e-9);
}

TEST_F(TwoPanoramas, AViewElsewhereIsNamedAndLeftOut) {
  images().at(3).translation = {5, 5, 5};
  images().at(12).camera_from_world = numbers_of(turn_by(100, {1, 1, 1}));
  const std::vector<std::string> doubts = tell_panoramas(result_);
  ASSERT_EQ(doubts.size(), 2U);
  EXPECT_EQ(doubts.front(),
            "1 of 8 registered views of the panorama 'a.jpg' disagree with the others: 'a.jpg/yaw090.jpg'");
  EXPECT_EQ(result_.panoramas.front().off, std::vector<std::string>{"a.jpg/yaw090.jpg"});
  EXPECT_EQ(result_.panoramas.back().off, std::vector<std::string>{"b.jpg/yaw135.jpg"});
  EXPECT_NEAR((Vector3d(result_.panoramas.front().centre.data()) - Vector3d(1, 2, 3)).norm(), 0, 1e-9);
  EXPECT_NEAR(result_.panoramas.back().rotation_spread, 0, 1e-5);
}

TEST_F(TwoPanoramas, SpreadsAreRootMeanSquares) {
  for (std::uint32_t id = 1; id <= 8; ++id) {
    SfmImage& image = images().at(id);
    // Half of the views 0.1 ahead, the others 0.1 behind, along x of the model.
    const auto& [w, x, y, z] = image.camera_from_world;
    const Vector3d moved = Quaterniond(w, x, y, z) * Vector3d(id % 2 == 0 ? 0.1 : -0.1, 0, 0);
    for (std::size_t i = 0; i < 3; ++i) image.translation[i] -= moved[static_cast<Eigen::Index>(i)];
  }
  tell_panoramas(result_);
  EXPECT_NEAR(result_.panoramas.front().centre_spread, 0.1, 1e-9);
  EXPECT_TRUE(result_.panoramas.front().off.empty());
}

TEST_F(TwoPanoramas, OneViewAloneIsADoubt) {
  std::erase_if(images(), [](const auto& item) { return item.first < 8; });
  const std::vector<std::string> doubts = tell_panoramas(result_);
  ASSERT_EQ(doubts.size(), 1U);
  EXPECT_EQ(doubts.front(), "the pose of the panorama 'a.jpg' is that of one view alone, 'a.jpg/yaw315.jpg'");
}

TEST_F(TwoPanoramas, WithoutViewsHaveNoPose) {
  std::erase_if(images(), [](const auto& item) { return item.first <= 8; });
  EXPECT_TRUE(tell_panoramas(result_).empty());
  EXPECT_FALSE(result_.panoramas.front().model);
  EXPECT_FALSE(result_.panoramas.back().nearest);
}

}  // namespace
}  // namespace octavo
