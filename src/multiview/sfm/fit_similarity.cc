// A similarity from pairs of places of which some are wrong. Least squares follow Umeyama (PAMI 1991). Samples of three
// pairs propose similarities, and the one is taken whose residual at a quantile is least (least median of squares,
// Rousseeuw 1984): it needs no limit of the residuals, which for GPS are centimetres or tens of metres.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

#include "multiview/sfm/similarity.h"

namespace octavo::sfm {
namespace {

using Places = Eigen::Matrix3Xd;
using Indices = std::vector<Eigen::Index>;

constexpr std::size_t most_samples = 1000;  // of three places: it bounds the time; not tuned

Places matrix_of(std::span<const Place3> places) {
  return Eigen::Map<const Places>(places.front().data(), 3, std::ssize(places));
}

std::vector<double> residuals_of(const Eigen::Matrix4d& b_from_a, const Places& a, const Places& b) {
  const Places difference = ((b_from_a.topLeftCorner<3, 3>() * a).colwise() + b_from_a.col(3).head<3>()) - b;
  std::vector<double> residuals(static_cast<std::size_t>(a.cols()));
  Eigen::VectorXd::Map(residuals.data(), a.cols()) = difference.colwise().norm();
  return residuals;
}

// The residual that a bit more than half of them do not exceed: as many more as a similarity always fits.
double typical(std::vector<double> residuals) {
  for (double& residual : residuals) {
    if (!std::isfinite(residual)) residual = std::numeric_limits<double>::infinity();
  }
  const auto at = static_cast<std::ptrdiff_t>(std::min(residuals.size() / 2 + 1, residuals.size() - 1));
  std::nth_element(residuals.begin(), residuals.begin() + at, residuals.end());
  return residuals[static_cast<std::size_t>(at)];
}

// A place is an outlier if its residual is so many times the typical one. Samples are chosen by that, so with few
// places it comes out too small. Of normal errors, also of heights that are three times as wrong as the rest, a set of
// places has an outlier in 4 % of cases at most, from 4 to 40 places.
double limit_factor(std::size_t count) { return 4 + 16 / (static_cast<double>(count) - 2); }

// All triples of so many things, or a sample of them.
std::vector<Indices> triples_of(Eigen::Index count) {
  std::vector<Indices> triples;
  if (count * (count - 1) * (count - 2) / 6 <= static_cast<Eigen::Index>(most_samples)) {
    for (Eigen::Index a = 0; a < count; ++a) {
      for (Eigen::Index b = a + 1; b < count; ++b) {
        for (Eigen::Index c = b + 1; c < count; ++c) triples.push_back({a, b, c});
      }
    }
    return triples;
  }
  std::mt19937 random;  // NOLINT(cert-msc51-cpp): the same samples each time
  while (triples.size() < most_samples) {
    Indices triple(3);
    for (Eigen::Index& index : triple) index = static_cast<Eigen::Index>(random() % static_cast<std::uint64_t>(count));
    if (triple[0] != triple[1] && triple[1] != triple[2] && triple[0] != triple[2]) triples.push_back(triple);
  }
  return triples;
}

Eigen::Matrix4d fitted(const Places& a, const Places& b, const Indices& used) {
  return Eigen::umeyama(Places(a(Eigen::all, used)), Places(b(Eigen::all, used)));
}

Eigen::Matrix4d best_of_samples(const Places& a, const Places& b) {
  Eigen::Matrix4d best = Eigen::umeyama(a, b);
  double least = typical(residuals_of(best, a, b));
  for (const Indices& triple : triples_of(a.cols())) {
    const Eigen::Matrix4d proposed = fitted(a, b, triple);
    const double residual = typical(residuals_of(proposed, a, b));
    if (residual < least) least = residual, best = proposed;
  }
  return best;
}

Similarity3 similarity_of(const Eigen::Matrix4d& matrix) {
  const double scale = std::cbrt(matrix.topLeftCorner<3, 3>().determinant());
  const Eigen::Quaterniond turn(Eigen::Matrix3d(matrix.topLeftCorner<3, 3>() / scale));
  return {.scale = scale,
          .rotation = {turn.w(), turn.x(), turn.y(), turn.z()},
          .translation = {matrix(0, 3), matrix(1, 3), matrix(2, 3)}};
}

}  // namespace

std::optional<FittedSimilarity> fit_similarity(std::span<const Place3> a, std::span<const Place3> b, double least) {
  const Places sources = matrix_of(a), targets = matrix_of(b);
  Eigen::Matrix4d b_from_a = best_of_samples(sources, targets);
  std::vector<bool> is_used;
  for (int round = 0; round < 10; ++round) {
    const std::vector<double> residuals = residuals_of(b_from_a, sources, targets);
    const double limit = std::max(limit_factor(residuals.size()) * typical(residuals), least);
    std::vector<bool> fits;
    Indices used;
    for (const double residual : residuals) {
      if (residual <= limit) used.push_back(std::ssize(fits));
      fits.push_back(residual <= limit);
    }
    if (used.size() < 3) return std::nullopt;
    if (fits == is_used) break;
    is_used = std::move(fits);
    b_from_a = fitted(sources, targets, used);
  }
  const Similarity3 similarity = similarity_of(b_from_a);
  if (!b_from_a.allFinite() || !(similarity.scale > 0)) return std::nullopt;
  return FittedSimilarity{similarity, is_used};
}

Place3 extents_of(std::span<const Place3> places) {
  const Places all = matrix_of(places);
  const Places centred = all.colwise() - all.rowwise().mean();
  const Eigen::Vector3d squares =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(centred * centred.transpose() / static_cast<double>(all.cols()))
          .eigenvalues();
  const auto root = [](double square) { return std::sqrt(std::max(square, 0.0)); };
  return {root(squares[2]), root(squares[1]), root(squares[0])};
}

}  // namespace octavo::sfm
