// Keypoints come back to the place in the scale space from which they were reported, and scales go to the nearest
// level.

#include "engine/sift/placement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/sift/keypoint.h"
#include "octavo/sift_options.h"

namespace octavo {
namespace {

const SiftParts lowe = parts_of(preset("lowe2004"));  // 3 layers from 1.6 pixels

constexpr float infinite = std::numeric_limits<float>::infinity(), no_number = std::numeric_limits<float>::quiet_NaN();

Oriented placed(const Placement& placement, const Keypoint& k, OrientationFrom from = OrientationFrom::keypoint) {
  const auto place = placement.place(k, from);
  if (const auto* reason = std::get_if<NotDescribed>(&place)) ADD_FAILURE() << sentence_of(*reason);
  return std::holds_alternative<Placed>(place) ? std::get<Placed>(place).at : Oriented{};
}

NotDescribed reason(const Placement& placement, const Keypoint& k, OrientationFrom from = OrientationFrom::keypoint) {
  const auto place = placement.place(k, from);
  EXPECT_TRUE(std::holds_alternative<NotDescribed>(place)) << k.x << ' ' << k.y << ' ' << k.scale;
  return std::holds_alternative<NotDescribed>(place) ? std::get<NotDescribed>(place) : NotDescribed::no_orientation;
}

TEST(Placement, IsTheInverseOfTheReportOfAnExtraction) {
  for (const SiftOptions& options : {SiftOptions{}, SiftOptions{.first_octave = 0, .layers = 1, .sigma = 2},
                                     SiftOptions{.max_octaves = 3, .layers = 8, .sigma = 0.8}}) {
    const SiftParts parts = parts_of(options);
    const Placement placement(parts, 3000, 2000);
    const int octaves = static_cast<int>(plan_scale_space(3000, 2000, parts.scale_space).octaves.size());
    std::uint32_t seed = 1;
    const auto next = [&](double range) { return range * ((seed = seed * 1664525u + 1013904223u) >> 8) / 16777216; };
    int ambiguous = 0;
    for (int i = 0; i < 20000; ++i) {
      const int octave = i % octaves;
      const int size = (options.first_octave == 0 ? 2000 : 4000) >> octave;
      Oriented o{.octave = octave,
                 .extremum = {.layer = 1 + static_cast<int>(next(options.layers)),
                              .row = 5 + static_cast<int>(next(size - 10)),  // no extremum is at the edge
                              .column = 5 + static_cast<int>(next(size - 10)),
                              .layer_offset = static_cast<float>(next(0.9999) - 0.49995),
                              .row_offset = static_cast<float>(next(0.999) - 0.4995),
                              .column_offset = static_cast<float>(next(0.999) - 0.4995)}};
      o.scale = scale_of(o.extremum, parts.scale_space);
      o.turns = static_cast<float>(next(1));
      const Keypoint reported = keypoint_of(o, parts);
      const auto place = placement.place(reported, OrientationFrom::keypoint);
      ASSERT_TRUE(std::holds_alternative<Placed>(place)) << i;
      const Oriented& at = std::get<Placed>(place).at;
      ASSERT_EQ(at.octave, o.octave);
      ASSERT_EQ(at.extremum.layer, o.extremum.layer);
      ASSERT_EQ(at.extremum.row, o.extremum.row);
      ASSERT_EQ(at.extremum.column, o.extremum.column);
      ASSERT_EQ(at.scale, o.scale);
      ASSERT_EQ(placement.reported(reported, at, OrientationFrom::keypoint).orientation, reported.orientation);
      if (std::get<Placed>(place).is_ambiguous) {
        ++ambiguous;
        ASSERT_TRUE(at.turns == o.turns || at.turns == std::nextafter(o.turns, 0.0f) ||
                    at.turns == std::nextafter(o.turns, 1.0f));
      } else {
        ASSERT_EQ(at.turns, o.turns);
      }
      const Orientations both{.count = 2, .turns = {0.123f, o.turns}};
      ASSERT_EQ(turns_that_give(reported.orientation, both), o.turns);
    }
    EXPECT_GT(ambiguous, 100);
    EXPECT_LT(ambiguous, 8000);
  }
}

// The blurs are 0.8·2^(1/3), 0.8·2^(2/3), 1.6, … pixels of the image.
TEST(Placement, ScaleGoesToTheNearestLevelInRatio) {
  const Placement placement(lowe, 640, 480);
  const double step = std::exp2(1.0 / 3), half = std::exp2(1.0 / 6);
  for (int level = 0; level < 21; ++level) {
    const double blur = 0.8 * std::pow(step, level + 1);
    for (const double factor : {1.001 / half, 1.0, half / 1.001}) {
      const Oriented at = placed(placement, {.x = 100, .y = 100, .scale = static_cast<float>(blur * factor)});
      EXPECT_EQ(at.octave, level / 3) << level << ' ' << factor;
      EXPECT_EQ(at.extremum.layer, level % 3 + 1) << level << ' ' << factor;
    }
  }
  EXPECT_EQ(reason(placement, {.x = 1, .y = 1, .scale = static_cast<float>(0.8 * half * 0.99)}),
            NotDescribed::scale_too_small);
  EXPECT_EQ(reason(placement, {.x = 1, .y = 1, .scale = static_cast<float>(0.8 * 128 * half * 1.01)}),
            NotDescribed::scale_too_large);
}

TEST(Placement, OctaveAndLayerDecideAtABoundaryAndOnlyThere) {
  const Placement placement(lowe, 640, 480);
  const float boundary = static_cast<float>(1.6 * std::exp2(1.5 / 3));
  for (const int layer : {1, 2}) {
    EXPECT_EQ(placed(placement, {.x = 9, .y = 9, .scale = boundary, .octave = 0, .layer = layer}).extremum.layer,
              layer);
    EXPECT_EQ(placed(placement, {.x = 9, .y = 9, .scale = 1.6f, .octave = 0, .layer = layer}).extremum.layer, 3);
  }
  // At the boundary between two octaves.
  const float seam = static_cast<float>(1.6 * std::exp2(0.5 / 3));
  EXPECT_EQ(placed(placement, {.x = 9, .y = 9, .scale = seam, .octave = -1, .layer = 3}).octave, 0);
  EXPECT_EQ(placed(placement, {.x = 9, .y = 9, .scale = seam, .octave = 0, .layer = 1}).octave, 1);
  // What no octave of the pyramid is.
  EXPECT_EQ(placed(placement, {.x = 9, .y = 9, .scale = 1.6f, .octave = 900, .layer = -7}).octave, 0);
}

TEST(Placement, NearestPixelOfTheOctave) {
  const Placement placement(lowe, 101, 75);  // octaves 202×150, 101×75, 50×37, 25×18
  const auto at = [&](float x, float y, float scale) { return placed(placement, {.x = x, .y = y, .scale = scale}); };
  EXPECT_EQ(at(10, 20, 1.2f).extremum.column, 20);
  EXPECT_EQ(at(10, 20, 1.2f).extremum.row, 40);
  EXPECT_EQ(at(10.2f, 19.6f, 3).extremum.column, 10);
  EXPECT_EQ(at(10.2f, 19.6f, 3).extremum.row, 20);
  EXPECT_EQ(at(-0.5f, 74.5f, 1.2f).extremum.column, 0);
  EXPECT_EQ(at(-0.5f, 74.5f, 1.2f).extremum.row, 149);
  EXPECT_EQ(at(100, 74, 9).extremum.column, 24);  // beyond the last column of the octave
  EXPECT_EQ(at(100, 74, 9).extremum.row, 17);
}

TEST(Placement, NamesWhatCannotBeDescribed) {
  const Placement placement(lowe, 64, 48);
  const Keypoint good{.x = 5, .y = 5, .scale = 2, .orientation = 1};
  const auto with = [&](float Keypoint::*field, float value) {
    Keypoint k = good;
    k.*field = value;
    return reason(placement, k);
  };
  for (const float bad : {infinite, -infinite, no_number}) {
    for (float Keypoint::*field : {&Keypoint::x, &Keypoint::y, &Keypoint::scale, &Keypoint::orientation}) {
      EXPECT_EQ(with(field, bad), NotDescribed::not_finite);
    }
  }
  for (const float x : {-0.501f, 63.51f, 1e30f, -1e30f}) EXPECT_EQ(with(&Keypoint::x, x), NotDescribed::outside);
  for (const float y : {-0.501f, 47.51f, 1e30f, -1e30f}) EXPECT_EQ(with(&Keypoint::y, y), NotDescribed::outside);
  for (const float s : {0.0f, -1.0f, 1e-30f}) EXPECT_EQ(with(&Keypoint::scale, s), NotDescribed::scale_too_small);
  for (const float s : {1e4f, 1e30f}) EXPECT_EQ(with(&Keypoint::scale, s), NotDescribed::scale_too_large);
  EXPECT_EQ(reason(Placement(lowe, 6, 6), {.x = 2, .y = 2, .scale = 2}), NotDescribed::scale_too_large);  // one octave
  EXPECT_EQ(reason(Placement(lowe, 5, 5), {.x = 2, .y = 2, .scale = 2}), NotDescribed::no_level);
  // An orientation that is not used may be anything.
  Keypoint turned = good;
  turned.orientation = no_number;
  EXPECT_EQ(placed(placement, turned, OrientationFrom::image).turns, 0);
}

TEST(Placement, AnyFiniteAngleIsAnAngle) {
  const Placement placement(lowe, 64, 48);
  const float pi = std::numbers::pi_v<float>;
  for (const auto& [angle, turns] : {std::pair{0.0f, 0.0f},
                                     {pi / 2, 0.25f},
                                     {-pi / 2, 0.75f},
                                     {2 * pi, 0.0f},
                                     {-2 * pi, 0.0f},
                                     {5 * pi, 0.5f},
                                     {-1e-12f, 0.0f}}) {
    const Keypoint k{.x = 5, .y = 5, .scale = 2, .orientation = angle};
    const Oriented at = placed(placement, k);
    EXPECT_NEAR(at.turns, turns, 1e-6) << angle;
    const float reported = placement.reported(k, at, OrientationFrom::keypoint).orientation;
    EXPECT_GE(reported, 0);
    EXPECT_LT(reported, 2 * pi);
    EXPECT_NEAR(reported, turns * 2 * pi, 1e-5) << angle;
  }
  const Oriented at = placed(placement, {.x = 5, .y = 5, .scale = 2, .orientation = 1e30f});
  EXPECT_TRUE(at.turns >= 0 && at.turns < 1);
}

TEST(Placement, APlaceBetweenPixelsHasSeveral) {
  const Placement placement({.scale_space = {.first_octave = 0}}, 64, 48);
  const auto pixels = [&](float x, float y) {
    return possible_pixels(std::get<Placed>(
        placement.place({.x = x, .y = y, .scale = 2, .orientation = 1.0f}, OrientationFrom::keypoint)));
  };
  EXPECT_EQ(pixels(10.25f, 20).size(), 1u);
  EXPECT_EQ(pixels(10.5f, 20).size(), 2u);
  EXPECT_EQ(pixels(10.5f, 20.5f).size(), 4u);
  EXPECT_EQ(pixels(-0.5f, 20.5f).size(), 2u);  // there is no column −1
  EXPECT_EQ(pixels(10.5f, 20)[0].extremum.column, 10);
  EXPECT_EQ(pixels(10.5f, 20)[1].extremum.column, 11);
  EXPECT_EQ(pixels(11.5f, 20)[0].extremum.column, 12);
  EXPECT_EQ(pixels(11.5f, 20)[1].extremum.column, 11);
}

}  // namespace
}  // namespace octavo
