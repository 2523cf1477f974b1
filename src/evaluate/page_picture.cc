// Pictures of pages as JPEG.

#include "evaluate/page_picture.h"

#include <algorithm>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <span>
#include <utility>

#include "imageio/cv_mat.h"

namespace octavo::evaluation {

Image reduced(const ImageView& image, int longest_side) {
  cv::Mat picture = imageio::to_display(image);
  const double scale = static_cast<double>(longest_side) / std::max(picture.cols, picture.rows);
  if (scale < 1) {
    const cv::Size size(std::max(1, cvRound(scale * picture.cols)), std::max(1, cvRound(scale * picture.rows)));
    cv::resize(picture, picture, size, 0, 0, cv::INTER_AREA);
  }
  return imageio::to_image(picture);
}

PagePicture page_picture(const ImageView& image, std::string caption) {
  constexpr int quality = 80;
  cv::Mat picture = imageio::to_display(image);
  cv::cvtColor(picture, picture, cv::COLOR_RGB2BGR);
  std::vector<unsigned char> file;
  cv::imencode(".jpg", picture, file, {cv::IMWRITE_JPEG_QUALITY, quality});
  const auto bytes = std::as_bytes(std::span(file));
  return {.jpeg = {bytes.begin(), bytes.end()},
          .width = image.width,
          .height = image.height,
          .caption = std::move(caption)};
}

}  // namespace octavo::evaluation
