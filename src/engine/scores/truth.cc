// The ground truth of a pair of images, and the partners of its keypoints. A homography gives a partner for every
// point. Correspondences give partners for their own points, and for keypoints that lie near one of them.

#include "engine/scores/truth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "engine/scores/nearby.h"
#include "octavo/error.h"
#include "octavo/option_table.h"

namespace octavo::evaluation {
namespace {

constexpr double least_radius = 0.001;  // [pixel] coordinates divided by it fit into whole numbers of 64 bits
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

template <class... Cases>
struct Visitor : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Visitor(Cases...) -> Visitor<Cases...>;

double w_of(const std::array<double, 9>& m, Point p) { return m[6] * p.x + m[7] * p.y + m[8]; }

Point centre(ImageSize size) { return {(size.width - 1) / 2.0, (size.height - 1) / 2.0}; }

// Whether a pixel's square holds the point; false for NaN.
bool in_frame(Point p, ImageSize size) {
  return p.x >= -0.5 && p.x <= size.width - 0.5 && p.y >= -0.5 && p.y <= size.height - 0.5;
}

Point place(const Features& features, std::size_t i) { return {features.keypoints[i].x, features.keypoints[i].y}; }

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, why); }

std::string text(ImageSize size) { return std::to_string(size.width) + " × " + std::to_string(size.height); }

bool is_identity(const std::array<double, 9>& m) {
  for (std::size_t i = 0; i < 9; ++i) {
    if (m[i] / m[8] != (i % 4 == 0 ? 1 : 0)) return false;
  }
  return true;
}

// Whether B shows any part of A. Tests every sixteenth pixel of A in x and y, and those at the right and lower edges.
bool shows_any(const std::array<double, 9>& b_from_a, ImageSize a, ImageSize b) {
  constexpr int step = 16;
  for (int y = 0; y < a.height; y = y == a.height - 1 ? a.height : std::min(y + step, a.height - 1)) {
    for (int x = 0; x < a.width; x = x == a.width - 1 ? a.width : std::min(x + step, a.width - 1)) {
      if (is_seen(b_from_a, {static_cast<double>(x), static_cast<double>(y)}, a, b)) return true;
    }
  }
  return false;
}

void check_homography(const std::array<double, 9>& b_from_a, ImageSize a, ImageSize b) {
  const auto finite = [](const std::array<double, 9>& m) {
    return std::all_of(m.begin(), m.end(), [](double number) { return std::isfinite(number); });
  };
  if (!finite(b_from_a)) refuse("the homography holds a number that is infinite or not a number");
  const std::array<double, 9> back = inverse(b_from_a);
  if (!finite(back)) refuse("the homography has no inverse");
  if (is_identity(b_from_a) && (a.width != b.width || a.height != b.height)) {
    refuse("the sizes disagree: " + text(a) + " and " + text(b) + " pixels, but the homography is the identity");
  }
  // The test runs in both directions, since a much enlarged B may show only points between the tested pixels of A. An
  // overlap too small for both tests leaves nothing to evaluate.
  if (!shows_any(b_from_a, a, b) && !shows_any(back, b, a)) {
    refuse("the sizes disagree: the homography maps nothing of " + text(a) + " pixels into " + text(b));
  }
}

void check_correspondences(const Correspondences& truth, ImageSize a, ImageSize b) {
  if (truth.a.size() != truth.b.size() || truth.a.empty()) {
    refuse("there are " + std::to_string(truth.a.size()) + " points of A and " + std::to_string(truth.b.size()) +
           " of B, equally many, and at least one, are needed");
  }
  if (!(truth.radius >= least_radius && std::isfinite(truth.radius))) {
    refuse("the radius of the correspondences is " + option_text(truth.radius) + ", but must be at least " +
           option_text(least_radius) + " pixels");
  }
  for (const auto& [points, size, name] : {std::tuple(&truth.a, a, "A"), std::tuple(&truth.b, b, "B")}) {
    for (std::size_t i = 0; i < points->size(); ++i) {
      if (in_frame((*points)[i], size)) continue;
      refuse("the sizes disagree: point " + std::to_string(i + 1) + " of the correspondences lies outside image " +
             name + ", which is " + text(size) + " pixels");
    }
  }
}

}  // namespace

