// Known models are found from pairs of which half are wrong. Lists that determine no model give the reason. Nothing is
// printed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "engine/core/expect_error.h"
#include "multiview/geometry/support.h"
#include "octavo/error.h"
#include "octavo/multiview/geometry.h"

namespace octavo {
namespace {

using Matrix = std::array<double, 9>;
using Method = RobustOptions::Method;
constexpr Method methods[] = {Method::magsac, Method::ransac, Method::prosac};

// Uniform in the image. It uses integer arithmetic, so that every standard library gives the same numbers.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(engine_()) / 4294967296.0; }
  Point point() { return {uniform(0, 1000), uniform(0, 800)}; }
  // Nearly Gaussian, of unit variance.
  double noise() {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += uniform(-0.5, 0.5);
    return sum;
  }

 private:
  std::mt19937 engine_;
};

std::vector<std::string> words_of(const RobustModel& model) {
  std::vector<std::string> words;
  for (const ModelWarning& warning : model.warnings) words.emplace_back(word(warning.kind));
  return words;
}

Point mapped(const Matrix& h, const Point& p) {
  const double w = h[6] * p.x + h[7] * p.y + h[8];
  return {(h[0] * p.x + h[1] * p.y + h[2]) / w, (h[3] * p.x + h[4] * p.y + h[5]) / w};
}

double distance(const Point& p, const Point& q) { return std::hypot(p.x - q.x, p.y - q.y); }

// 400 pairs: the first half is right up to `noise` pixels, the others are random.
PointPairs half_wrong(const std::function<Point(const Point&, Random&)>& partner, double noise, unsigned seed) {
  Random random(seed);
  PointPairs pairs;
  for (int i = 0; i < 400; ++i) {
    const Point a = random.point();
    Point b = i < 200 ? partner(a, random) : random.point();
    if (i < 200) b = {b.x + noise * random.noise(), b.y + noise * random.noise()};
    pairs.a.push_back(a);
    pairs.b.push_back(b);
  }
  return pairs;
}

// The record of a model agrees with the model itself.
void expect_consistent(const RobustModel& model, const PointPairs& pairs, const RobustOptions& options,
                       const std::function<double(const Point&, const Point&)>& error) {
  ASSERT_EQ(model.inliers.size(), pairs.a.size());
  int count = 0;
  double sum = 0;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const double e = error(pairs.a[i], pairs.b[i]);
    ASSERT_EQ(model.inliers[i], e <= options.threshold ? 1 : 0) << "pair " << i << ", error " << e;
    if (e > options.threshold) continue;
    ++count;
    sum += e;
  }
  EXPECT_EQ(model.inlier_count, count);
  EXPECT_NEAR(model.reprojection_error, sum / count, 1e-9);
}

TEST(Homography, KnownOnesComeBackWithHalfThePairsWrong) {
  const Matrix truths[] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                           {0.8, -0.3, 120, 0.25, 0.9, -40, 1e-4, -5e-5, 1},
                           {-1, 0, 1000, 0, -1, 800, 0, 0, 1}};
  for (const Matrix& truth : truths) {
    for (const Method method : methods) {
      const PointPairs pairs = half_wrong([&](const Point& p, Random&) { return mapped(truth, p); }, 0.5, 1);
      const RobustOptions options{.method = method};
      const RobustModel model = estimate_homography(pairs.a, pairs.b, options);
      ASSERT_TRUE(model.found) << model.reason;
      EXPECT_TRUE(model.reason.empty());
      EXPECT_EQ(model.b_from_a[8], 1);
      for (const Point& corner : {Point{0, 0}, Point{1000, 0}, Point{0, 800}, Point{1000, 800}}) {
        EXPECT_LT(distance(mapped(model.b_from_a, corner), mapped(truth, corner)), 1.5);
      }
      EXPECT_GE(model.inlier_count, 198);
      EXPECT_LE(model.inlier_count, 204);
      expect_consistent(model, pairs, options,
                        [&](const Point& a, const Point& b) { return distance(mapped(model.b_from_a, a), b); });
    }
  }
}

