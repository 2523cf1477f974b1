// A fade changes all values of a frame: x becomes gain · x + offset. Against it what moves in the scene is little. If
// one clip fades, the other does not have it; if both do, all of any scene moves alike. So where the contrast of a clip
// changes much, all frames are compared at one mean and one contrast: those of the frame that has most.

#include "video/signature/faded_frames.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace octavo {
namespace {

// Contrast against the highest: what has less than the least shows too little; a change by the ratio is a fade.
// Guesses.
constexpr double least_of_highest = 0.25, fading = 1.5;

struct Light {
  double mean = 0, deviation = 0;
};

Light light_of(const FrameCells& frame, const std::vector<std::size_t>& places) {
  double sum = 0, squares = 0;
  for (const std::size_t p : places) {
    const double value = frame.values[p];
    sum += value;
    squares += value * value;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(places.size(), 1));
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0))};
}

FrameCells with_light(FrameCells frame, const Light& own, const Light& wanted) {
  const double gain = wanted.deviation / own.deviation;
  for (float& value : frame.values) value = static_cast<float>((value - own.mean) * gain + wanted.mean);
  return frame;
}

}  // namespace

FadedFrames::FadedFrames(FramePairs given, const std::vector<std::size_t>& places) {
  std::vector<std::pair<Light, Light>> lights;
  for (const auto& [a, b] : given) lights.emplace_back(light_of(*a, places), light_of(*b, places));
  Light most;
  bool fades = false;
  for (const auto of_clip : {&std::pair<Light, Light>::first, &std::pair<Light, Light>::second}) {
    const auto deviation = [&](const std::pair<Light, Light>& both) { return (both.*of_clip).deviation; };
    const auto [lowest, highest] = std::ranges::minmax_element(lights, {}, deviation);
    if (lowest == lights.end()) break;
    fades = fades || deviation(*highest) > fading * deviation(*lowest);
    if (deviation(*highest) > most.deviation) most = (*highest).*of_clip;
  }
  if (!fades) {
    pairs_ = std::move(given);
    return;
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto& [of_a, of_b] = lights[i];
    if (std::min(of_a.deviation, of_b.deviation) < least_of_highest * most.deviation) continue;
    even_.emplace_back(with_light(*given[i].first, of_a, most), with_light(*given[i].second, of_b, most));
  }
  for (const auto& [a, b] : even_) pairs_.emplace_back(&a, &b);
}

}  // namespace octavo
