// The images that explain a mosaic, drawn on its small canvas.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "multiview/mosaic/crop.h"
#include "multiview/mosaic/details.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/multiview/mosaic.h"

namespace octavo {
namespace {

const MosaicPlan::Details& details_of(const MosaicPlan& plan) {
  if (!plan.found || !plan.details) throw Error(ErrorCode::invalid_argument, "there is no mosaic: " + plan.reason);
  return *plan.details;
}

// The small canvas with the images as their masks show them, and the image that each pixel shows, or −1.
struct Small {
  cv::Mat colours, owner;
};

Small draw_small(const MosaicPlan::Details& details) {
  const cv::Size size(static_cast<int>(details.small.width), static_cast<int>(details.small.height));
  Small small{cv::Mat(size, CV_8UC3, cv::Scalar::all(255)), cv::Mat(size, CV_32S, cv::Scalar(-1))};
  for (const auto& part : details.parts) {
    part.colours.copyTo(small.colours(part.place), part.mask);
    small.owner(part.place).setTo(part.image, part.mask);
  }
  return small;
}

// A colour for each image; neighbours in the list have colours that are far apart.
cv::Vec3f tint(int image) {
  const double hue = std::fmod(image * 0.618034, 1.0) * 6;
  const auto channel = [&](double at) {
    const double distance = std::abs(std::fmod(hue - at + 9, 6.0) - 3);
    return static_cast<float>(255 * std::clamp(2 - distance, 0.0, 1.0));
  };
  return {channel(0), channel(2), channel(4)};
}

}  // namespace

Image draw_mosaic_seams(const MosaicPlan& plan) try {
  auto [colours, owner] = draw_small(details_of(plan));
  for (int y = 0; y < owner.rows; ++y) {
    for (int x = 0; x < owner.cols; ++x) {
      const int at = owner.at<int>(y, x);
      if (at < 0) continue;
      const int right = owner.at<int>(y, std::min(x + 1, owner.cols - 1));
      const int below = owner.at<int>(std::min(y + 1, owner.rows - 1), x);
      auto& pixel = colours.at<cv::Vec3b>(y, x);
      const bool is_seam = (right != at && right >= 0) || (below != at && below >= 0);
      pixel = is_seam ? cv::Vec3b(255, 255, 255) : cv::Vec3b(cv::Vec3f(pixel) * 0.65F + tint(at) * 0.35F);
    }
  }
  return io::to_image(colours(mosaic::cropped_part(details_of(plan))));
} catch (const cv::Exception& error) {
  throw_error_of(error, "the seams cannot be drawn");
}

Image draw_mosaic_graph(const MosaicPlan& plan) try {
  const MosaicPlan::Details& details = details_of(plan);
  cv::Mat colours = draw_small(details).colours;
  colours.convertTo(colours, CV_8U, 0.5, 127);
  const double font = std::clamp(std::min(colours.cols, colours.rows) / 700.0, 0.4, 1.5);
  std::vector<cv::Point> middles(plan.images.size(), cv::Point(-1, -1));
  for (const auto& part : details.parts) {
    std::vector<std::vector<cv::Point>> outlines;
    cv::findContours(part.inside, outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE, part.place.tl());
    cv::drawContours(colours, outlines, -1, cv::Scalar(90, 90, 90), 1, cv::LINE_AA);
    const cv::Moments m = cv::moments(part.inside, true);
    if (m.m00 > 0) {
      middles[static_cast<std::size_t>(part.image)] =
          part.place.tl() + cv::Point(static_cast<int>(m.m10 / m.m00), static_cast<int>(m.m01 / m.m00));
    }
  }
  for (const MosaicPair& pair : plan.pairs) {
    const cv::Point a = middles[static_cast<std::size_t>(pair.a)], b = middles[static_cast<std::size_t>(pair.b)];
    if (pair.status == MosaicPairStatus::unrelated || a.x < 0 || b.x < 0) continue;
    const double bad = std::min(1.0, pair.residual / 3);
    const cv::Scalar colour =
        pair.status == MosaicPairStatus::inconsistent ? cv::Scalar(0, 0, 0) : cv::Scalar(220 * bad, 170 * (1 - bad), 0);
    cv::line(colours, a, b, colour, 2, cv::LINE_AA);
  }
  for (std::size_t i = 0; i < middles.size(); ++i) {
    if (middles[i].x < 0) continue;
    cv::circle(colours, middles[i], 4, cv::Scalar(20, 20, 120), cv::FILLED, cv::LINE_AA);
    cv::putText(colours, fmt::format("{}", i + 1), middles[i] + cv::Point(6, -6), cv::FONT_HERSHEY_SIMPLEX, font,
                cv::Scalar(20, 20, 120), 1, cv::LINE_AA);
  }
  if (details.options.crop) cv::rectangle(colours, mosaic::cropped_part(details), cv::Scalar(20, 20, 120));
  return io::to_image(colours);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the graph cannot be drawn");
}

}  // namespace octavo