TEST(Homography, FourPairsAreEnough) {
  const std::vector<Point> a{{0, 0}, {100, 0}, {0, 100}, {100, 100}}, b{{10, 20}, {210, 20}, {10, 220}, {210, 220}};
  const RobustModel model = estimate_homography(a, b);
  ASSERT_TRUE(model.found) << model.reason;
  EXPECT_EQ(model.inlier_count, 4);
  EXPECT_NEAR(model.b_from_a[0], 2, 1e-6);
  EXPECT_NEAR(model.b_from_a[5], 20, 1e-4);
}

// Two views of points in a box: the camera moves sideways and turns a little.
Point seen_from_a(const std::array<double, 3>& p) { return {800 * p[0] / p[2] + 500, 800 * p[1] / p[2] + 400}; }
Point seen_from_b(const std::array<double, 3>& p) {
  const double c = std::cos(0.1), s = std::sin(0.1);
  const double x = c * p[0] + s * p[2] - 1, z = -s * p[0] + c * p[2] + 0.2;
  return {800 * x / z + 500, 800 * p[1] / z + 400};
}

PointPairs two_views(double noise, unsigned seed) {
  Random random(seed);
  PointPairs pairs;
  for (int i = 0; i < 400; ++i) {
    const std::array<double, 3> p{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(4, 8)};
    const Point b = i < 200 ? seen_from_b(p) : random.point();
    pairs.a.push_back(seen_from_a(p));
    pairs.b.push_back({b.x + noise * random.noise(), b.y + noise * random.noise()});
  }
  return pairs;
}

TEST(Fundamental, TheKnownOneComesBackWithHalfThePairsWrong) {
  const PointPairs fresh = two_views(0, 99);  // not used by the estimator
  for (const Method method : methods) {
    const PointPairs pairs = two_views(0.3, 3);
    const RobustOptions options{.method = method, .threshold = 1.5};
    const RobustModel model = estimate_fundamental(pairs.a, pairs.b, options);
    ASSERT_TRUE(model.found) << model.reason;
    double norm2 = 0;
    for (const double f : model.b_from_a) norm2 += f * f;
    EXPECT_NEAR(norm2, 1, 1e-12);
    const Matrix& f = model.b_from_a;
    const auto error = [&](const Point& a, const Point& b) {
      const double l = f[0] * a.x + f[1] * a.y + f[2], m = f[3] * a.x + f[4] * a.y + f[5];
      return std::abs(l * b.x + m * b.y + f[6] * a.x + f[7] * a.y + f[8]) / std::hypot(l, m);
    };
    EXPECT_GE(model.inlier_count, 190);
    expect_consistent(model, pairs, options, error);
    for (int i = 0; i < 200; ++i) EXPECT_LT(error(fresh.a[i], fresh.b[i]), 2) << i;
  }
}

constexpr Camera camera{.fx = 800, .fy = 800, .cx = 500, .cy = 400};

double angle_of_rotation(const Matrix& r) { return std::acos(std::min(1.0, (r[0] + r[4] + r[8] - 1) / 2)); }

// r·sᵀ
Matrix times_transposed(const Matrix& r, const Matrix& s) {
  Matrix product{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) product[3 * i + j] += r[3 * i + k] * s[3 * j + k];
    }
  }
  return product;
}

// Pairs of two cameras: 300 to estimate from, of which 90 are random and `off` others do not lie on the plane of the
// rest; and exact ones at many depths, to judge by.
struct PlaneScene {
  PointPairs pairs, truth;
};

