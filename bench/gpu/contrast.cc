#include "bench/gpu/contrast.h"

#include "octavo/extractor.h"

namespace octavo::bench {

std::optional<double> contrast_threshold_for(std::size_t keypoints, const ImageView& image, SiftOptions options) {
  const auto count = [&](double threshold) {
    options.contrast_threshold = threshold;
    return Extractor(options, {.name = "cpu"}).extract(image).size();
  };
  if (count(0) < keypoints) return std::nullopt;
  double low = 0, high = 1;  // a higher threshold leaves fewer keypoints
  for (int step = 0; step < 24; ++step) {
    const double middle = (low + high) / 2;
    const std::size_t found = count(middle);
    if (found * 100 >= keypoints * 99 && found * 100 <= keypoints * 101) return middle;
    (found > keypoints ? low : high) = middle;
  }
  return low;
}

}  // namespace octavo::bench
