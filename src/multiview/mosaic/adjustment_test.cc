// The adjustment of all images: its derivatives, its limits, its size.

#include "multiview/mosaic/adjustment.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/meeting.h"
#include "multiview/mosaic/radial.h"

namespace octavo::mosaic {
namespace {

// Two images of a model whose frames differ by less than half an image.
Frames two_frames(MosaicModel model, bool distortion, double radial) {
  return {model,    distortion, {cv::Matx33d::eye(), cv::Matx33d(1, 0, 0.4, 0, 1, 0.1, 0, 0, 1)}, {0, 0}, {0.3},
          {radial}, {100, 100}};
}

void add(PairPoints& pair, const cv::Point2d& in_a, const cv::Point2d& in_b) {
  pair.in_a.push_back(in_a);
  pair.in_b.push_back(in_b);
  pair.weight_in_a.push_back(cv::Matx22d::eye());
  pair.weight_in_b.push_back(cv::Matx22d::eye());
}

// Places of a grid in the first image, where the second shows them with this distortion.
PairPoints distorted_grid(double radial) {
  PairPoints pair{0, 1, {}, {}, {}, {}};
  for (double y = -0.5; y <= 0.5; y += 0.1) {
    for (double x = -0.3; x <= 0.8; x += 0.1) {
      const auto in_a = distorted({x, y}, radial), in_b = distorted({x - 0.4, y - 0.1}, radial);
      if (in_a && in_b) add(pair, *in_a, *in_b);
    }
  }
  return pair;
}

TEST(Adjustment, DerivativesAreThoseOfDifferences) {
  cv::RNG random(1);
  for (const MosaicModel model :
       {MosaicModel::similarity, MosaicModel::rotation, MosaicModel::affine, MosaicModel::homography}) {
    for (const bool is_one_lens : {true, false}) {
      const int own = own_parameters(model);
      std::vector<std::vector<double>> numbers{std::vector<double>(own), std::vector<double>(own), {0.2}, {0.05}};
      if (!is_one_lens) numbers.insert(numbers.end(), {{0.3}, {-0.04}});
      for (int k = 0; k < own; ++k) {
        numbers[0][k] = random.uniform(-0.1, 0.1);
        numbers[1][k] = random.uniform(-0.1, 0.1);
      }
      const int second = is_one_lens ? 2 : 4;
      const Slots from{0, 2, 3}, to{1, second, second + 1};
      Way way{passage(two_frames(model, true, 0), 0, 1),
              own,
              {numbers[0].data(), numbers[2].data(), numbers[3].data()},
              {numbers[1].data(), numbers[second].data(), numbers[second + 1].data()}};
      std::vector<const double*> blocks;
      std::vector<int> sizes;
      std::vector<std::vector<double>> derivatives;
      for (const auto& block : numbers) {
        blocks.push_back(block.data());
        sizes.push_back(static_cast<int>(block.size()));
        derivatives.emplace_back(2 * block.size());
      }
      std::vector<double*> wanted;
      for (auto& block : derivatives) wanted.push_back(block.data());
      const Meeting meeting(way, {{0.3, -0.2}, {0.1, 0.2}, {1, 0.2, 0.1, 2}}, from, to, sizes);
      double now[2], more[2], less[2];
      way.prepare(true);
      meeting.Evaluate(blocks.data(), now, wanted.data());
      for (std::size_t b = 0; b < numbers.size(); ++b) {
        for (std::size_t k = 0; k < numbers[b].size(); ++k) {
          const double h = 1e-5, value = numbers[b][k];
          numbers[b][k] = value + h;
          way.prepare(false);
          meeting.Evaluate(blocks.data(), more, nullptr);
          numbers[b][k] = value - h;
          way.prepare(false);
          meeting.Evaluate(blocks.data(), less, nullptr);
          numbers[b][k] = value;
          for (std::size_t r = 0; r < 2; ++r) {
            EXPECT_NEAR(derivatives[b][r * numbers[b].size() + k], (more[r] - less[r]) / (2 * h), 1e-4)
                << word(model) << " " << is_one_lens << " " << b << " " << k;
          }
        }
      }
    }
  }
}

TEST(Adjustment, KeepsTheDistortionInItsRange) {
  for (const double radial : {0.1, 0.5, -0.2, -0.32}) {
    Frames frames = two_frames(MosaicModel::similarity, true, 0);
    adjust(frames, {distorted_grid(radial)}, 0, usual_huber);
    const double expected = std::clamp(radial, least_radial, largest_radial);
    if (expected == radial) {
      EXPECT_NEAR(frames.radial[0], expected, 1e-3);
    } else {
      EXPECT_EQ(frames.radial[0], expected);
    }
  }
}

TEST(Adjustment, KeepsWhatIsHeldAndImagesWithoutPairs) {
  Frames frames = two_frames(MosaicModel::rotation, true, 0.05);
  frames.base.push_back(cv::Matx33d(1, 0, 0.7, 0, 1, 0, 0, 0, 1));
  frames.group.push_back(0);
  frames.unit.push_back(100);
  frames.base[1] = cv::Matx33d::eye();
  frames.held_focal = frames.held_radial = {0};
  const Frames before = frames;
  adjust(frames, {distorted_grid(0.1)}, 0, usual_huber);
  EXPECT_EQ(frames.log_focal, before.log_focal);
  EXPECT_EQ(frames.radial, before.radial);
  EXPECT_EQ(frames.base[0], before.base[0]);
  EXPECT_LT(cv::norm(frames.base[2] * (1 / frames.base[2](2, 2)) - before.base[2]), 1e-12);
  EXPECT_GT(cv::norm(frames.base[1] - before.base[1]), 0.01);
  const std::vector<double> uncertain =
      uncertainty(frames, {distorted_grid(0.1)}, 0, usual_huber, {{160, 120}, {160, 120}, {160, 120}});
  EXPECT_EQ(uncertain[0], 0);
  EXPECT_LT(uncertain[1], 1);
  EXPECT_EQ(uncertain[2], far);
}

TEST(Adjustment, SaysNothingOfWhatIsNotDetermined) {
  PairPoints one{0, 1, {}, {}, {}, {}}, none{0, 1, {}, {}, {}, {}};
  add(one, {0.5, 0.1}, {0, 0});
  add(none, {NAN, 0}, {0, INFINITY});
  testing::internal::CaptureStderr();
  for (const PairPoints& pair : {one, none}) {
    Frames frames = two_frames(MosaicModel::homography, true, 0);
    adjust(frames, {pair}, 0, usual_huber);
    EXPECT_TRUE(std::isfinite(cv::norm(frames.base[1])));
    EXPECT_GT(uncertainty(frames, {pair}, 0, usual_huber, {{160, 120}, {160, 120}})[1], 10);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// The decomposition of a dense normal matrix of these would take a minute for each step.
TEST(Adjustment, TakesAThousandImages) {
  constexpr int images = 1000;
  Frames frames{MosaicModel::similarity,         false, {}, std::vector<int>(images), {0}, {0},
                std::vector<double>(images, 100)};
  std::vector<PairPoints> pairs;
  cv::RNG random(1);
  for (int i = 0; i < images; ++i) {
    frames.base.push_back(cv::Matx33d(1, 0, i + (i > 0 ? random.gaussian(0.05) : 0), 0, 1, 0, 0, 0, 1));
    if (i == 0) continue;
    PairPoints pair{i - 1, i, {}, {}, {}, {}};
    for (const cv::Point2d& p : {cv::Point2d(-0.5, -0.4), {-0.2, 0.3}, {-0.4, 0.2}})
      add(pair, p + cv::Point2d(1, 0), p);
    pairs.push_back(pair);
  }
  adjust(frames, pairs, 0, usual_huber);
  EXPECT_NEAR(frames.base[images - 1](0, 2), images - 1, 1e-3);
}

}  // namespace
}  // namespace octavo::mosaic