PlaneScene plane_scene(int off, unsigned seed) {
  Random random(seed);
  constexpr double f = 800, cx = 400, cy = 300, turn = 0.06;
  const double c = std::cos(turn), s = std::sin(turn), tx = 1, ty = 0.1, tz = 0.2;
  const auto seen = [&](double x, double y, double z) { return Point{f * x / z + cx, f * y / z + cy}; };
  const auto add = [&](PointPairs& pairs, double x, double y, double z) {
    pairs.a.push_back(seen(x, y, z));
    pairs.b.push_back(seen(c * x + s * z + tx, y + ty, c * z - s * x + tz));
  };
  PlaneScene scene;
  for (int i = 0; i < 300; ++i) {
    const double x = random.uniform(-4, 4), y = random.uniform(-3, 3), depth = random.uniform(5, 9);
    i < off ? add(scene.pairs, 0.75 * x, y, depth) : add(scene.pairs, x, y, 10 + 0.3 * x - 0.2 * y);
    add(scene.truth, 0.75 * x, y, random.uniform(4, 20));
    for (Point* const p : {&scene.pairs.a.back(), &scene.pairs.b.back()}) {
      *p = {p->x + 0.5 * random.noise(), p->y + 0.5 * random.noise()};
      if (i >= 210) *p = {random.uniform(0, 800), random.uniform(0, 600)};
    }
  }
  return scene;
}

// [pixel] the median distance of b from the epipolar line of a.
double median_error(const Matrix& f, const PointPairs& pairs) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const Point &a = pairs.a[i], &b = pairs.b[i];
    const double l = f[0] * a.x + f[1] * a.y + f[2], m = f[3] * a.x + f[4] * a.y + f[5];
    errors.push_back(std::abs(l * b.x + m * b.y + f[6] * a.x + f[7] * a.y + f[8]) / std::hypot(l, m));
  }
  std::ranges::nth_element(errors, errors.begin() + 150);
  return errors[150];
}

TEST(Fundamental, ADominantPlaneDoesNotHideTheOtherPairs) {
  for (const int off : {10, 21, 42, 105}) {
    int right = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const PlaneScene scene = plane_scene(off, seed);
      const RobustModel model = estimate_fundamental(scene.pairs.a, scene.pairs.b, {.threshold = 1.5});
      right += model.found && !model.is_plane_alone && median_error(model.b_from_a, scene.truth) < 2 ? 1 : 0;
    }
    EXPECT_GE(right, off == 10 ? 8 : 9) << off;
  }
}

TEST(Fundamental, APlaneAloneIsTold) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const PlaneScene scene = plane_scene(0, seed);
    const RobustModel model = estimate_fundamental(scene.pairs.a, scene.pairs.b, {.threshold = 1.5});
    ASSERT_TRUE(model.found);
    EXPECT_TRUE(model.is_plane_alone) << seed;
    EXPECT_EQ(words_of(model), std::vector<std::string>{"plane_alone"}) << seed;
  }
}

TEST(Essential, ThePoseOfTheCamerasComesBackWithHalfThePairsWrong) {
  const double c = std::cos(0.1), s = std::sin(0.1), length = std::hypot(1, 0.2);
  const Matrix rotation{c, 0, s, 0, 1, 0, -s, 0, c};
  const PointPairs pairs = two_views(0.3, 3);
  // The same scene, seen in B by another camera.
  const Camera finer{.fx = 1600, .fy = 1200, .cx = 700, .cy = 300};
  PointPairs other = pairs;
  for (Point& b : other.b) b = {2 * (b.x - 500) + 700, 1.5 * (b.y - 400) + 300};
  for (const Method method : methods) {
    for (const bool same : {true, false}) {
      const PointPairs& seen = same ? pairs : other;
      const RobustOptions options{.method = method, .threshold = same ? 1.5 : 3.0};
      const EssentialModel model = estimate_essential(seen.a, seen.b, camera, same ? camera : finer, options);
      ASSERT_TRUE(model.found) << model.reason;
      EXPECT_GE(model.inlier_count, 190);
      EXPECT_LT(model.reprojection_error, 1);
      EXPECT_LT(angle_of_rotation(times_transposed(model.rotation_b_from_a, rotation)), 0.005);
      const auto& t = model.translation_b_from_a;
      EXPECT_GT((-t[0] + 0.2 * t[2]) / length, std::cos(0.03));
      EXPECT_NEAR(std::hypot(t[0], t[1], t[2]), 1, 1e-9);
      EXPECT_GE(model.in_front_count, 190);
      EXPECT_LE(model.in_front_count, model.inlier_count);
      EXPECT_GT(model.median_ray_angle, 0.1);
      EXPECT_EQ(words_of(model), std::vector<std::string>());
      EXPECT_LT(model.median_ray_angle, 0.3);

      // E ~ [t]×·R
      const Matrix cross{0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0};
      const Matrix& r = model.rotation_b_from_a;
      const Matrix transposed{r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]};
      const Matrix e = times_transposed(cross, transposed);
      double product = 0;
      for (std::size_t i = 0; i < 9; ++i) product += e[i] * model.b_from_a[i] / std::sqrt(2.0);
      EXPECT_NEAR(std::abs(product), 1, 1e-3);
    }
  }
}

