#include "multiview/align/drawn_features.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "engine/core/ellipse.h"
#include "io/images/mask.h"
#include "io/opencv/cv_mat.h"
#include "octavo/image.h"

namespace octavo {

namespace {

using planes::Polygon;

cv::Mat grey_of(const ImageView& image) {
  cv::Mat grey = io::to_mat(image);
  if (grey.channels() >= 3) cv::cvtColor(grey, grey, grey.channels() == 3 ? cv::COLOR_RGB2GRAY : cv::COLOR_RGBA2GRAY);
  if (grey.channels() == 2) cv::extractChannel(grey, grey, 0);
  grey.convertTo(grey, CV_32F,
                 image.type == PixelType::u8    ? 1.0 / 255
                 : image.type == PixelType::u16 ? 1.0 / 65535
                                                : 1);
  return grey;
}

// How many samples a pixel has along its sides: as many as each side is pixels of the image long, within limits.
cv::Size samples_along(const cv::Matx33d& frame_from_image, const Polygon& part) {
  constexpr int fewest = 2, most = 8;  // along a side of a pixel: so drawn images alias little; not tuned
  const cv::Matx22d sides = planes::local_affinity(frame_from_image.inv(), planes::middle_of(part));
  const auto samples = [&](int side) {
    return static_cast<int>(std::clamp(std::ceil(cv::norm(sides.col(side))), double{fewest}, double{most}));
  };
  return {samples(0), samples(1)};
}

// The mean of the samples. In strips, since these are many times as many.
cv::Mat drawn(const cv::Mat& grey, const cv::Matx33d& to_from, cv::Size size, cv::Size finer) {
  constexpr int strip = 128;  // [pixel] rows: it bounds the memory
  cv::Mat result(size, CV_32F);
  for (int y = 0; y < size.height; y += strip) {
    const int rows = std::min(strip, size.height - y);
    const cv::Matx33d fine(finer.width, 0, (finer.width - 1) / 2.0, 0, finer.height,
                           (finer.height - 1) / 2.0 - finer.height * y, 0, 0, 1);
    cv::Mat samples;
    cv::warpPerspective(grey, samples, fine * to_from, {size.width * finer.width, rows * finer.height},
                        cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    cv::resize(samples, result.rowRange(y, y + rows), {size.width, rows}, 0, 0, cv::INTER_AREA);
  }
  cv::min(cv::max(result, 0), 1, result);
  return result;
}

cv::Mat mask_of(const Polygon& part, const cv::Rect& box) {
  cv::Mat mask(box.size(), CV_8U, cv::Scalar(0));
  std::vector<cv::Point> corners;
  for (const cv::Point2d& p : part) corners.emplace_back(cvRound(p.x) - box.x, cvRound(p.y) - box.y);
  cv::fillConvexPoly(mask, corners, 255);
  return mask;
}

}  // namespace

cv::Rect box_of(const Polygon& part) {
  constexpr int margin = 16;  // [pixel] about the window of a descriptor of the finest scale; not tuned
  const std::vector<cv::Point2f> corners(part.begin(), part.end());
  const cv::Rect box = cv::boundingRect(corners);
  return {box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin};
}

Features features_of_drawn(Extractor& extractor, const ImageView& image, const cv::Matx33d& frame_from_image,
                           const Polygon& part, const cv::Rect& box) {
  const cv::Matx33d to_box = cv::Matx33d(1, 0, -box.x, 0, 1, -box.y, 0, 0, 1) * frame_from_image;
  const cv::Mat pixels = drawn(grey_of(image), to_box, box.size(), samples_along(frame_from_image, part));
  cv::Mat mask = mask_of(part, box);
  if (const auto shown = mask_of_alpha(image)) {
    cv::Mat there;
    cv::warpPerspective(io::to_mat(shown->view()), there, to_box, box.size(), cv::INTER_NEAREST);
    mask.setTo(0, there == 0);
  }
  const ImageView mask_view = io::view_of(mask);
  Features features = extractor.extract(io::view_of(pixels), &mask_view);
  for (Keypoint& k : features.keypoints) {
    k.x += static_cast<float>(box.x);
    k.y += static_cast<float>(box.y);
  }
  return features;
}

void bring_back(std::vector<Keypoint>& keypoints, const cv::Matx33d& image_from_frame) {
  for (Keypoint& k : keypoints) {
    const cv::Point2d in_frame(k.x, k.y);
    const cv::Vec3d p = image_from_frame * cv::Vec3d(k.x, k.y, 1);
    const cv::Matx22d ellipse =
        planes::local_affinity(image_from_frame, in_frame) * cv::Matx22d(affine_matrix(k).data());
    k.x = static_cast<float>(p[0] / p[2]);
    k.y = static_cast<float>(p[1] / p[2]);
    set_ellipse(k, {static_cast<float>(ellipse(0, 0)), static_cast<float>(ellipse(0, 1)),
                    static_cast<float>(ellipse(1, 0)), static_cast<float>(ellipse(1, 1))});
  }
}

}  // namespace octavo
