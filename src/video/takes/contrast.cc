// A frame of a slow scene is similar to many frames of another take. What all of them share tells the scene, and not
// the time. So the contrast of a pair is its similarity less the greater one of two medians: that of all pairs of the
// one frame, and that of all pairs of the other.

#include "video/takes/contrast.h"

#include <algorithm>

namespace octavo {

namespace {

float lower_median(std::vector<float>& values) {
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

std::vector<float> contrast_of(std::span<const float> similarity, std::size_t rows, std::size_t columns) {
  std::vector<float> contrast(similarity.begin(), similarity.end());
  if (contrast.empty()) return contrast;
  std::vector<float> row(columns), column(rows), of_column(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) column[i] = similarity[i * columns + j];
    of_column[j] = lower_median(column);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::ranges::copy(similarity.subspan(i * columns, columns), row.begin());
    const float of_row = lower_median(row);
    for (std::size_t j = 0; j < columns; ++j) {
      float& one = contrast[i * columns + j];
      one = std::max(0.0F, one - std::max(of_row, of_column[j]));
    }
  }
  return contrast;
}

}  // namespace octavo