TEST(Essential, CamerasAtOnePlaceHaveASmallAngleBetweenRays) {
  Random random(4);
  PointPairs pairs;
  for (int i = 0; i < 200; ++i) {
    const Point a = random.point();
    const double x = (a.x - 500) / 800, y = (a.y - 400) / 800, c = std::cos(0.1), s = std::sin(0.1);
    pairs.a.push_back(a);
    pairs.b.push_back({800 * (c * x + s) / (c - s * x) + 500 + 0.3 * random.noise(),
                       800 * y / (c - s * x) + 400 + 0.3 * random.noise()});
  }
  const EssentialModel model = estimate_essential(pairs.a, pairs.b, camera, camera);
  ASSERT_TRUE(model.found) << model.reason;
  EXPECT_LT(model.median_ray_angle, 3.0 / 800);
  EXPECT_NEAR(angle_of_rotation(model.rotation_b_from_a), 0.1, 0.01);
  EXPECT_EQ(words_of(model), std::vector<std::string>{"one_place"});
}

// Pairs of which `right` agree with a shift, and the others with nothing.
PointPairs shifted(int right, int wrong) {
  Random random(11);
  PointPairs pairs;
  for (int i = 0; i < right + wrong; ++i) {
    const Point a = random.point();
    pairs.a.push_back(a);
    pairs.b.push_back(i < right ? Point{a.x + 30, a.y - 20} : random.point());
  }
  return pairs;
}

TEST(RobustModel, FewInliersAreDoubted) {
  const auto words = [](const PointPairs& pairs) { return words_of(estimate_homography(pairs.a, pairs.b)); };
  const std::vector<std::string> few{"few_inliers"}, none;
  EXPECT_EQ(words(shifted(6, 0)), few);
  EXPECT_EQ(words(shifted(14, 30)), few) << "less than a third";
  EXPECT_EQ(words(shifted(30, 30)), none);
  const RobustModel model = estimate_homography(shifted(6, 9).a, shifted(6, 9).b);
  ASSERT_EQ(words_of(model), few);
  EXPECT_TRUE(model.warnings[0].sentence.starts_with("only 6 of ")) << model.warnings[0].sentence;
  EXPECT_TRUE(model.warnings[0].sentence.ends_with("agree, a right homography has more than 12"));
}

TEST(RobustModel, PairsAtOnePlaceCountOnce) {
  PointPairs pairs = shifted(7, 2);
  for (int i = 0; i < 21; ++i) {
    pairs.a.push_back(pairs.a[static_cast<std::size_t>(i % 7)]);
    pairs.b.push_back(pairs.b[static_cast<std::size_t>(i % 7)]);
  }
  const RobustModel model = estimate_homography(pairs.a, pairs.b);
  EXPECT_EQ(model.inlier_count, 28);
  EXPECT_EQ(words_of(model), std::vector<std::string>{"few_inliers"});
}

// Pairs of random points, each so often with noise of a tenth of a pixel.
PointPairs gathered(int places, int copies) {
  Random random(5);
  const auto near = [&](const Point& p) { return Point{p.x + 0.1 * random.noise(), p.y + 0.1 * random.noise()}; };
  PointPairs pairs;
  for (int i = 0; i < places; ++i) {
    const Point a = random.point(), b = random.point();
    for (int j = 0; j < copies; ++j) {
      pairs.a.push_back(near(a));
      pairs.b.push_back(near(b));
    }
  }
  return pairs;
}

