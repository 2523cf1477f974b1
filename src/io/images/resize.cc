// Images of any size made into images of one size, without distortion.

#include "io/images/resize.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <string>

#include "engine/core/check_image.h"
#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo {
namespace {

constexpr int longest_side = 65535;
constexpr double most_pixels = 1 << 30;

void check_size(ImageSize size) {
  if (std::min(size.width, size.height) >= 1 && std::max(size.width, size.height) <= longest_side) return;
  throw Error(ErrorCode::invalid_argument,
              "the size " + size_text(size) + " is out of range: sides may have 1 to 65535 pixels");
}

}  // namespace

Image resize_and_crop(const ImageView& image, ImageSize size) try {
  check_image(image);
  check_size(size);
  const double scale =
      std::max(static_cast<double>(size.width) / image.width, static_cast<double>(size.height) / image.height);
  const double width = std::max<double>(size.width, std::round(image.width * scale));
  const double height = std::max<double>(size.height, std::round(image.height * scale));
  if (width * height > most_pixels) {
    refuse_image("is " + size_text(image) + " pixels: too long and narrow to be scaled and cut to " + size_text(size));
  }
  const cv::Size covering(static_cast<int>(width), static_cast<int>(height));
  cv::Mat scaled;
  cv::resize(io::to_mat(image), scaled, covering, 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_CUBIC);
  const cv::Rect window((covering.width - size.width) / 2, (covering.height - size.height) / 2, size.width,
                        size.height);
  cv::Mat cut = scaled(window);
  if (image.type == PixelType::f32) cut = cv::min(cv::max(cut, 0), 1);  // bicubic overshoots at edges
  return io::to_image(cut);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the image cannot be resized");
}

}  // namespace octavo
