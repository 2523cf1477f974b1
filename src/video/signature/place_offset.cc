#include "video/signature/place_offset.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace octavo {
namespace {

constexpr double farthest = 6;       // [pixel] half of a cell's height in a frame of 16:9: there slopes end
constexpr double least_told = 1e-6;  // of a normalised frame that a pixel changes; less tells no place

// The mean and deviation of a frame's values by these weights.
struct Spread {
  double mean = 0, deviation = 0;
};

Spread spread_of(const FrameCells& frame, const std::vector<std::size_t>& places, const std::vector<double>& weights) {
  double sum = 0, values = 0, squares = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double value = frame.values[places[k]];
    sum += weights[k];
    values += weights[k] * value;
    squares += weights[k] * value * value;
  }
  const double mean = values / sum;
  return {mean, std::sqrt(std::max(squares / sum - mean * mean, 0.0))};
}

}  // namespace

FrameCells moved(FrameCells frame, const PlaceOffset& offset) {
  for (std::size_t p = 0; p < frame.slopes.size(); ++p) {
    double change = 0;
    for (std::size_t k = 0; k < offset.size(); ++k) change += offset[k] * frame.slopes[p][k];
    frame.values[p] += static_cast<float>(change);
  }
  return frame;
}

void PlaceFit::add(const FrameCells& query, const FrameCells& other, const std::vector<std::size_t>& places,
                   const std::vector<double>& weights) {
  constexpr double one_grey = 0.7;  // [grey value] deviation
  const Spread a = spread_of(query, places, weights), b = spread_of(other, places, weights);
  if (places.empty() || other.slopes.empty() || a.deviation < one_grey || b.deviation < one_grey) return;
  std::array<double, size> means{};
  double sum = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    sum += weights[k];
    for (std::size_t m = 0; m < size; ++m) means[m] += weights[k] * other.slopes[places[k]][m];
  }
  for (double& one : means) one /= sum;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t p = places[k];
    const double weight = weights[k] / sum;
    const double difference = (query.values[p] - a.mean) / a.deviation - (other.values[p] - b.mean) / b.deviation;
    std::array<double, size> slopes{};
    for (std::size_t m = 0; m < size; ++m) slopes[m] = (other.slopes[p][m] - means[m]) / b.deviation;
    for (std::size_t m = 0; m < size; ++m) {
      for (std::size_t n = 0; n < size; ++n) slopes_[m][n] += weight * slopes[m] * slopes[n];
      differences_[m] += weight * slopes[m] * difference;
    }
    squares_ += weight * difference * difference;
  }
  ++frames_;
}

void PlaceFit::add(const PlaceFit& other) {
  for (std::size_t m = 0; m < size; ++m) {
    for (std::size_t n = 0; n < size; ++n) slopes_[m][n] += other.slopes_[m][n];
    differences_[m] += other.differences_[m];
  }
  squares_ += other.squares_;
  frames_ += other.frames_;
}

void PlaceFit::add_unlike() {
  squares_ += 2;
  ++frames_;
}

// Gauss's elimination; the matrix is positive definite where the frames tell the place.
PlaceOffset PlaceFit::offset() const {
  auto rows = slopes_;
  auto right = differences_;
  for (std::size_t m = 0; m < size; ++m) {
    if (rows[m][m] <= least_told * frames_) return {};
    for (std::size_t n = m + 1; n < size; ++n) {
      const double share = rows[n][m] / rows[m][m];
      for (std::size_t k = m; k < size; ++k) rows[n][k] -= share * rows[m][k];
      right[n] -= share * right[m];
    }
  }
  PlaceOffset offset{};
  for (std::size_t m = size; m-- > 0;) {
    double rest = right[m];
    for (std::size_t k = m + 1; k < size; ++k) rest -= rows[m][k] * offset[k];
    offset[m] = rest / rows[m][m];
  }
  const bool is_near = std::ranges::all_of(offset, [](double one) { return std::abs(one) <= farthest; });
  return is_near ? offset : PlaceOffset{};
}

double PlaceFit::unexplained(const PlaceOffset& offset) const {
  double sum = squares_;
  for (std::size_t m = 0; m < size; ++m) {
    sum -= 2 * offset[m] * differences_[m];
    for (std::size_t n = 0; n < size; ++n) sum += offset[m] * offset[n] * slopes_[m][n];
  }
  return frames_ > 0 ? sum / frames_ : 2;
}

}  // namespace octavo