TEST(RobustModel, InliersAtFewPlacesAreDoubted) {
  const Camera camera{500, 500, 500, 400};
  const PointPairs four = gathered(4, 50), eight = gathered(8, 50);
  const RobustModel flat = estimate_homography(four.a, four.b), model = estimate_fundamental(eight.a, eight.b);
  ASSERT_TRUE(flat.found && model.found);
  EXPECT_EQ(words_of(flat).front(), "few_inliers");
  EXPECT_EQ(words_of(model).front(), "few_inliers");
  EXPECT_TRUE(
      model.warnings[0].sentence.starts_with(std::to_string(model.inlier_count) + " matches agree, but at only "))
      << model.warnings[0].sentence;
  const EssentialModel pose = estimate_essential(eight.a, eight.b, camera, camera);
  EXPECT_TRUE(!pose.found || words_of(pose).front() == "few_inliers");
}

TEST(RobustModel, PairsThatHomographiesPutBesideTheImageDoNotCount) {
  PointPairs pairs = shifted(14, 0);
  for (int i = 0; i < 30; ++i) {
    pairs.a.push_back({1500.0 + 7 * i, 100.0 + 13 * i});
    pairs.b.push_back({20.0 * i, 400.0 + (i * 37) % 200});
  }
  const RobustModel model = estimate_homography(pairs.a, pairs.b);
  EXPECT_EQ(model.inlier_count, 14);
  EXPECT_TRUE(model.warnings.empty());
}

TEST(RobustModel, TheSameEveryTimeAndOnEveryThread) {
  const PointPairs planar = half_wrong([](const Point& p, Random&) { return Point{p.y, 900 - p.x}; }, 1, 5);
  const PointPairs deep = two_views(1, 6);
  for (const Method method : methods) {
    const RobustOptions options{.method = method, .seed = 17};
    const RobustModel h = estimate_homography(planar.a, planar.b, options);
    const RobustModel f = estimate_fundamental(deep.a, deep.b, options);
    const EssentialModel e = estimate_essential(deep.a, deep.b, camera, camera, options);
    ASSERT_TRUE(h.found && f.found && e.found);
    const auto repeat = [&] {
      for (int run = 0; run < 5; ++run) {
        EXPECT_EQ(estimate_homography(planar.a, planar.b, options).b_from_a, h.b_from_a);
        EXPECT_EQ(estimate_fundamental(deep.a, deep.b, options).b_from_a, f.b_from_a);
        const EssentialModel again = estimate_essential(deep.a, deep.b, camera, camera, options);
        EXPECT_EQ(again.b_from_a, e.b_from_a);
        EXPECT_EQ(again.rotation_b_from_a, e.rotation_b_from_a);
        EXPECT_EQ(again.translation_b_from_a, e.translation_b_from_a);
      }
    };
    std::thread one(repeat), other(repeat);
    one.join();
    other.join();
  }
}

using Estimate = RobustModel (*)(std::span<const Point>, std::span<const Point>, const RobustOptions&);

void expect_none(Estimate estimate, const PointPairs& pairs, const std::string& reason) {
  for (const Method method : methods) {
    testing::internal::CaptureStderr();
    const RobustModel model = estimate(pairs.a, pairs.b, {.method = method});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_FALSE(model.found) << reason;
    EXPECT_NE(model.reason.find(reason), std::string::npos) << model.reason;
    EXPECT_EQ(model.inliers, std::vector<std::uint8_t>(pairs.a.size(), 0));
    EXPECT_EQ(model.inlier_count, 0);
    EXPECT_EQ(model.reprojection_error, 0);
    EXPECT_EQ(model.b_from_a, Matrix{});
  }
}

RobustModel estimate_calibrated(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options) {
  return estimate_essential(a, b, camera, camera, options);
}

struct KindOfModel {
  Estimate estimate;
  std::string article_and_name;
  int fewest;
};

