// The matrix of similarities as an image: a colour for each pair of images.

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/multiview/choose_pairs.h"
#include "octavo/retrieval.h"

namespace octavo {
namespace {

constexpr int largest_side = 2048, wanted_side = 900, largest_cell = 12;  // [pixel]

// A product as a brightness. Different scenes are near 0, equal images at vlad_length².
std::uint8_t brightness(std::int64_t product) {
  const double similarity = static_cast<double>(product) / (static_cast<double>(vlad_length) * vlad_length);
  return cv::saturate_cast<std::uint8_t>(255 * std::sqrt(std::max(0.0, similarity)));
}

}  // namespace

Image draw_similarities(std::span<const std::vector<SimilarImage>> similar, std::span<const ImagePair> pairs) try {
  if (similar.empty()) throw Error(ErrorCode::invalid_argument, "no images have no matrix of similarities");
  const int count = static_cast<int>(similar.size());
  cv::Mat grey(count, count, CV_8UC1, cv::Scalar(0));
  for (int i = 0; i < count; ++i) {
    grey.at<std::uint8_t>(i, i) = 255;
    for (const SimilarImage& other : similar[static_cast<std::size_t>(i)]) {
      const int j = static_cast<int>(other.image);
      const bool is_shown = j < i || std::binary_search(pairs.begin(), pairs.end(), ImagePair(i, j));
      if (is_shown) grey.at<std::uint8_t>(i, j) = brightness(other.product);
    }
  }
  const double scale = count > largest_side ? static_cast<double>(largest_side) / count
                                            : std::clamp(wanted_side / count, 1, largest_cell);
  cv::resize(grey, grey, {}, scale, scale, scale < 1 ? cv::INTER_AREA : cv::INTER_NEAREST);
  cv::Mat colours;
  cv::applyColorMap(grey, colours, cv::COLORMAP_VIRIDIS);
  cv::cvtColor(colours, colours, cv::COLOR_BGR2RGB);
  return io::to_image(colours);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the similarities cannot be drawn");
}

}  // namespace octavo
