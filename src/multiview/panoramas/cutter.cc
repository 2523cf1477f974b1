// Views by OpenCV's remap. Columns of the other end are put beside each end of the panorama, so that bicubic
// interpolation sees no seam.

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "io/opencv/cv_mat.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/multiview/panorama.h"

namespace octavo {
namespace {

constexpr int widest = 32000;  // remap counts pixels in 16 bits
constexpr int beside = 4;      // [pixel] more than what bicubic interpolation reads beyond a place

// Made smaller, so that no view has fewer pixels than it has in the same angle. A hundredth, which the rounded side of
// a view makes, is not worth the blur.
cv::Mat reduced_to(cv::Mat panorama, double width) {
  if (width > 0.99 * panorama.cols) return panorama;
  const int columns = static_cast<int>(std::lround(width));
  cv::Mat smaller;
  cv::resize(panorama, smaller, {columns, std::max(1, columns / 2)}, 0, 0, cv::INTER_AREA);
  return smaller;
}

}  // namespace

struct PanoramaCutter::Source {
  cv::Mat panorama;  // with the columns beside it
  int size = 0;
  double focal = 0;
};

PanoramaCutter::PanoramaCutter(const ImageView& panorama, const PanoramaOptions& options)
    : source_(std::make_unique<Source>()) {
  if (!is_two_to_one({panorama.width, panorama.height})) {
    throw Error(ErrorCode::invalid_argument, "a panorama is twice as wide as high");
  }
  source_->size = view_size_of(options, panorama.width);
  source_->focal = focal_length_of(options, source_->size);
  const cv::Mat small = reduced_to(io::to_mat(panorama), 2 * std::numbers::pi * source_->focal);
  if (small.cols > widest) {
    throw Error(ErrorCode::invalid_argument, "panoramas of more than 32000 pixels in a row are cut with `view_size`");
  }
  cv::copyMakeBorder(small, source_->panorama, 0, 0, beside, beside, cv::BORDER_WRAP);
}

PanoramaCutter::~PanoramaCutter() = default;

int PanoramaCutter::size() const { return source_->size; }

Image PanoramaCutter::cut(const PanoramaView& view) const {
  const auto& [w, x, y, z] = view.view_from_panorama;
  const Eigen::Matrix3d panorama_from_view = Eigen::Quaterniond(w, x, y, z).conjugate().toRotationMatrix();
  const double width = source_->panorama.cols - 2 * beside, middle = source_->size / 2.0;
  const double aspect = source_->panorama.rows / (width / 2);  // not 1 where a pixel is missing
  cv::Mat columns(source_->size, source_->size, CV_32F), rows(columns.size(), CV_32F);
  for (int row = 0; row < source_->size; ++row) {
    for (int column = 0; column < source_->size; ++column) {
      const Eigen::Vector3d ray =
          panorama_from_view * Eigen::Vector3d(column + 0.5 - middle, row + 0.5 - middle, source_->focal);
      const auto [u, v] = panorama_place({ray.x(), ray.y(), ray.z()}, width);
      columns.at<float>(row, column) = static_cast<float>(u - 0.5 + beside);
      rows.at<float>(row, column) = static_cast<float>(v * aspect - 0.5);
    }
  }
  cv::Mat cut;
  cv::remap(source_->panorama, cut, columns, rows, cv::INTER_CUBIC, cv::BORDER_REPLICATE);
  return io::to_image(cut);
}

}  // namespace octavo
