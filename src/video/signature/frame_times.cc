#include "video/signature/frame_times.h"

#include <algorithm>
#include <vector>

namespace octavo {

double usual_step(const ClipSignature& clip) {
  if (clip.frames.empty()) return 0;
  std::vector<double> steps;
  steps.reserve(clip.frames.size());
  for (const FrameSignature& frame : clip.frames) steps.push_back(frame.until - frame.seconds);
  const auto middle = steps.begin() + std::ssize(steps) / 2;
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

std::int32_t frame_at(const ClipSignature& clip, double seconds) {
  const auto after = std::upper_bound(clip.frames.begin(), clip.frames.end(), seconds,
                                      [](double time, const FrameSignature& frame) { return time < frame.seconds; });
  return static_cast<std::int32_t>(std::max<std::ptrdiff_t>(after - clip.frames.begin(), 1) - 1);
}

}  // namespace octavo
