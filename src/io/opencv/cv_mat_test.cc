#include "io/opencv/cv_mat.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace octavo::io {
namespace {

// 3 × 2 pixels of three channels, of which the rows have a sample more.
std::vector<std::uint16_t> samples() {
  std::vector<std::uint16_t> all(20);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(1000 * i);
  return all;
}

ImageView view_of_samples(const void* data, std::ptrdiff_t stride) {
  return {data, 3, 2, 3, PixelType::u16, stride, ChannelOrder::rgb};
}

TEST(AsMat, HasThePixelsWithoutACopy) {
  const std::vector<std::uint16_t> all = samples();
  const cv::Mat matrix = as_mat(view_of_samples(all.data(), 20));
  EXPECT_EQ(static_cast<const void*>(matrix.data), all.data());
  EXPECT_EQ(matrix.at<cv::Vec3w>(1, 2), cv::Vec3w(16000, 17000, 18000));
}

TEST(AsMat, CopiesWhatOpenCvCannotTake) {
  const std::vector<std::uint16_t> all = samples();
  ImageView turned = view_of_samples(all.data() + 10, -20), blue = view_of_samples(all.data(), 20);
  blue.order = ChannelOrder::bgr;
  const ImageView odd = view_of_samples(all.data(), 19);
  for (const ImageView& view : {turned, blue, odd}) {
    const cv::Mat matrix = as_mat(view);
    EXPECT_NE(static_cast<const void*>(matrix.data), view.data);
    EXPECT_EQ(cv::norm(matrix, to_mat(view), cv::NORM_INF), 0);
  }
}

}  // namespace
}  // namespace octavo::io
