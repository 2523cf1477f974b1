#include "video/signature/cell_products.h"

#include <algorithm>

namespace octavo {
namespace {

// Chosen with the rule of ends: docs/video-search.md, Ends and What was measured.
constexpr double texture = 4;        // [grey value²] variance within a block that can be compared
constexpr double still_share = 0.1;  // of the mean weight: what a place counts that never changes
constexpr double one_grey = 0.5;     // [grey value²] weighted variance below which a frame is of one grey

}  // namespace

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::array<std::vector<double>, CellGrid::block_count> correlations_in_space(const FramePairs& pairs,
                                                                             const std::vector<std::size_t>& blocks) {
  std::array<std::vector<double>, CellGrid::block_count> correlations;
  for (const auto& [a, b] : pairs) {
    struct Mean {
      double a = 0, b = 0, count = 0;
    };
    std::array<Mean, CellGrid::block_count> means{};
    for (std::size_t p = 0; p < blocks.size(); ++p) {
      Mean& mean = means[blocks[p]];
      mean.a += a->values[p];
      mean.b += b->values[p];
      ++mean.count;
    }
    BlockProducts products{};
    for (std::size_t p = 0; p < blocks.size(); ++p) {
      const Mean& mean = means[blocks[p]];
      products[blocks[p]].add(a->values[p] - mean.a / mean.count, b->values[p] - mean.b / mean.count);
    }
    for (std::size_t k = 0; k < products.size(); ++k) {
      if (products[k].vary(texture)) correlations[k].push_back(products[k].correlation());
    }
  }
  return correlations;
}

bool show_one_image(const FrameCells& a, const FrameCells& b, const std::vector<std::size_t>& blocks) {
  // Developed on made slideshows: docs/video-search.md, Images.
  constexpr double least_of_block = 0.7, sure_of_block = 0.95;           // correlations
  constexpr double least_visible_blocks = 0.5, least_sure_blocks = 0.5;  // shares of all, and of those that correlate
  double all = 0, visible = 0, sure = 0;
  for (const std::vector<double>& block : correlations_in_space({{&a, &b}}, blocks)) {
    if (block.empty()) continue;
    ++all;
    visible += block.front() >= least_of_block ? 1 : 0;
    sure += block.front() >= sure_of_block ? 1 : 0;
  }
  return visible > 0 && visible >= least_visible_blocks * all && sure >= least_sure_blocks * visible;
}

BlockProducts products_in_time(const FramePairs& pairs, const std::vector<std::size_t>& blocks,
                               const std::vector<std::size_t>& places) {
  BlockProducts products{};
  const auto count = static_cast<double>(pairs.size());
  for (const std::size_t p : places) {
    double mean_a = 0, mean_b = 0;
    for (const auto& [a, b] : pairs) {
      mean_a += a->values[p] / count;
      mean_b += b->values[p] / count;
    }
    for (const auto& [a, b] : pairs) products[blocks[p]].add(a->values[p] - mean_a, b->values[p] - mean_b);
  }
  return products;
}

std::vector<double> weights_of(const std::vector<FrameCells>& query, const std::vector<FrameCells>& other,
                               const std::vector<std::size_t>& places) {
  std::vector<double> weights(places.size(), 0);
  double total = 0;
  for (const std::vector<FrameCells>* frames : {&query, &other}) {
    for (std::size_t k = 0; k < places.size(); ++k) {
      double sum = 0, squares = 0;
      for (const FrameCells& frame : *frames) {
        const double value = frame.values[places[k]];
        sum += value;
        squares += value * value;
      }
      const auto n = static_cast<double>(frames->size());
      const double deviation = std::sqrt(std::max(squares / n - (sum / n) * (sum / n), 0.0));
      weights[k] += deviation;
      total += deviation;
    }
  }
  // Above 0 also where nothing changes at all.
  const double least = still_share * total / static_cast<double>(places.size()) + 1e-6;
  for (double& weight : weights) weight += least;
  return weights;
}

double correlation(const std::vector<float>& a, const std::vector<float>& b, const std::vector<std::size_t>& places,
                   const std::vector<double>& weights) {
  double sum = 0, mean_a = 0, mean_b = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    sum += weights[k];
    mean_a += weights[k] * a[places[k]];
    mean_b += weights[k] * b[places[k]];
  }
  mean_a /= sum;
  mean_b /= sum;
  double aa = 0, ab = 0, bb = 0;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double x = a[places[k]] - mean_a, y = b[places[k]] - mean_b;
    aa += weights[k] * x * x;
    ab += weights[k] * x * y;
    bb += weights[k] * y * y;
  }
  // Frames of one grey have no correlation; both being so, they are the same.
  const double least = sum * one_grey;
  if (aa < least || bb < least) return aa < least && bb < least ? 1 : 0;
  return ab / std::sqrt(aa * bb);
}

}  // namespace octavo
