// Two times of one place, of made clip files in which something walks before a still ground.

#include "video/signature/still_camera.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <vector>

#include "engine/core/test_folder.h"
#include "video/signature/made_y4m.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr double film_seconds = 8;
using Walk = std::function<double(double)>;  // where something walks, by time [pixel]

double there_and_back(double time) { return 80 + 50 * std::sin(1.2 * time); }

// As above for the first second, and then the other way.
double otherwise_later(double time) { return time < 1 ? there_and_back(time) : 160 - there_and_back(time + 1.3); }

// The ground is chequered, so that all blocks have texture. A caption blinks over the feet of what walks.
std::string film(const Walk& walk, bool has_caption = false) {
  const auto grey_at = [&](int x, int y, double time) {
    if (has_caption && y >= 72 && y < 96 && x % 4 < 2) return 255 * (static_cast<int>(3 * time) % 2);
    const bool is_walker = std::abs(x - walk(time)) < 12 && std::abs(y - 60) < 20;
    return is_walker ? 220 : 100 + 40 * ((x / 8 * 7 + y / 8 * 11) % 3);
  };
  return made_y4m(film_seconds, grey_at);
}

class StillCamera : public testing::Test {
 protected:
  Motion motion(const std::string& query, const std::string& other, const CopySegment& segment,
                bool is_backwards = false) const {
    const fs::path a = folder_.write("a.y4m", query), b = folder_.write("b.y4m", other);
    return motions_of(std::vector<PlacedSegment>{{segment, {}, is_backwards}}, a, b, {}).front();
  }

  bool is_copy(const Walk& query, const Walk& other, const CopySegment& segment, bool is_backwards = false) const {
    return motion(film(query), film(other), segment, is_backwards) == Motion::alike;
  }

  const TestFolder folder_;
};

const CopySegment whole{.query_in = 0, .query_out = film_seconds, .other_in = 0, .other_out = film_seconds};

TEST_F(StillCamera, ACopyIsToldFromAnotherTime) {
  EXPECT_TRUE(is_copy(there_and_back, there_and_back, whole));
  EXPECT_FALSE(is_copy(there_and_back, otherwise_later, whole));
}

TEST_F(StillCamera, ACopyOfAnotherSpeedIsOne) {
  CopySegment slow = whole;
  slow.other_out = film_seconds / 2;
  slow.speed = 0.5;
  EXPECT_TRUE(is_copy([](double time) { return there_and_back(time / 2); }, there_and_back, slow));
  EXPECT_FALSE(is_copy([](double time) { return otherwise_later(time / 2); }, there_and_back, slow));
}

TEST_F(StillCamera, ACopyThatRunsBackwardsIsOne) {
  CopySegment backwards = whole;
  backwards.query_in = -film_seconds;
  backwards.query_out = 0;
  const auto turned = [](const Walk& walk) { return [walk](double time) { return walk(film_seconds - time); }; };
  EXPECT_TRUE(is_copy(turned(there_and_back), there_and_back, backwards, true));
  EXPECT_FALSE(is_copy(turned(otherwise_later), there_and_back, backwards, true));
}

TEST_F(StillCamera, ACaptionThatBlinksOverWhatMovesIsNoOtherTime) {
  EXPECT_EQ(motion(film(there_and_back, true), film(there_and_back), whole), Motion::alike);
  EXPECT_EQ(motion(film(there_and_back), film(there_and_back, true), whole), Motion::alike);
  EXPECT_EQ(motion(film(there_and_back, true), film(otherwise_later), whole), Motion::different);
}

TEST_F(StillCamera, WhereNothingMovesNothingIsTold) {
  const auto stands = [](double) { return 80.0; };
  EXPECT_EQ(motion(film(stands), film(stands), whole), Motion::none);
}

// Blocks of one clip that move, with this correlation.
MovingBlocks moving(std::size_t of_query, std::size_t of_other, double correlation) {
  const Products products{.aa = 100, .ab = 100 * correlation, .bb = 100, .count = 50};
  return {{products, correlation * static_cast<double>(of_query), of_query},
          {products, correlation * static_cast<double>(of_other), of_other}};
}

TEST(StillCameraBlocks, StandIfFewMoveInOneClip) {
  EXPECT_TRUE(stands(moving(4, 5, 1), moving(0, 0, 0)));
  EXPECT_TRUE(stands(moving(30, 5, 1), moving(30, 8, 0)));    // the query is shaken
  EXPECT_FALSE(stands(moving(30, 28, 1), moving(30, 8, 0)));  // both cameras move
  EXPECT_FALSE(stands(moving(0, 0, 0), moving(0, 0, 0)));     // nothing does
}

TEST(StillCameraBlocks, TellTheTimeTogether) {
  EXPECT_TRUE(is_time_told(moving(4, 5, 0.95), moving(6, 5, 0.9)));
  EXPECT_FALSE(is_time_told(moving(4, 5, 0.95), moving(6, 5, 0.1)));  // one end by chance
}

}  // namespace
}  // namespace octavo
