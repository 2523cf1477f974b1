// Adjustment of all pictures at once (Brown & Lowe, "Automatic panoramic image stitching using invariant features",
// IJCV 2007, §4; Triggs et al., "Bundle adjustment: a modern synthesis", 2000). In every model a picture's matrix M
// maps its points to a common frame, so that the point x of picture a is seen at M_b⁻¹·M_a·x in picture b. There are no
// points of the scene to solve for, and the normal matrix has a block of at most 8 × 8 numbers for each pair of
// pictures: it is made block by block, and never the Jacobian of all matches. OpenCV's BundleAdjusterRay makes that
// Jacobian, knows no homographies, and has no robust loss.
//
// A step changes a matrix from the left, M ← S(δ)·M, with S in the group of the model. So every model has its own
// parameters alone, and they are of one size near the solution.

#include "mosaic/frames.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <optional>

#include "mosaic/radial.h"

namespace octavo::mosaic {
namespace {

// S(δ): a small change of the common frame, of the model's group.
cv::Matx33d step(MosaicModel model, const double* d) {
  switch (model) {
    case MosaicModel::rotation: {
      cv::Matx33d rotation;
      cv::Rodrigues(cv::Vec3d(d[0], d[1], d[2]), rotation);
      return rotation;
    }
    case MosaicModel::affine:
      return {1 + d[0], d[1], d[2], d[3], 1 + d[4], d[5], 0, 0, 1};
    case MosaicModel::homography:
      return {1 + d[0], d[1], d[2], d[3], 1 + d[4], d[5], d[6], d[7], 1};
    default:
      return {1 + d[0], -d[1], d[2], d[1], 1 + d[0], d[3], 0, 0, 1};
  }
}

// The mapping of points of one picture into another.
struct Mapping {
  cv::Matx33d to_from;
  double radial_from, radial_to, unit;

  [[nodiscard]] bool residual(const cv::Point2d& from, const cv::Point2d& to, double* out) const {
    const cv::Point2d p = undistorted(from, radial_from);
    const cv::Matx33d& m = to_from;
    const double w = m(2, 0) * p.x + m(2, 1) * p.y + m(2, 2);
    if (!(w > 1e-9)) return false;
    const std::optional<cv::Point2d> q = distorted(
        {(m(0, 0) * p.x + m(0, 1) * p.y + m(0, 2)) / w, (m(1, 0) * p.x + m(1, 1) * p.y + m(1, 2)) / w}, radial_to);
    if (!q) return false;
    out[0] = unit * (q->x - to.x);
    out[1] = unit * (q->y - to.y);
    return std::isfinite(out[0]) && std::isfinite(out[1]);
  }
};

// What the residuals of a pair depend on.
struct View {
  cv::Matx33d frame;
  double radial;
};

Mapping mapping(const View& from, const View& to, double unit_to) {
  const cv::Matx33d m = to.frame.inv() * from.frame;
  // The centre of a picture lies in front of its own camera.
  return {m * (1 / std::cbrt(std::abs(cv::determinant(m)))), from.radial, to.radial, unit_to};
}

constexpr double unseen = 1e5;

void weigh(const cv::Matx22d& weight, double* r) {
  const cv::Vec2d weighted = weight * cv::Vec2d(r[0], r[1]);
  r[0] = weighted[0], r[1] = weighted[1];
}

// Four numbers for each match: the weighted difference in b, then in a. A match that cannot be seen has a large one
// that is constant, so that it has no influence.
void residuals(const View& a, const View& b, const PairPoints& pair, double unit_a, double unit_b,
               std::vector<double>& out) {
  const Mapping forth = mapping(a, b, unit_b), back = mapping(b, a, unit_a);
  out.resize(4 * pair.in_a.size());
  for (std::size_t i = 0; i < pair.in_a.size(); ++i) {
    double* const r = out.data() + 4 * i;
    if (forth.residual(pair.in_a[i], pair.in_b[i], r)) {
      weigh(pair.weight_in_b[i], r);
    } else {
      r[0] = unseen, r[1] = 0;
    }
    if (back.residual(pair.in_b[i], pair.in_a[i], r + 2)) {
      weigh(pair.weight_in_a[i], r + 2);
    } else {
      r[2] = unseen, r[3] = 0;
    }
  }
}

// Where the parameters of the frames stand in a vector of all.
struct Layout {
  int own, pictures, sizes;
  bool has_focal, has_radial;

