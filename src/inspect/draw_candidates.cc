// Dots by verdict. Many candidates lie close together: each is small, and what was kept lies on top.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "imageio/cv_mat.h"
#include "imageio/stroke.h"
#include "octavo/inspect.h"

namespace octavo {

Image draw_candidates(const ImageView& picture, std::span<const Candidate> candidates, double pixels_per_pixel) {
  cv::Mat canvas = imageio::to_display(picture);
  canvas *= 0.5;

  std::vector<std::size_t> kept_last(candidates.size());
  std::iota(kept_last.begin(), kept_last.end(), std::size_t{0});
  std::stable_sort(kept_last.begin(), kept_last.end(),
                   [&](std::size_t a, std::size_t b) { return candidates[a].verdict < candidates[b].verdict; });

  const imageio::Stroke stroke(canvas.size());
  const double spacing = std::sqrt(static_cast<double>(canvas.total()) / static_cast<double>(candidates.size() + 1));
  const auto radius = static_cast<float>(std::clamp(spacing / 8, 0.75, 2.5 * stroke.width()));
  for (const std::size_t i : kept_last) {
    const Candidate& c = candidates[i];
    const auto [red, green, blue] = colour_of(c.verdict);
    // Pixel i of the image covers i − 0.5 … i + 0.5, in any size of it.
    const auto in_picture = [&](float at) { return static_cast<float>((at + 0.5) * pixels_per_pixel - 0.5); };
    stroke.disc(canvas, {in_picture(c.x), in_picture(c.y)}, radius, cv::Scalar(red, green, blue));
  }
  return imageio::to_image(canvas);
}

}  // namespace octavo
