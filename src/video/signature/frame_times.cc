#include "video/signature/frame_times.h"

#include <algorithm>
#include <vector>

namespace octavo {

bool is_image(const ClipSignature& clip) {
  return clip.frames.size() == 1 && clip.frames.front().until == clip.frames.front().seconds;
}

double usual_step(const ClipSignature& clip) {
  if (clip.frames.empty() || clip.step > 0) return clip.step;
  std::vector<double> steps;
  steps.reserve(clip.frames.size());
  for (const FrameSignature& frame : clip.frames) steps.push_back(frame.until - frame.seconds);
  const auto middle = steps.begin() + std::ssize(steps) / 2;
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

double step_of(const SignatureOptions& options, const Ratio& frame_rate) {
  if (options.every == 0) return 1 / options.fps;
  const double every = static_cast<double>(options.every);
  return frame_rate.numerator > 0
             ? every * static_cast<double>(frame_rate.denominator) / static_cast<double>(frame_rate.numerator)
             : every;
}

std::int32_t frame_at(const ClipSignature& clip, double seconds) {
  const auto after = std::upper_bound(clip.frames.begin(), clip.frames.end(), seconds,
                                      [](double time, const FrameSignature& frame) { return time < frame.seconds; });
  return static_cast<std::int32_t>(std::max<std::ptrdiff_t>(after - clip.frames.begin(), 1) - 1);
}

}  // namespace octavo
