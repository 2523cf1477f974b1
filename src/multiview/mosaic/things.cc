// Things that one image shows and another does not, by their colours: around a place they differ more than light,
// noise and texture that is a little off make them.

#include "multiview/mosaic/things.h"

#include <array>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace octavo::mosaic {
namespace {

// The things that do not touch these places.
cv::Mat away_from(const cv::Mat& things, const cv::Mat& places) {
  cv::Mat labels, kept;
  const int count = cv::connectedComponents(things, labels, 8, CV_32S);
  std::vector<unsigned char> is_kept(static_cast<std::size_t>(count), 255);
  is_kept[0] = 0;
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      if (places.at<unsigned char>(y, x) != 0) is_kept[static_cast<std::size_t>(labels.at<int>(y, x))] = 0;
    }
  }
  kept.create(things.size(), CV_8U);
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      kept.at<unsigned char>(y, x) = is_kept[static_cast<std::size_t>(labels.at<int>(y, x))];
    }
  }
  return kept;
}

}  // namespace

cv::Mat largest_channel(const cv::Mat& colours) {
  std::array<cv::Mat, 3> channels;
  cv::split(colours, channels.data());
  return cv::max(channels[0], cv::max(channels[1], channels[2]));
}

cv::Mat things_of_one(const cv::Mat& colours_a, const cv::Mat& colours_b) {
  constexpr double other = 0.12;  // of full scale, of the mean of 5 × 5 pixels; a guess
  constexpr int joined = 9;       // [pixel] what is nearer belongs together, as a head and a coat; a guess
  cv::Mat difference;
  cv::subtract(colours_a, colours_b, difference);
  cv::blur(difference, difference, {5, 5});
  cv::Mat things = largest_channel(cv::abs(difference)) > other;
  cv::morphologyEx(things, things, cv::MORPH_CLOSE, cv::Mat::ones(joined, joined, CV_8U));
  return things;
}

void find_hidden_things(std::vector<MosaicPlan::Details::Part>& parts) {
  // [pixel] What is nearer to the seam may be a difference of light or of place, which the blending evens out; and what
  // is blurred around a thing. Not tuned.
  constexpr int around = 3;
  const cv::Mat square = cv::Mat::ones(2 * around + 1, 2 * around + 1, CV_8U);
  cv::Rect all;
  for (const auto& part : parts) all |= part.place;
  cv::Mat colours = cv::Mat::zeros(all.br().y, all.br().x, CV_32FC3), is_shown = cv::Mat::zeros(colours.size(), CV_8U);
  for (const auto& part : parts) {
    part.colours.copyTo(colours(part.place), part.mask);
    is_shown(part.place).setTo(255, part.mask);
  }
  for (auto& part : parts) {
    cv::Mat near_seam;
    cv::dilate(part.mask, near_seam, square);
    const cv::Mat things =
        things_of_one(colours(part.place), part.colours) & part.inside & is_shown(part.place) & ~part.mask;
    const cv::Mat hidden = away_from(things, near_seam);
    if (cv::countNonZero(hidden) > 0) cv::dilate(hidden, part.hidden, square);
  }
}

}  // namespace octavo::mosaic