  explicit Layout(const Frames& frames)
      : own(own_parameters(frames.model)),
        pictures(static_cast<int>(frames.base.size())),
        sizes(static_cast<int>(frames.log_focal.size())),
        has_focal(frames.model == MosaicModel::rotation),
        has_radial(frames.distortion) {}

  [[nodiscard]] int focal(int group) const { return own * pictures + group; }
  [[nodiscard]] int radial(int group) const { return own * pictures + (has_focal ? sizes : 0) + group; }
  [[nodiscard]] int total() const { return own * pictures + (has_focal ? sizes : 0) + (has_radial ? sizes : 0); }
};

View view_of(const Frames& frames, int picture) {
  const auto i = static_cast<std::size_t>(picture);
  return {frames.frame(i), frames.radial[static_cast<std::size_t>(frames.group[i])]};
}

// The view of a picture where one parameter is `h` larger.
View changed(const Frames& frames, const Layout& layout, int picture, int parameter, double h) {
  const auto i = static_cast<std::size_t>(picture);
  const int group = frames.group[i];
  View view = view_of(frames, picture);
  if (parameter >= layout.own * picture && parameter < layout.own * (picture + 1)) {
    std::array<double, 8> delta{};
    delta[static_cast<std::size_t>(parameter - layout.own * picture)] = h;
    view.frame = step(frames.model, delta.data()) * view.frame;
  } else if (layout.has_focal && parameter == layout.focal(group)) {
    const double f = std::exp(-h);
    view.frame = view.frame * cv::Matx33d(f, 0, 0, 0, f, 0, 0, 0, 1);
  } else if (layout.has_radial && parameter == layout.radial(group)) {
    view.radial += h;
  }
  return view;
}

// The parameters of a pair, each once.
std::vector<int> parameters_of(const Frames& frames, const Layout& layout, const PairPoints& pair) {
  std::vector<int> list;
  for (const int picture : {pair.a, pair.b}) {
    for (int k = 0; k < layout.own; ++k) list.push_back(layout.own * picture + k);
    const int group = frames.group[static_cast<std::size_t>(picture)];
    if (layout.has_focal) list.push_back(layout.focal(group));
    if (layout.has_radial) list.push_back(layout.radial(group));
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

// Huber's loss of a distance, and its weight in the normal equations.
double loss(double squared, double huber) {
  return squared <= huber * huber ? squared : 2 * huber * std::sqrt(squared) - huber * huber;
}
double weight(double squared, double huber) { return squared <= huber * huber ? 1 : huber / std::sqrt(squared); }

double unit_of(const Frames& frames, int picture) { return frames.unit[static_cast<std::size_t>(picture)]; }

// A prior that keeps what the matches do not determine: the focal length of a narrow view, within a factor of about 20
// of a usual one, and the distortion near 0. It is far weaker than one match.
constexpr double focal_weight = 1e-3, radial_weight = 1e-2;

double prior(const Frames& frames, const Layout& layout) {
  double sum = 0;
  for (std::size_t g = 0; g < frames.log_focal.size(); ++g) {
    if (layout.has_focal) sum += focal_weight * std::pow(frames.log_focal[g] - usual_log_focal, 2);
    if (layout.has_radial) sum += radial_weight * std::pow(frames.radial[g], 2);
  }
  return sum;
}

double cost(const Frames& frames, const Layout& layout, const std::vector<PairPoints>& pairs, double huber) {
  double sum = prior(frames, layout);
  std::vector<double> r;
  for (const PairPoints& pair : pairs) {
    residuals(view_of(frames, pair.a), view_of(frames, pair.b), pair, unit_of(frames, pair.a), unit_of(frames, pair.b),
              r);
    for (std::size_t i = 0; i < r.size(); i += 2) sum += loss(r[i] * r[i] + r[i + 1] * r[i + 1], huber);
  }
  return sum;
}

// Adds JᵀWJ and −JᵀWr of a pair. The derivatives are differences: a pair has at most 20 parameters.
void add_pair(const Frames& frames, const Layout& layout, const PairPoints& pair, double huber, cv::Mat& normal,
              cv::Mat& right) {
  constexpr double h = 1e-6;
  const double unit_a = unit_of(frames, pair.a), unit_b = unit_of(frames, pair.b);
  const std::vector<int> list = parameters_of(frames, layout, pair);
  std::vector<double> r;
  residuals(view_of(frames, pair.a), view_of(frames, pair.b), pair, unit_a, unit_b, r);
  std::vector<double> weights(r.size());
  for (std::size_t i = 0; i < r.size(); i += 2) {
    const double squared = r[i] * r[i] + r[i + 1] * r[i + 1];
    weights[i] = weights[i + 1] = squared >= unseen * unseen ? 0 : weight(squared, huber);
  }
  std::vector<std::vector<double>> columns(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::vector<double>& column = columns[k];
    residuals(changed(frames, layout, pair.a, list[k], h), changed(frames, layout, pair.b, list[k], h), pair, unit_a,
              unit_b, column);
    for (std::size_t i = 0; i < r.size(); ++i) column[i] = (column[i] - r[i]) / h;
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    for (std::size_t l = k; l < list.size(); ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < r.size(); ++i) sum += columns[k][i] * weights[i] * columns[l][i];
      normal.at<double>(list[k], list[l]) += sum;
      if (k != l) normal.at<double>(list[l], list[k]) += sum;
    }
    double sum = 0;
    for (std::size_t i = 0; i < r.size(); ++i) sum += columns[k][i] * weights[i] * r[i];
    right.at<double>(list[k]) -= sum;
  }
}

Frames stepped(const Frames& frames, const Layout& layout, const cv::Mat& delta) {
  Frames next = frames;
  for (int i = 0; i < layout.pictures; ++i) {
    cv::Matx33d& base = next.base[static_cast<std::size_t>(i)];
    base = step(frames.model, delta.ptr<double>(layout.own * i)) * base;
    base = base * (1 / std::cbrt(std::abs(cv::determinant(base))));
    if (frames.model == MosaicModel::similarity || frames.model == MosaicModel::affine) base = base * (1 / base(2, 2));
  }
  for (int g = 0; g < layout.sizes; ++g) {
    const auto i = static_cast<std::size_t>(g);
    if (layout.has_focal) next.log_focal[i] += std::clamp(delta.at<double>(layout.focal(g)), -0.5, 0.5);
    if (!layout.has_radial) continue;
    next.radial[i] = std::clamp(next.radial[i] + delta.at<double>(layout.radial(g)), least_radial, largest_radial);
  }
  return next;
}

// Leaves a parameter as it is.
void hold(int parameter, cv::Mat& normal, cv::Mat& right) {
  normal.row(parameter).setTo(0);
  normal.col(parameter).setTo(0);
  normal.at<double>(parameter, parameter) = 1;
  right.at<double>(parameter) = 0;
}

// The normal equations of all pairs and the prior. The frame of the reference stays, and what is held.
void make_normal(const Frames& frames, const Layout& layout, const std::vector<PairPoints>& pairs, int reference,
                 double huber, cv::Mat& normal, cv::Mat& right) {
  normal = cv::Mat::zeros(layout.total(), layout.total(), CV_64F);
  right = cv::Mat::zeros(layout.total(), 1, CV_64F);
  for (const PairPoints& pair : pairs) add_pair(frames, layout, pair, huber, normal, right);
  for (int g = 0; g < layout.sizes; ++g) {
    const auto i = static_cast<std::size_t>(g);
    if (layout.has_focal) {
      normal.at<double>(layout.focal(g), layout.focal(g)) += focal_weight;
      right.at<double>(layout.focal(g)) -= focal_weight * (frames.log_focal[i] - usual_log_focal);
    }
    if (layout.has_radial) {
      normal.at<double>(layout.radial(g), layout.radial(g)) += radial_weight;
      right.at<double>(layout.radial(g)) -= radial_weight * frames.radial[i];
    }
  }
  for (int k = 0; k < layout.own; ++k) hold(layout.own * reference + k, normal, right);
  for (const int g : frames.held_focal) {
    if (layout.has_focal) hold(layout.focal(g), normal, right);
  }
  for (const int g : frames.held_radial) {
    if (layout.has_radial) hold(layout.radial(g), normal, right);
  }
}

// The covariance of all parameters for errors of 1 in all residuals; empty if they are not determined.
cv::Mat covariance_of(const Frames& frames, const Layout& layout, const std::vector<PairPoints>& pairs, int reference,
                      double huber) {
  cv::Mat normal, right, covariance;
  make_normal(frames, layout, pairs, reference, huber, normal, right);
  for (int k = 0; k < layout.total(); ++k) normal.at<double>(k, k) += 1e-9;
  if (cv::invert(normal, covariance, cv::DECOMP_CHOLESKY) == 0) return {};
  return covariance;
}

bool is_in(const std::vector<int>& list, int value) { return std::find(list.begin(), list.end(), value) != list.end(); }

}  // namespace

double half_diagonal(ImageSize size) { return std::hypot(size.width, size.height) / 2; }

cv::Matx33d hat_from_pixel(ImageSize size) {
  const double s = 1 / half_diagonal(size);
  return {s, 0, -s * (size.width - 1) / 2, 0, s, -s * (size.height - 1) / 2, 0, 0, 1};
}

cv::Matx33d Frames::frame(std::size_t picture) const {
  const double f = std::exp(-log_focal[static_cast<std::size_t>(group[picture])]);
  return base[picture] * cv::Matx33d(f, 0, 0, 0, f, 0, 0, 0, 1);
}

int own_parameters(MosaicModel model) {
  switch (model) {
    case MosaicModel::rotation:
      return 3;
    case MosaicModel::affine:
      return 6;
    case MosaicModel::homography:
      return 8;
    default:
      return 4;
  }
}

int parameters(const Frames& frames) {
  const Layout layout(frames);
  const std::size_t held =
      (layout.has_focal ? frames.held_focal.size() : 0) + (layout.has_radial ? frames.held_radial.size() : 0);
  return layout.total() - layout.own - static_cast<int>(held);
}

void PairPoints::add(const PairPoints& others, std::size_t i) {
  in_a.push_back(others.in_a[i]);
  in_b.push_back(others.in_b[i]);
  weight_in_a.push_back(others.weight_in_a[i]);
  weight_in_b.push_back(others.weight_in_b[i]);
}

std::vector<Distance> distances(const Frames& frames, const PairPoints& pair) {
  std::vector<Distance> list;
  std::vector<double> r;
  residuals(view_of(frames, pair.a), view_of(frames, pair.b), pair, unit_of(frames, pair.a), unit_of(frames, pair.b),
            r);
  for (std::size_t i = 0; i < r.size(); i += 2) {
    const cv::Matx22d& w = (i % 4 == 0 ? pair.weight_in_b : pair.weight_in_a)[i / 4];
    const double weight = w.dot(w) / 2;
    list.push_back({std::min(far * far * weight, r[i] * r[i] + r[i + 1] * r[i + 1]), weight});
  }
  return list;
}

double adjust(Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber) {
  const Layout layout(frames);
  const int n = layout.total();
  double matches = 0;
  for (const PairPoints& pair : pairs) matches += 2 * static_cast<double>(pair.in_a.size());
  double now = cost(frames, layout, pairs, huber), damping = 1e-3;
  constexpr int most_steps = 60;
  for (int iteration = 0; iteration < most_steps; ++iteration) {
    cv::Mat normal, right;
    make_normal(frames, layout, pairs, reference, huber, normal, right);
    bool is_better = false;
    double gained = 0;
    while (!is_better && damping < 1e9) {
      cv::Mat damped = normal.clone(), delta;
      for (int k = 0; k < n; ++k) damped.at<double>(k, k) += damping * normal.at<double>(k, k) + 1e-12;
      if (cv::solve(damped, right, delta, cv::DECOMP_CHOLESKY)) {
        const Frames next = stepped(frames, layout, delta);
        const double then = cost(next, layout, pairs, huber);
        if (then < now) {
          is_better = true;
          gained = now - then;
          frames = next;
          now = then;
        }
      }
      damping *= is_better ? 0.1 : 10;
    }
    if (!is_better || gained <= 1e-7 * now) break;
    damping = std::max(damping, 1e-12);
  }
  return matches > 0 ? now / matches : 0;
}

std::vector<double> uncertainty(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                                const std::vector<ImageSize>& sizes) {
  const Layout layout(frames);
  // A match has two residuals in each of two pictures, from one measurement.
  const double variance = 2 * usual_deviation * usual_deviation;
  const cv::Mat covariance = covariance_of(frames, layout, pairs, reference, huber);
  if (covariance.empty()) return std::vector<double>(frames.base.size(), far);
  std::vector<double> list;
  constexpr double h = 1e-6;
  for (std::size_t i = 0; i < frames.base.size(); ++i) {
    const int picture = static_cast<int>(i);
    std::vector<int> parameters;
    for (int k = 0; k < layout.own; ++k) parameters.push_back(layout.own * picture + k);
    const int group = frames.group[i];
    if (layout.has_focal && !is_in(frames.held_focal, group)) parameters.push_back(layout.focal(group));
    if (layout.has_radial && !is_in(frames.held_radial, group)) parameters.push_back(layout.radial(group));
    // Where the changed picture sees what the unchanged one sees in its corner.
    const View now = view_of(frames, picture);
    double sum = 0;
    for (const double sign_x : {-1.0, 1.0}) {
      for (const double sign_y : {-1.0, 1.0}) {
        const cv::Point2d corner(sign_x * sizes[i].width / 2 / frames.unit[i],
                                 sign_y * sizes[i].height / 2 / frames.unit[i]);
        cv::Mat jacobian = cv::Mat::zeros(2, static_cast<int>(parameters.size()), CV_64F);
        for (int k = 0; k < jacobian.cols; ++k) {
          const View then = changed(frames, layout, picture, parameters[static_cast<std::size_t>(k)], h);
          double r[2] = {0, 0};
          if (!mapping(then, now, frames.unit[i]).residual(corner, corner, r)) continue;
          jacobian.at<double>(0, k) = r[0] / h;
          jacobian.at<double>(1, k) = r[1] / h;
        }
        cv::Mat part(jacobian.cols, jacobian.cols, CV_64F);
        for (int k = 0; k < part.rows; ++k) {
          for (int l = 0; l < part.cols; ++l) {
            part.at<double>(k, l) =
                covariance.at<double>(parameters[static_cast<std::size_t>(k)], parameters[static_cast<std::size_t>(l)]);
          }
        }
        const cv::Mat place = jacobian * part * jacobian.t();
        sum += variance * cv::trace(place)[0] / 4;
      }
    }
    list.push_back(picture == reference ? 0 : std::min(far, std::sqrt(std::max(0.0, sum))));
  }
  return list;
}

LensDeviation lens_deviation(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                             double error) {
  const Layout layout(frames);
  const auto sizes = static_cast<std::size_t>(layout.sizes);
  LensDeviation deviation{std::vector<double>(sizes, far), std::vector<double>(sizes, far)};
  const cv::Mat covariance = covariance_of(frames, layout, pairs, reference, huber);
  if (covariance.empty()) return deviation;
  double weight = 0;
  for (const PairPoints& pair : pairs) {
    for (const Distance& distance : distances(frames, pair)) weight += distance.weight;
  }
  // The prior knows nothing of these pictures.
  const auto deviation_of = [&](int parameter, double prior_weight) {
    const double known = 1 / covariance.at<double>(parameter, parameter) - prior_weight;
    return known > 0 ? std::min(far, error * std::sqrt(weight / known)) : far;
  };
  for (int g = 0; g < layout.sizes; ++g) {
    const auto i = static_cast<std::size_t>(g);
    if (layout.has_focal && !is_in(frames.held_focal, g)) {
      deviation.log_focal[i] = deviation_of(layout.focal(g), focal_weight);
    }
    if (layout.has_radial && !is_in(frames.held_radial, g)) {
      deviation.radial[i] = deviation_of(layout.radial(g), radial_weight);
    }
  }
  return deviation;
}

}  // namespace octavo::mosaic
