#include "multiview/align/mirrored.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <variant>

#include "io/exif/exif.h"
#include "io/opencv/cv_mat.h"
#include "multiview/align/aligned.h"
#include "multiview/align/choice.h"
#include "octavo/image.h"

namespace octavo {

namespace {

constexpr int turned_over = 2;  // the orientation of EXIF that exchanges left and right

// The features of the mirror image. A mirror exchanges the two sides of the frame of a keypoint: its rows, and
// directions as they turn left or right. A frame that stays upright has its columns exchanged.
Features mirrored(Features features, ImageSize size, bool is_upright) {
  constexpr std::size_t cells = 4, directions = 8;
  io::turn_as_stored(features.keypoints, size, turned_over);
  std::array<std::size_t, descriptor_length> source{};
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t row = i / directions / cells, column = i / directions % cells, direction = i % directions;
    const std::size_t other = (directions + (is_upright ? directions / 2 : 0) - direction) % directions;
    source[i] = is_upright ? (row * cells + cells - 1 - column) * directions + other
                           : ((cells - 1 - row) * cells + column) * directions + other;
  }
  for (std::size_t k = 0; k < features.descriptors.size(); k += descriptor_length) {
    std::array<std::uint8_t, descriptor_length> before{};
    std::copy_n(features.descriptors.begin() + static_cast<std::ptrdiff_t>(k), descriptor_length, before.begin());
    for (std::size_t i = 0; i < source.size(); ++i) features.descriptors[k + i] = before[source[i]];
  }
  return features;
}

void bring_back(Alignment& found, ImageSize b) {
  io::turn_as_stored(found.b.keypoints, b, turned_over);
  const cv::Matx33d h =
      cv::Matx33d(-1, 0, b.width - 1, 0, 1, 0, 0, 0, 1) * cv::Matx33d(found.homography.b_from_a.data());
  std::copy_n(h.val, 9, found.homography.b_from_a.begin());
}

}  // namespace

std::optional<Alignment> align_mirrored(const Alignment& plain, const ImageView& image_a, const ImageView& image_b,
                                        const AlignTools& tools, const RobustOptions& robust,
                                        const ProgressSink& progress) {
  report(progress, "the mirror image of B");
  const Image mirror = io::turned_upright(io::to_image(io::to_mat(image_b)), turned_over);
  Matcher matcher(for_views(tools.match, views_of(tools.detector)), tools.device);
  const ImageSize size{image_b.width, image_b.height};
  const bool is_upright = std::get<bool>(option_of(tools.detector, "upright"));
  Alignment found =
      aligned(plain.a, mirrored(plain.b, size, is_upright), matcher, image_a, mirror.view(), robust, progress);
  if (is_doubted(found) || !ends_search(found) || !replaces(found, plain)) return {};
  bring_back(found, size);
  found.retried = true;
  found.warnings.push_back(
      {AlignmentWarning::Kind::mirrored, "B is a mirror image of A, or the two show a symmetric thing from two sides"});
  return found;
}

}  // namespace octavo
