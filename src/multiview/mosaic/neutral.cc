// Grey images among others. A grey image shows the luminance of what another shows in colour: their quotients by
// channel are those of the scene's colours, and no difference of light. Gains that follow them would bleach green trees
// and make grey ones green. So such images are compared by luminance.

#include "multiview/mosaic/neutral.h"

#include <algorithm>
#include <cmath>

namespace octavo::mosaic {

namespace {

bool is_neutral(const cv::Mat& colours) {
  constexpr float rounding = 1e-4F;  // of full scale
  return std::all_of(colours.begin<cv::Vec3f>(), colours.end<cv::Vec3f>(), [](const cv::Vec3f& pixel) {
    return std::abs(pixel[0] - pixel[1]) < rounding && std::abs(pixel[2] - pixel[1]) < rounding;
  });
}

}  // namespace

std::vector<bool> neutral_images(const std::vector<MosaicPlan::Details::Part>& parts, std::size_t images) {
  std::vector<bool> neutral(images);
  for (const auto& part : parts) neutral[static_cast<std::size_t>(part.image)] = is_neutral(part.colours);
  return neutral;
}

TwoColours comparable(const TwoColours& seen, bool is_a_neutral, bool is_b_neutral) {
  if (is_a_neutral == is_b_neutral) return seen;
  const auto grey = [](const cv::Vec3f& pixel) {
    return cv::Vec3f::all(0.299F * pixel[0] + 0.587F * pixel[1] + 0.114F * pixel[2]);  // ITU-R BT.601
  };
  return {grey(seen.in_a), grey(seen.in_b)};
}

}  // namespace octavo::mosaic