TEST(RobustModel, ListsThatDetermineNothingSayWhy) {
  for (const auto& [estimate, name, fewest] : {KindOfModel{estimate_homography, "a homography", 4},
                                               {estimate_fundamental, "a fundamental matrix", 8},
                                               {estimate_calibrated, "an essential matrix", 6}}) {
    expect_none(estimate, {}, name + " needs at least " + std::to_string(fewest) + " pairs, but there are 0");
    PointPairs few;
    Random random(11);
    for (int i = 0; i < fewest - 1; ++i) {
      few.a.push_back(random.point());
      few.b.push_back(random.point());
    }
    expect_none(estimate, few, "needs at least");

    PointPairs spread, equal, line, crooked;
    for (int i = 0; i < 100; ++i) {
      const Point p = random.point();
      spread.a.push_back(p);
      spread.b.push_back({p.x + 10, p.y + 20});
      equal.a.push_back({3, 4});
      line.a.push_back({10.0 * i, 7.0 * i + 3});
      crooked.a.push_back({10.0 * i, 7.0 * i + random.noise()});
    }
    expect_none(estimate, {equal.a, equal.a}, "all points of a are equal");
    expect_none(estimate, {spread.a, equal.a}, "all points of b are equal");
    expect_none(estimate, {line.a, line.a}, "all points of a lie on a line");
    expect_none(estimate, {spread.a, line.a}, "all points of b lie on a line");
    expect_none(estimate, {crooked.a, crooked.a}, "all points of a lie on a line");

    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300}) {
      PointPairs wrong = spread;
      wrong.b[50].y = bad;
      expect_none(estimate, wrong, "a point of b lies beyond 10^7 pixels or is not a number");
    }
  }
}

TEST(RobustModel, PairsWithoutAnyRuleHaveNone) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    PointPairs pairs;
    Random random(seed);
    for (int i = 0; i < 400; ++i) {
      pairs.a.push_back(random.point());
      pairs.b.push_back(random.point());
    }
    for (const Method method : methods) {
      EXPECT_EQ(estimate_homography(pairs.a, pairs.b, {.method = method}).reason,
                "no homography agrees with enough of the pairs");
      EXPECT_EQ(estimate_fundamental(pairs.a, pairs.b, {.method = method}).reason,
                "no fundamental matrix agrees with enough of the pairs");
      // An essential matrix takes ten solutions of a polynomial a sample: fewer samples, so that the test is short.
      EXPECT_EQ(estimate_calibrated(pairs.a, pairs.b, {.method = method, .max_iterations = 300}).reason,
                "no essential matrix agrees with enough of the pairs");
    }
  }
}

// Any eight pairs have a fundamental matrix that seven of them agree with, and any six an essential one.
TEST(RobustModel, CopiesOfAPairProveNothing) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    for (const int different : {5, 6, 8}) {
      Random random(seed);
      PointPairs pairs;
      for (int i = 0; i < different; ++i) {
        pairs.a.insert(pairs.a.end(), 50, random.point());
        pairs.b.insert(pairs.b.end(), 50, random.point());
      }
      const Camera usual{700, 700, 500, 400};
      EXPECT_FALSE(estimate_homography(pairs.a, pairs.b).found) << different;
      EXPECT_FALSE(estimate_fundamental(pairs.a, pairs.b).found) << different;
      EXPECT_FALSE(estimate_essential(pairs.a, pairs.b, usual, usual).found) << different;
    }
  }
}

