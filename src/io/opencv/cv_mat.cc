// Rows are copied one by one, since OpenCV requires aligned rows in ascending order and Octavo's views do not.

#include "io/opencv/cv_mat.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "octavo/error.h"
#include "octavo/image.h"

namespace octavo::io {
namespace {

int depth_of(PixelType type) { return type == PixelType::u8 ? CV_8U : type == PixelType::u16 ? CV_16U : CV_32F; }

PixelType type_of(int depth) {
  return depth == CV_8U ? PixelType::u8 : depth == CV_16U ? PixelType::u16 : PixelType::f32;
}

std::size_t row_bytes(const ImageView& image) {
  return static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels) * bytes_of(image.type);
}

// Unlike cvtColor, mixChannels starts no threads: OpenCV's would come beside those that the caller allows, and end the
// process where they get no memory.
void exchange_red_and_blue(cv::Mat& matrix) {
  cv::Mat exchanged(matrix.size(), matrix.type());
  constexpr std::array<int, 8> channels{0, 2, 1, 1, 2, 0, 3, 3};  // from, to
  cv::mixChannels(&matrix, 1, &exchanged, 1, channels.data(), static_cast<std::size_t>(matrix.channels()));
  matrix = exchanged;
}

}  // namespace

namespace {

void require_pixels(const ImageView& image) {
  const auto refuse = [](const std::string& why) {
    throw Error(ErrorCode::invalid_argument, "an image cannot be used: " + why);
  };
  if (!image.data || image.width < 1 || image.height < 1) {
    refuse("it is " + std::to_string(image.width) + " × " + std::to_string(image.height) +
           " pixels, at least 1 × 1 are needed");
  }
  if (image.channels < 1 || image.channels > 4) {
    refuse("it has " + std::to_string(image.channels) + " channels, the range is 1 to 4");
  }
  if (static_cast<std::size_t>(std::llabs(image.stride)) < row_bytes(image) && image.height > 1) {
    refuse("its rows are " + std::to_string(image.stride) + " bytes apart, at least " +
           std::to_string(row_bytes(image)) + " are needed");
  }
}

}  // namespace

cv::Mat to_mat(const ImageView& image) {
  require_pixels(image);
  cv::Mat matrix(image.height, image.width, CV_MAKETYPE(depth_of(image.type), image.channels));
  for (int y = 0; y < image.height; ++y) std::memcpy(matrix.ptr(y), image.row(y), row_bytes(image));
  if (image.channels >= 3 && image.order == ChannelOrder::bgr) exchange_red_and_blue(matrix);
  return matrix;
}

cv::Mat as_mat(const ImageView& image) {
  require_pixels(image);
  const auto sample = static_cast<std::ptrdiff_t>(bytes_of(image.type));
  const bool is_aligned = image.stride % sample == 0 &&
                          reinterpret_cast<std::uintptr_t>(image.data) % static_cast<std::size_t>(sample) == 0;
  const bool is_upright = image.stride >= static_cast<std::ptrdiff_t>(row_bytes(image));
  if (!is_aligned || !is_upright || (image.channels >= 3 && image.order == ChannelOrder::bgr)) return to_mat(image);
  // OpenCV has no matrix of constant pixels.
  return {image.height, image.width, CV_MAKETYPE(depth_of(image.type), image.channels), const_cast<void*>(image.data),
          static_cast<std::size_t>(image.stride)};
}

ImageView view_of(const cv::Mat& matrix) {
  return {matrix.data,
          matrix.cols,
          matrix.rows,
          matrix.channels(),
          type_of(matrix.depth()),
          static_cast<std::ptrdiff_t>(matrix.step)};
}

Image to_image(const cv::Mat& matrix) {
  Image image(matrix.cols, matrix.rows, matrix.channels(), type_of(matrix.depth()));
  for (int y = 0; y < matrix.rows; ++y) std::memcpy(image.row(y), matrix.ptr(y), row_bytes(image.view()));
  return image;
}

cv::Mat to_display(const ImageView& image) {
  cv::Mat matrix = to_mat(image);
  if (image.type == PixelType::u16) matrix.convertTo(matrix, CV_8U, 1.0 / 257);
  if (image.type == PixelType::f32) matrix.convertTo(matrix, CV_8U, 255);
  if (image.channels == 3) return matrix;
  cv::Mat display(matrix.size(), CV_8UC3);
  const bool is_grey = image.channels < 3;
  const std::array<int, 6> channels{0, 0, is_grey ? 0 : 1, 1, is_grey ? 0 : 2, 2};  // from, to
  cv::mixChannels(&matrix, 1, &display, 1, channels.data(), 3);
  return display;
}

}  // namespace octavo::io
