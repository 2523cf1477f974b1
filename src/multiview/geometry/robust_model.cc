// Robust estimation by OpenCV's USAC (Raguram et al., "USAC: a universal framework for random sample consensus", PAMI
// 2013), with MAGSAC++ scores (Barath et al., CVPR 2020) by default. OpenCV proposes the matrix. The pairs that agree
// with it, and their errors, are computed here, in double precision, from the returned matrix. The seed is fixed and
// there is one thread, so the same pairs give the same model.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <opencv2/calib3d.hpp>
#include <optional>

#include "io/opencv/opencv_error.h"
#include "multiview/geometry/degenerate.h"
#include "multiview/geometry/dominant_plane.h"
#include "multiview/geometry/inlier_count.h"
#include "multiview/geometry/relative_pose.h"
#include "multiview/geometry/support.h"
#include "multiview/geometry/visible_part.h"
#include "octavo/error.h"
#include "octavo/multiview/geometry.h"

namespace octavo {

namespace {

using Matrix = std::array<double, 9>;

cv::UsacParams usac_params(const RobustOptions& options) {
  cv::UsacParams params;
  params.threshold = options.threshold;
  params.confidence = options.confidence;
  params.maxIterations = options.max_iterations;
  params.randomGeneratorState = options.seed;
  params.isParallel = false;
  switch (options.method) {
    case RobustOptions::Method::magsac:
      params.score = cv::SCORE_METHOD_MAGSAC;
      params.loMethod = cv::LOCAL_OPTIM_SIGMA;
      params.loSampleSize = 50;
      params.loIterations = 10;
      break;
    case RobustOptions::Method::ransac:
      params.score = cv::SCORE_METHOD_RANSAC;
      break;
    case RobustOptions::Method::prosac:
      params.sampler = cv::SAMPLING_PROSAC;
      break;
  }
  return params;
}

// The differences between the kinds of model.
struct Kind {
  const char* article;
  const char* name;
  // Number of pairs that determine the model.
  int sample;
  // Least number of pairs for an estimate.
  int fewest;
  // Scales the model to its canonical scale; false if it has none.
  bool (*normalise)(Matrix& model);
  // The error of a pair [pixel].
  double (*error)(const Matrix& model, const Point& a, const Point& b);
  // The area of b within `threshold` of the model [pixel²].
  double (*reach)(double threshold, double width, double height);
  std::function<cv::Mat(const std::vector<cv::Point2d>& a, const std::vector<cv::Point2d>& b,
                        const cv::UsacParams& params)>
      propose;
  // A plane fits many models.
  bool is_fundamental = false;
  // A point of a has one place in b.
  bool maps_points = false;
};

bool scale_by(Matrix& model, double divisor) {
  if (!(std::abs(divisor) > 1e-12)) return false;
  for (double& m : model) {
    m /= divisor;
    if (!std::isfinite(m)) return false;
  }
  return true;
}

double norm(const Matrix& model) {
  double sum = 0;
  for (const double m : model) sum += m * m;
  return std::sqrt(sum);
}

std::array<double, 3> times(const Matrix& m, const Point& p) {
  return {m[0] * p.x + m[1] * p.y + m[2], m[3] * p.x + m[4] * p.y + m[5], m[6] * p.x + m[7] * p.y + m[8]};
}

const Kind homography{
    "a",
    "homography",
    4,
    4,
    [](Matrix& h) { return scale_by(h, norm(h)) && scale_by(h, h[8]); },
    [](const Matrix& h, const Point& a, const Point& b) {
      const auto [x, y, w] = times(h, a);
      return std::hypot(x / w - b.x, y / w - b.y);
    },
    [](double threshold, double, double) { return std::numbers::pi * threshold * threshold; },
    [](const std::vector<cv::Point2d>& a, const std::vector<cv::Point2d>& b, const cv::UsacParams& params) {
      cv::Mat mask;
      return cv::findHomography(a, b, mask, params);
    },
    false,
    true};

const Kind fundamental{
    "a",
    "fundamental matrix",
    7,
    8,
    [](Matrix& f) { return scale_by(f, norm(f)); },
    [](const Matrix& f, const Point& a, const Point& b) {
      const auto [l, m, n] = times(f, a);
      return std::abs(l * b.x + m * b.y + n) / std::hypot(l, m);
    },
    [](double threshold, double width, double height) { return 2 * threshold * std::hypot(width, height); },
    [](const std::vector<cv::Point2d>& a, const std::vector<cv::Point2d>& b, const cv::UsacParams& params) {
      cv::Mat mask;
      return cv::findFundamentalMat(a, b, mask, params);
    },
    true};

cv::Matx33d matrix_of(const Camera& camera) { return {camera.fx, 0, camera.cx, 0, camera.fy, camera.cy, 0, 0, 1}; }

// The essential matrix is estimated as the fundamental matrix that has one with these cameras: F = K_b⁻ᵀ·E·K_a⁻¹. Its
// errors are then in pixels of B.
Kind essential(const Camera& camera_a, const Camera& camera_b) {
  Kind kind = fundamental;
  kind.is_fundamental = false;
  kind.article = "an";
  kind.name = "essential matrix";
  kind.sample = 5;
  kind.fewest = 6;  // five pairs have up to ten essential matrices; a sixth pair decides
  const cv::Matx33d k_a = matrix_of(camera_a), k_b = matrix_of(camera_b);
  kind.propose = [k_a, k_b](const std::vector<cv::Point2d>& a, const std::vector<cv::Point2d>& b,
                            const cv::UsacParams& params) -> cv::Mat {
    cv::Mat mask;
    const cv::Mat e = cv::findEssentialMat(a, b, k_a, k_b, cv::noArray(), cv::noArray(), mask, params);
    if (e.rows < 3 || e.cols != 3) return {};
    return cv::Mat(k_b.inv().t() * cv::Matx33d(e.rowRange(0, 3)) * k_a.inv());
  };
  return kind;
}

void check(const Camera& camera, const char* name) {
  constexpr double largest = 1e7;
  const auto is_focal = [](double f) { return f >= 1e-3 && f <= largest; };
  const auto is_place = [](double c) { return std::abs(c) <= largest; };
  if (is_focal(camera.fx) && is_focal(camera.fy) && is_place(camera.cx) && is_place(camera.cy)) return;
  throw Error(ErrorCode::invalid_argument,
              std::string("the camera of ") + name +
                  " has focal lengths that are not between 0.001 and 10^7 pixels, or a principal point beyond 10^7");
}

std::vector<cv::Point2d> cv_points(std::span<const Point> points) {
  std::vector<cv::Point2d> converted;
  converted.reserve(points.size());
  for (const Point& p : points) converted.emplace_back(p.x, p.y);
  return converted;
}

// The matrix that OpenCV proposes; empty if there is none. OpenCV reports some degenerate cases by exceptions.
std::optional<Matrix> propose(const Kind& kind, std::span<const Point> a, std::span<const Point> b,
                              const RobustOptions& options) try {
  const cv::Mat proposed = kind.propose(cv_points(a), cv_points(b), usac_params(options));
  if (proposed.rows < 3 || proposed.cols != 3) return std::nullopt;
  Matrix model;
  cv::Mat view(3, 3, CV_64F, model.data());
  proposed.rowRange(0, 3).convertTo(view, CV_64F);  // the first one, if there are several
  return model;
} catch (const cv::Exception& error) {
  if (error.code == cv::Error::StsNoMem) throw_error_of(error, "no model can be sought");
  return std::nullopt;
}

// The probability that a pair of independent random points, spread over their bounding boxes, agrees with a model.
double chance(const Kind& kind, std::span<const Point> points, double threshold) {
  const auto [left, right] = std::ranges::minmax(points, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(points, {}, &Point::y);
  const double width = right.x - left.x, height = bottom.y - top.y;
  return std::min(1.0, kind.reach(threshold, width, height) / (width * height));
}

RobustModel none(std::size_t pairs, std::string reason) {
  RobustModel model;
  model.reason = std::move(reason);
  model.inliers.assign(pairs, 0);
  return model;
}

// The model of a matrix, with the pairs that agree with it.
RobustModel model_of(const Kind& kind, const Matrix& matrix, std::span<const Point> a, std::span<const Point> b,
                     double threshold) {
  RobustModel model;
  model.found = true;
  model.b_from_a = matrix;
  model.inliers.reserve(a.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error = kind.error(matrix, a[i], b[i]);
    const bool inlier = error <= threshold;  // false for a NaN
    model.inliers.push_back(inlier);
    if (!inlier) continue;
    ++model.inlier_count;
    sum += error;
  }
  model.reprojection_error = model.inlier_count == 0 ? 0 : sum / model.inlier_count;
  return model;
}

std::vector<Point> agreeing(std::span<const Point> points, const RobustModel& model) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (model.inliers[i] != 0) kept.push_back(points[i]);
  }
  return kept;
}

// The pairs that may agree: of a homography those whose point of a it maps among b's points.
planes::InlierCount count_of(const Kind& kind, const RobustModel& model, const planes::DistinctPairs& pairs,
                             std::span<const Point> b) {
  if (!kind.maps_points) return planes::count_inliers(pairs);
  const auto [left, right] = std::ranges::minmax(b, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(b, {}, &Point::y);
  const cv::Rect2d box(left.x - 0.5, top.y - 0.5, right.x - left.x + 1, bottom.y - top.y + 1);
  return planes::count_inliers(pairs, planes::oriented(model.b_from_a, pairs.middle()), box);
}

// Why the inliers are few; empty if they are not.
std::string why_few(const planes::InlierCount& count, const planes::DistinctPairs& pairs, double threshold,
                    const char* name) {
  if (count.are_few()) return count.sentence("", name);
  const double needed = std::floor(count.places_needed());
  const int places = planes::count_places(pairs, threshold, static_cast<int>(needed) + 1);
  if (places > needed) return {};
  return fmt::format("{} matches agree, but at only {} places, those of a right {} lie at more than {:.0f}",
                     count.inliers, places, name, needed);
}

void add_warnings(RobustModel& model, const std::string& why_few) {
  if (!why_few.empty()) model.warnings.push_back({ModelWarning::Kind::few_inliers, why_few});
  if (!model.is_plane_alone) return;
  model.warnings.push_back({ModelWarning::Kind::plane_alone,
                            "nearly all pairs lie on one plane, which many fundamental matrices fit, so this one may "
                            "be far from the cameras'"});
}

// `angle` [radian] is that of the threshold.
void add_warning_of_one_place(EssentialModel& model, double angle) {
  constexpr double most = 3;  // two parts of one photograph have up to 2.6, views of real scenes 5 and more
  if (model.median_ray_angle > most * angle) return;
  model.warnings.push_back({ModelWarning::Kind::one_place,
                            "the rays to a point meet at hardly any angle: the cameras stand at nearly one place, and "
                            "the translation is arbitrary"});
}

// Where most pairs lie on a plane, those off it determine the fundamental matrix.
void look_for_a_plane(RobustModel& model, const Kind& kind, std::span<const Point> a, std::span<const Point> b,
                      const RobustOptions& options) {
  const DominantPlane plane = dominant_plane_of(a, b, model.b_from_a, model.inliers, options);
  Matrix matrix = plane.fundamental;
  if (plane.is_there && !plane.is_alone && kind.normalise(matrix)) {
    RobustModel better = model_of(kind, matrix, a, b, options.threshold);
    if (better.inlier_count >= model.inlier_count) model = std::move(better);
  }
  model.is_plane_alone = plane.is_alone;
}

RobustModel estimate(const Kind& kind, std::span<const Point> a, std::span<const Point> b,
                     const RobustOptions& options) {
  validate(options);
  if (a.size() != b.size()) {
    throw Error(ErrorCode::invalid_argument, "the pairs have " + std::to_string(a.size()) + " points of a but " +
                                                 std::to_string(b.size()) + " of b");
  }
  const std::string name = kind.name;
  if (a.size() < static_cast<std::size_t>(kind.fewest)) {
    return none(a.size(), std::string(kind.article) + " " + name + " needs at least " + std::to_string(kind.fewest) +
                              " pairs, but there are " + std::to_string(a.size()));
  }
  for (const auto& [points, side] : {std::pair(a, "a"), std::pair(b, "b")}) {
    const std::string why = why_degenerate(points, side, options.threshold);
    if (!why.empty()) return none(a.size(), why);
  }
  // A copy of a pair proves nothing.
  const auto different = static_cast<int>(planes::distinct(a, b, std::vector<std::uint8_t>(a.size())).a.size());
  if (different < kind.fewest) {
    return none(a.size(), std::string(kind.article) + " " + name + " needs at least " + std::to_string(kind.fewest) +
                              " pairs, but only " + std::to_string(different) + " are different");
  }

  std::optional<Matrix> matrix = propose(kind, a, b, options);
  if (!matrix || !kind.normalise(*matrix)) return none(a.size(), "no " + name + " agrees with enough of the pairs");

  RobustModel model = model_of(kind, *matrix, a, b, options.threshold);
  if (kind.is_fundamental) look_for_a_plane(model, kind, a, b, options);
  const planes::DistinctPairs pairs = planes::distinct(a, b, model.inliers);
  if (!supports_model(different, planes::count_inliers(pairs).inliers, kind.sample,
                      chance(kind, b, options.threshold))) {
    return none(a.size(), "no " + name + " agrees with enough of the pairs");
  }
  for (const auto& [points, side] : {std::pair(a, "a"), std::pair(b, "b")}) {
    const std::string why = why_degenerate(agreeing(points, model), side, options.threshold);
    if (!why.empty()) return none(a.size(), std::string("among the pairs that agree ").append(why));
  }
  add_warnings(model, why_few(count_of(kind, model, pairs, b), pairs, options.threshold, kind.name));
  return model;
}

}  // namespace

std::string_view word(ModelWarning::Kind kind) {
  switch (kind) {
    case ModelWarning::Kind::few_inliers:
      return "few_inliers";
    case ModelWarning::Kind::plane_alone:
      return "plane_alone";
    case ModelWarning::Kind::one_place:
      return "one_place";
  }
  return "";
}

RobustModel estimate_homography(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options) {
  return estimate(homography, a, b, options);
}

RobustModel estimate_fundamental(std::span<const Point> a, std::span<const Point> b, const RobustOptions& options) {
  return estimate(fundamental, a, b, options);
}

EssentialModel estimate_essential(std::span<const Point> a, std::span<const Point> b, const Camera& camera_a,
                                  const Camera& camera_b, const RobustOptions& options) {
  check(camera_a, "a");
  check(camera_b, "b");
  EssentialModel model{estimate(essential(camera_a, camera_b), a, b, options)};
  if (!model.found) return model;
  const cv::Matx33d f(model.b_from_a.data());
  const cv::Matx33d e = matrix_of(camera_b).t() * f * matrix_of(camera_a);
  std::copy_n(e.val, 9, model.b_from_a.begin());
  if (scale_by(model.b_from_a, norm(model.b_from_a)) && add_pose(model, a, b, camera_a, camera_b)) {
    add_warning_of_one_place(model, options.threshold / camera_b.fx);
    return model;
  }
  EssentialModel without;
  static_cast<RobustModel&>(without) = none(a.size(), "no pose of the cameras has the points in front of both");
  return without;
}

}  // namespace octavo
