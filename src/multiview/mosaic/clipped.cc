// Where an image is clipped it has lost what it should show: no correction of exposure brings it back, and white that
// is divided by a gain is grey. Such a place never stands where another image shows the same well: what is white is at
// least as bright there, once the exposures are corrected. Where it is darker, one of them shows another thing. A
// reflection of the sun hides something, so that all of it is clipped; of a person before a white wall and a brown door
// the other image shows more than the white.

#include "multiview/mosaic/clipped.h"

#include <opencv2/imgproc.hpp>
#include <vector>

#include "multiview/mosaic/things.h"

namespace octavo::mosaic {
namespace {

using Part = MosaicPlan::Details::Part;

// Lone pixels, and narrow lines, do not count.
cv::Mat square() { return cv::Mat::ones(5, 5, CV_8U); }

// The places of differences of which at most a small part is not `lost`.
cv::Mat mostly_lost(const cv::Mat& things, const cv::Mat& lost) {
  constexpr double most = 0.8;  // of a thing; a guess
  cv::Mat labels;
  const int count = cv::connectedComponents(things, labels, 8, CV_32S);
  std::vector<int> all(static_cast<std::size_t>(count)), of_lost(all);
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      const auto label = static_cast<std::size_t>(labels.at<int>(y, x));
      ++all[label];
      if (lost.at<unsigned char>(y, x) != 0) ++of_lost[label];
    }
  }
  cv::Mat places = cv::Mat::zeros(things.size(), CV_8U);
  for (std::size_t label = 1; label < all.size(); ++label) {
    if (of_lost[label] >= most * all[label]) places |= labels == static_cast<int>(label);
  }
  return places;
}

// 255 where the first part is clipped in their common area, and the other one shows the same well.
cv::Mat shown_better(const Part& one, const Part& other, const cv::Mat& lost_of_one, const cv::Mat& lost_of_other,
                     const cv::Rect& common) {
  constexpr double margin = 0.8, dark = 0.02;  // what corrected exposures may be off, and of full scale; guesses
  const cv::Rect in_one = common - one.place.tl(), in_other = common - other.place.tl();
  const cv::Mat well = other.mask(in_other) & ~lost_of_other(in_other);
  cv::Mat lost = lost_of_one(in_one) & well;
  if (cv::countNonZero(lost) == 0) return lost;
  const cv::Mat bright = largest_channel(one.colours(in_one)), there = largest_channel(other.colours(in_other));
  const cv::Mat was_white = bright > 0.5;
  cv::Mat explained = (was_white & (there >= margin * bright)) | (~was_white & (margin * there <= bright + dark));
  explained &= lost;
  cv::morphologyEx(explained, explained, cv::MORPH_OPEN, square());  // the edges of a thing are mixed with white
  const cv::Mat things = things_of_one(one.colours(in_one), other.colours(in_other)) & one.mask(in_one) & well;
  return explained | (lost & mostly_lost(things, lost));
}

}  // namespace

cv::Mat clipped(const cv::Mat& colours) {
  constexpr double white = 0.98, black = 0.02;  // of full scale; guesses
  const cv::Mat bright = largest_channel(colours);
  cv::Mat lost = (bright < black) | (bright > white);
  cv::morphologyEx(lost, lost, cv::MORPH_CLOSE, square());  // a texture is clipped in specks
  cv::morphologyEx(lost, lost, cv::MORPH_OPEN, square());
  return lost;
}

void leave_out_clipped(std::vector<Part>& parts, const std::vector<cv::Mat>& lost) {
  std::vector<cv::Mat> left_out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    left_out.push_back(cv::Mat::zeros(parts[i].mask.size(), CV_8U));
    if (cv::countNonZero(lost[i] & parts[i].mask) == 0) continue;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const cv::Rect common = parts[i].place & parts[j].place;
      if (j == i || common.empty()) continue;
      left_out[i](common - parts[i].place.tl()) |= shown_better(parts[i], parts[j], lost[i], lost[j], common);
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].mask.setTo(0, left_out[i]);
}

}  // namespace octavo::mosaic
