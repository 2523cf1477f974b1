#include "multiview/geometry/coarse_homography.h"

#include <algorithm>
#include <cmath>

#include "multiview/geometry/visible_part.h"

namespace octavo {

namespace {

cv::Point2d cv_point(const Point& p) { return {p.x, p.y}; }

std::vector<cv::Point2d> places_of(const std::vector<Point>& points) {
  std::vector<cv::Point2d> list;
  for (const Point& p : points) list.push_back(cv_point(p));
  return list;
}

// One step of Gauss and Newton towards the homography of least weighted errors. Homographies are between normalised
// coordinates, so that their entries are of one size; errors are not.
class Step {
 public:
  Step(const cv::Matx33d& h, const cv::Matx33d& b_from_normalised) : h_(h), b_from_normalised_(b_from_normalised) {}

  // `reach` is the error without weight.
  void add(const cv::Point2d& a, const cv::Point2d& b, const cv::Matx22d& coarse_from_b, double reach) {
    const auto [q, w] = planes::mapped(h_, a);
    const cv::Matx22d coarse = coarse_from_b * b_from_normalised_(0, 0);
    const cv::Vec2d error = coarse * cv::Vec2d(b.x - q.x, b.y - q.y);
    const double share = error.dot(error) / (reach * reach);
    if (!(share < 1)) return;
    const double weight = (1 - share) * (1 - share);
    const double x = a.x / w, y = a.y / w;
    const double rows[18] = {x, y, 1 / w, 0, 0, 0,     -q.x * x, -q.x * y, -q.x / w,
                             0, 0, 0,     x, y, 1 / w, -q.y * x, -q.y * y, -q.y / w};
    const cv::Matx<double, 2, 9> derivatives = coarse * cv::Matx<double, 2, 9>(rows);
    normal_ += weight * derivatives.t() * derivatives;
    right_ += weight * derivatives.t() * error;
  }

  // The homography after the step, of norm 1. Its scale is free, so the step has no part along it.
  [[nodiscard]] cv::Matx33d done() const {
    const cv::Matx<double, 9, 1> along(h_.val);
    const cv::Matx<double, 9, 1> by =
        (normal_ + cv::trace(normal_) * along * along.t()).solve(right_, cv::DECOMP_CHOLESKY);
    const cv::Matx33d next = h_ + cv::Matx33d(by.val);
    return next * (1 / cv::norm(next));
  }

 private:
  cv::Matx33d h_, b_from_normalised_;
  cv::Matx<double, 9, 9> normal_ = cv::Matx<double, 9, 9>::zeros();
  cv::Matx<double, 9, 1> right_ = cv::Matx<double, 9, 1>::zeros();
};

// Tukey's biweight. Its reach, 4.7 standard deviations, is a little more than one and a half thresholds, which are
// three of them.
cv::Matx33d refitted(const cv::Matx33d& start, const PointPairs& pairs, double threshold) {
  constexpr int steps = 20;  // ten are enough for most; not tuned
  const double reach = 4.7 / 3 * threshold;
  const cv::Matx33d to_a = planes::normalising(places_of(pairs.a)), to_b = planes::normalising(places_of(pairs.b)),
                    from_b = to_b.inv();
  cv::Matx33d h = to_b * start * to_a.inv();
  h *= 1 / cv::norm(h);
  for (int i = 0; i < steps; ++i) {
    const cv::Matx33d in_pixels = from_b * h * to_a;
    Step step(h, from_b);
    for (std::size_t k = 0; k < pairs.a.size(); ++k) {
      const cv::Point2d a = cv_point(pairs.a[k]), b = cv_point(pairs.b[k]);
      step.add(planes::mapped(to_a, a).place, planes::mapped(to_b, b).place, coarse_from_b(in_pixels, a), reach);
    }
    h = step.done();
  }
  return from_b * h * to_a;
}

// The model of a homography, or none if it has no canonical scale.
RobustModel model_of_homography(cv::Matx33d h, const PointPairs& pairs, double threshold) {
  RobustModel model;
  h *= 1 / h(2, 2);
  model.found = std::ranges::all_of(h.val, [](double x) { return std::isfinite(x); });
  if (!model.found) {
    model.reason = "no homography agrees with enough of the pairs";
    model.inliers.assign(pairs.a.size(), 0);
    return model;
  }
  std::copy_n(h.val, 9, model.b_from_a.begin());
  double sum = 0;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) {
    const bool agrees = coarse_error(h, pairs.a[i], pairs.b[i]) <= threshold;  // false for a NaN
    model.inliers.push_back(agrees ? 1 : 0);
    if (!agrees) continue;
    ++model.inlier_count;
    sum += cv::norm(planes::mapped(h, cv_point(pairs.a[i])).place - cv_point(pairs.b[i]));
  }
  model.reprojection_error = sum / std::max(1, model.inlier_count);
  return model;
}

}  // namespace

cv::Matx22d coarse_from_b(const cv::Matx33d& b_from_a, const cv::Point2d& place) {
  const cv::Matx22d in_b = planes::local_affinity(b_from_a, place);
  // The squares of the lengths of a pixel of A in B, along the axes of the ellipse that a disc of A becomes.
  const cv::Matx22d ellipse = in_b * in_b.t();
  const double mean = cv::trace(ellipse) / 2;
  const double half = std::hypot((ellipse(0, 0) - ellipse(1, 1)) / 2, ellipse(0, 1));
  const auto shortened = [](double square) { return 1 / std::sqrt(std::max(1.0, square)); };
  const double along = shortened(mean + half), across = shortened(mean - half);
  if (along == across) return cv::Matx22d::eye() * across;
  const cv::Matx22d on_longest = (ellipse - (mean - half) * cv::Matx22d::eye()) * (1 / (2 * half));
  return across * cv::Matx22d::eye() + (along - across) * on_longest;
}

double coarse_error(const cv::Matx33d& b_from_a, const Point& a, const Point& b) {
  const cv::Point2d off = planes::mapped(b_from_a, cv_point(a)).place - cv_point(b);
  return cv::norm(coarse_from_b(b_from_a, cv_point(a)) * cv::Vec2d(off.x, off.y));
}

RobustModel estimate_coarse_homography(const PointPairs& pairs, const cv::Matx33d& expected, const cv::Point2d& middle,
                                       const RobustOptions& robust) {
  const cv::Matx22d m = coarse_from_b(expected, middle);
  const cv::Matx33d from_b(m(0, 0), m(0, 1), 0, m(1, 0), m(1, 1), 0, 0, 0, 1);
  std::vector<Point> coarse;
  for (const Point& p : pairs.b) {
    const cv::Point2d q = planes::mapped(from_b, cv_point(p)).place;
    coarse.push_back({q.x, q.y});
  }
  RobustOptions options = robust;
  // PROSAC would take the first pairs for the best.
  if (options.method == RobustOptions::Method::prosac) options.method = RobustOptions::Method::ransac;
  RobustModel model = estimate_homography(pairs.a, coarse, options);
  if (!model.found) return model;
  const cv::Matx33d start = from_b.inv() * cv::Matx33d(model.b_from_a.data());
  return model_of_homography(refitted(start, pairs, robust.threshold), pairs, robust.threshold);
}

}  // namespace octavo