TEST(SupportsModel, AsManyAsChanceWouldGiveAreNotEnough) {
  // (n − s)·C(n, k)·C(k, s)·p^(k−s) = 6·C(10, 5)·C(5, 4)·p = 7560·p.
  EXPECT_TRUE(supports_model(10, 5, 4, 1.0 / 7561));
  EXPECT_FALSE(supports_model(10, 5, 4, 1.0 / 7559));
  EXPECT_FALSE(supports_model(10, 3, 4, 1e-9));
  EXPECT_FALSE(supports_model(10, 4, 4, 1e-9));
  EXPECT_TRUE(supports_model(4, 4, 4, 1));
  EXPECT_FALSE(supports_model(1000, 1000, 4, 1));
  EXPECT_TRUE(supports_model(1'000'000, 500'000, 4, 1e-4));
}

// [pixel] Distances to the middle of a disc, over which points lie evenly.
std::vector<double> even_errors(int count, double radius, unsigned seed) {
  Random random(seed);
  std::vector<double> errors;
  for (int i = 0; i < count; ++i) errors.push_back(radius * std::sqrt(random.uniform(0, 1)));
  return errors;
}

// [pixel] Those of points around the middle, with this deviation, and in the disc.
std::vector<double> gathered_errors(int count, double deviation, double radius, unsigned seed) {
  Random random(seed);
  std::vector<double> errors;
  while (static_cast<int>(errors.size()) < count) {
    const double error = deviation * std::hypot(random.noise(), random.noise());
    if (error <= radius) errors.push_back(error);
  }
  return errors;
}

TEST(DoInliersGather, ThoseOfAWrongModelLieEvenly) {
  for (const double threshold : {2.0, 3.0, 8.0}) {
    for (const int count : {12, 41, 400}) {
      int even = 0, gathered = 0;
      for (unsigned seed = 0; seed < 100; ++seed) {
        even += do_inliers_gather(even_errors(count, threshold, seed), threshold) ? 1 : 0;
        gathered += do_inliers_gather(gathered_errors(count, 0.6, threshold, seed), threshold) ? 1 : 0;
      }
      EXPECT_LE(even, 2) << threshold << ' ' << count;
      EXPECT_GE(gathered, count < 40 && threshold < 3 ? 60 : 98) << threshold << ' ' << count;
    }
  }
}

TEST(DoInliersGather, BelowTwoPixelsErrorsSayNothing) {
  EXPECT_TRUE(do_inliers_gather(even_errors(20, 1.2, 1), 1.2));
  EXPECT_TRUE(do_inliers_gather(even_errors(400, 1.9, 1), 1.9));
  EXPECT_FALSE(do_inliers_gather(even_errors(400, 2, 1), 2));
}

TEST(RobustModel, WrongCallsAreNamed) {
  const auto option = ErrorCode::invalid_option;
  const std::vector<Point> four(4), five(5);
  expect_error(option, "robust threshold is 0, but must be between 0.001 and 1000", [] { validate({.threshold = 0}); });
  expect_error(option, "robust threshold is nan", [] { validate({.threshold = NAN}); });
  expect_error(option, "robust confidence is 1, ", [] { validate({.confidence = 1}); });
  expect_error(option, "robust max_iterations is 0", [&] { estimate_homography(four, four, {.max_iterations = 0}); });
  expect_error(ErrorCode::invalid_argument, "4 points of a but 5 of b", [&] { estimate_homography(four, five); });
  expect_error(ErrorCode::invalid_argument, "5 points of a but 4 of b", [&] { estimate_fundamental(five, four); });
  for (const Camera& wrong : {Camera{}, Camera{.fx = 800, .fy = NAN}, Camera{.fx = 800, .fy = 800, .cx = 1e8}}) {
    expect_error(ErrorCode::invalid_argument, "the camera of a has",
                 [&] { estimate_essential(five, five, wrong, camera); });
    expect_error(ErrorCode::invalid_argument, "the camera of b has",
                 [&] { estimate_essential(five, five, camera, wrong); });
  }
}

TEST(PointPairs, AreThePositionsOfMatchedKeypoints) {
  Features a, b;
  a.keypoints = {{.x = 1, .y = 2}, {.x = 3, .y = 4}};
  b.keypoints = {{.x = 5, .y = 6}};
  const std::vector<Match> matches{{1, 0, 9}};
  const PointPairs pairs = point_pairs(a, b, matches);
  ASSERT_EQ(pairs.a.size(), 1u);
  EXPECT_EQ(pairs.a[0].x, 3);
  EXPECT_EQ(pairs.b[0].y, 6);
  const std::vector<Match> wrong{{0, 1, 9}};
  expect_error(ErrorCode::invalid_argument, "keypoint 1 of b, which has 1", [&] { point_pairs(a, b, wrong); });
}

}  // namespace
}  // namespace octavo
