// Images of pages as JPEG.

#include "io/drawing/page_image.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "io/images/encoders.h"
#include "io/opencv/cv_mat.h"
#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo::io {

Image reduced(const ImageView& image, int longest_side) {
  cv::Mat shown = to_display(image);
  const double scale = static_cast<double>(longest_side) / std::max(shown.cols, shown.rows);
  if (scale < 1) {
    const cv::Size size(std::max(1, cvRound(scale * shown.cols)), std::max(1, cvRound(scale * shown.rows)));
    cv::resize(shown, shown, size, 0, 0, cv::INTER_AREA);
  }
  return to_image(shown);
}

PageImage page_image(const ImageView& image, std::string caption) try {
  constexpr int quality = 80;
  return {.jpeg = encode_jpeg(view_of(to_display(image)), quality),
          .width = image.width,
          .height = image.height,
          .caption = std::move(caption)};
} catch (const EncodeError& error) {
  throw Error(ErrorCode::invalid_argument, std::string("a page cannot show an image: ") + error.what());
}

}  // namespace octavo::io