Point project(const std::array<double, 9>& m, Point p) {
  const double w = w_of(m, p);
  return {(m[0] * p.x + m[1] * p.y + m[2]) / w, (m[3] * p.x + m[4] * p.y + m[5]) / w};
}

std::array<double, 9> inverse(const std::array<double, 9>& m) {
  // The transposed cofactors, divided by the determinant.
  const double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
  const double determinant = m[0] * c0 + m[1] * c1 + m[2] * c2;
  std::array<double, 9> inverse{c0, m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                                c1, m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                                c2, m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
  for (double& number : inverse) number /= determinant;
  return inverse;
}

bool is_seen(const std::array<double, 9>& matrix, Point p, ImageSize from, ImageSize to) {
  return w_of(matrix, p) * w_of(matrix, centre(from)) > 0 && in_frame(project(matrix, p), to);
}

Common common(const Features& a, const Features& b, const Truth& truth, ImageSize size_a, ImageSize size_b) {
  Common found;
  const Visitor add{[&](const TrueHomography& known) {
                      const std::array<double, 9> a_from_b = inverse(known.b_from_a);
                      for (std::size_t i = 0; i < a.size(); ++i) {
                        if (!is_seen(known.b_from_a, place(a, i), size_a, size_b)) continue;
                        found.a.push_back({static_cast<int>(i), project(known.b_from_a, place(a, i))});
                      }
                      for (std::size_t i = 0; i < b.size(); ++i) {
                        if (is_seen(a_from_b, place(b, i), size_b, size_a))
                          found.b.push_back({static_cast<int>(i), place(b, i)});
                      }
                    },
                    [&](const Correspondences& known) {
                      const Nearby near_a(known.a, known.radius), near_b(known.b, known.radius);
                      for (std::size_t i = 0; i < a.size(); ++i) {
                        const Nearest nearest = near_a.find(place(a, i));
                        if (nearest.index >= 0) {
                          found.a.push_back({static_cast<int>(i), known.b[static_cast<std::size_t>(nearest.index)]});
                        }
                      }
                      for (std::size_t i = 0; i < b.size(); ++i) {
                        if (near_b.find(place(b, i)).index >= 0) found.b.push_back({static_cast<int>(i), place(b, i)});
                      }
                    }};
  std::visit(add, truth);
  return found;
}

std::vector<double> match_errors(const Features& a, const Features& b, std::span<const Match> matches,
                                 const Truth& truth) {
  const PointPairs pairs = point_pairs(a, b, matches);
  std::vector<Point> expected;
  const Visitor expect{[&](const TrueHomography& known) {
                         for (const Point& p : pairs.a) expected.push_back(project(known.b_from_a, p));
                       },
                       [&](const Correspondences& known) {
                         const Nearby near(known.a, known.radius);
                         for (const Point& p : pairs.a) {
                           const int k = near.find(p).index;
                           expected.push_back(k < 0 ? Point{unknown, unknown} : known.b[static_cast<std::size_t>(k)]);
                         }
                       }};
  std::visit(expect, truth);
  std::vector<double> errors;
  errors.reserve(matches.size());
  const bool knows_all = std::holds_alternative<TrueHomography>(truth);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const double error = distance(expected[i], pairs.b[i]);
    errors.push_back(knows_all && std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
  }
  return errors;
}

}  // namespace octavo::evaluation

namespace octavo {

void check(const Truth& truth, ImageSize a, ImageSize b) {
  using namespace evaluation;
  std::visit(Visitor{[&](const TrueHomography& known) { check_homography(known.b_from_a, a, b); },
                     [&](const Correspondences& known) { check_correspondences(known, a, b); }},
             truth);
}

}  // namespace octavo
