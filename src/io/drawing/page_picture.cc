// Pictures of pages as JPEG.

#include "io/drawing/page_picture.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "io/images/encoders.h"
#include "io/opencv/cv_mat.h"
#include "octavo/error.h"

namespace octavo::io {

Image reduced(const ImageView& image, int longest_side) {
  cv::Mat picture = to_display(image);
  const double scale = static_cast<double>(longest_side) / std::max(picture.cols, picture.rows);
  if (scale < 1) {
    const cv::Size size(std::max(1, cvRound(scale * picture.cols)), std::max(1, cvRound(scale * picture.rows)));
    cv::resize(picture, picture, size, 0, 0, cv::INTER_AREA);
  }
  return to_image(picture);
}

PagePicture page_picture(const ImageView& image, std::string caption) try {
  constexpr int quality = 80;
  return {.jpeg = encode_jpeg(view_of(to_display(image)), quality),
          .width = image.width,
          .height = image.height,
          .caption = std::move(caption)};
} catch (const EncodeError& error) {
  throw Error(ErrorCode::invalid_argument, std::string("a page cannot show a picture: ") + error.what());
}

}  // namespace octavo::io
