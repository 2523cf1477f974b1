// Other places of a pair of images. Two small copies, one drawn as the other sees it, are correlated at all shifts,
// also those at which other parts of the images overlap (normalised correlation with masks; Padfield, "Masked object
// registration in the Fourier domain", 2012). Faint lines count as strong edges do: each pixel is divided by the
// contrast around it.

#include "multiview/mosaic/other_places.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <tuple>

namespace octavo::mosaic {
namespace {

constexpr int largest_side = 100;  // [pixel] of the small copies: it bounds the time; not tuned

// A small copy: its contrast, and the pixels of the image on one of its own.
struct Copy {
  cv::Mat contrast;  // CV_32F
  double scale_x = 1, scale_y = 1;

  [[nodiscard]] cv::Matx33d image_from_copy() const {
    return {scale_x, 0, (scale_x - 1) / 2, 0, scale_y, (scale_y - 1) / 2, 0, 0, 1};
  }
};

Copy copy_of(const GreyImage& grey) {
  constexpr double around = 6;  // [pixel of the copy] σ of what is around a pixel; not tuned
  const cv::Mat& level = grey.levels[0];
  const double factor = std::min(1.0, largest_side / static_cast<double>(std::max(level.cols, level.rows)));
  cv::Mat small, mean, contrast;
  cv::resize(level, small, {}, factor, factor, cv::INTER_AREA);
  small.convertTo(contrast, CV_32F);
  for (int i = 0; i < 2; ++i) {  // once leaves the curvature of smooth shades, such as the lens's vignetting
    cv::GaussianBlur(contrast, mean, {}, around);
    contrast -= mean;
  }
  cv::GaussianBlur(contrast.mul(contrast), mean, {}, around);
  cv::sqrt(mean + grey.noise * grey.noise, mean);
  contrast /= mean;
  return {contrast, grey.size.width / static_cast<double>(small.cols),
          grey.size.height / static_cast<double>(small.rows)};
}

// What b shows in the frame of a's copy.
struct Drawn {
  cv::Rect place;
  cv::Mat contrast, shown;  // CV_32F; 1 where b is shown
};

Drawn drawn(const Copy& b, const cv::Matx33d& b_from_a, cv::Size a) {
  const cv::Rect here({0, 0}, a), most(-a.width, -a.height, 3 * a.width, 3 * a.height);
  const cv::Matx33d a_from_b = b_from_a.inv();
  const double width = b.contrast.cols - 1, height = b.contrast.rows - 1;
  std::vector<cv::Point2f> corners;
  bool is_before_a = true;
  for (const cv::Vec3d& corner : {cv::Vec3d(0, 0, 1), {width, 0, 1}, {0, height, 1}, {width, height, 1}}) {
    const cv::Vec3d at = a_from_b * corner;
    is_before_a = is_before_a && at[2] > 1e-9;
    corners.emplace_back(static_cast<float>(at[0] / at[2]), static_cast<float>(at[1] / at[2]));
  }
  Drawn result{is_before_a ? cv::boundingRect(corners) & most : here, {}, {}};
  if (result.place.empty()) return result;
  const cv::Matx33d b_from_place = b_from_a * cv::Matx33d(1, 0, result.place.x, 0, 1, result.place.y, 0, 0, 1);
  cv::warpPerspective(b.contrast, result.contrast, b_from_place, result.place.size(),
                      cv::INTER_LINEAR | cv::WARP_INVERSE_MAP);
  cv::warpPerspective(cv::Mat::ones(b.contrast.size(), CV_32F), result.shown, b_from_place, result.place.size(),
                      cv::INTER_NEAREST | cv::WARP_INVERSE_MAP);
  result.contrast = result.contrast.mul(result.shown);
  return result;
}

cv::Mat spectrum(const cv::Mat& values, cv::Size size) {
  cv::Mat padded = cv::Mat::zeros(size, CV_32F), result;
  values.copyTo(padded(cv::Rect({0, 0}, values.size())));
  cv::dft(padded, result, 0, values.rows);
  return result;
}

// Σ a(p)·b(p + s) for all shifts s, of which negative ones are at the end.
cv::Mat sums(const cv::Mat& a, const cv::Mat& b) {
  cv::Mat product, result;
  cv::mulSpectrums(b, a, product, 0, true);
  cv::dft(product, result, cv::DFT_INVERSE | cv::DFT_SCALE | cv::DFT_REAL_OUTPUT);
  return result;
}

constexpr float not_shown = -1;

// The normalised correlation at each shift, and how many pixels of a it shows.
struct Correlation {
  cv::Mat values, overlap;  // CV_32F; not_shown where b shows too little of a
  cv::Rect shifts;          // all of them
  cv::Point corner;         // of b's place: shifts of the sums are counted from it

  [[nodiscard]] float at(const cv::Mat& sum, const cv::Point& shift) const {
    const cv::Point from_corner = shift - corner;
    return sum.at<float>((from_corner.y + sum.rows) % sum.rows, (from_corner.x + sum.cols) % sum.cols);
  }
  [[nodiscard]] float value(const cv::Point& shift) const { return at(values, shift); }
};

Correlation correlation_of(const cv::Mat& contrast, const Drawn& other) {
  constexpr double least_part = 0.1;  // of a that b must show; a guess
  const cv::Size size(cv::getOptimalDFTSize(contrast.cols + other.place.width - 1),
                      cv::getOptimalDFTSize(contrast.rows + other.place.height - 1));
  const cv::Mat in_a = spectrum(contrast, size), energy_a = spectrum(contrast.mul(contrast), size),
                shown_a = spectrum(cv::Mat::ones(contrast.size(), CV_32F), size);
  const cv::Mat in_b = spectrum(other.contrast, size), energy_b = spectrum(other.contrast.mul(other.contrast), size),
                shown_b = spectrum(other.shown, size);
  cv::Mat both;
  cv::sqrt(cv::max(sums(energy_a, shown_b), 1e-6).mul(cv::max(sums(shown_a, energy_b), 1e-6)), both);
  const cv::Point first = other.place.tl() - cv::Point(contrast.cols - 1, contrast.rows - 1);
  Correlation result{{}, sums(shown_a, shown_b), {first, other.place.br()}, other.place.tl()};
  cv::divide(sums(in_a, in_b), both, result.values);
  result.values.setTo(not_shown, result.overlap < least_part * static_cast<double>(contrast.total()));
  return result;
}

float largest_around(const Correlation& correlation, const cv::Point& shift, int reach) {
  float largest = not_shown;
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) largest = std::max(largest, correlation.value(shift + cv::Point(x, y)));
  }
  return largest;
}

bool is_near(const cv::Point& a, const cv::Point& b) {
  constexpr int least_shift = 4;  // [pixel of a copy]; a guess
  return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)) < least_shift;
}

// The maxima away from the own place, those that chance makes least first.
std::vector<cv::Point> maxima(const Correlation& correlation) {
  // In parts of the correlation at the own place, and at least; guesses.
  constexpr float least_part = 0.7F, least = 0.2F;
  const float bound = std::max(least, least_part * largest_around(correlation, {0, 0}, 2));
  std::vector<std::tuple<float, int, int>> list;
  for (int y = correlation.shifts.y; y < correlation.shifts.br().y; ++y) {
    for (int x = correlation.shifts.x; x < correlation.shifts.br().x; ++x) {
      const float value = correlation.value({x, y});
      if (value < bound || is_near({x, y}, {0, 0}) || value < largest_around(correlation, {x, y}, 1)) continue;
      const float deviations =
          std::atanh(std::min(value, 0.999F)) * std::sqrt(correlation.at(correlation.overlap, {x, y}));
      list.emplace_back(-deviations, x, y);
    }
  }
  std::sort(list.begin(), list.end());
  std::vector<cv::Point> shifts;
  for (const auto& [deviations, x, y] : list) shifts.emplace_back(x, y);
  return shifts;
}

}  // namespace

std::vector<cv::Point2d> other_places(const GreyImage& grey_a, const GreyImage& grey_b, const cv::Matx33d& b_from_a) {
  constexpr std::size_t most = 6;  // it bounds the time; not tuned
  constexpr int least_side = 16;   // [pixel of a copy] of what b shows; a guess
  const Copy a = copy_of(grey_a), b = copy_of(grey_b);
  const Drawn other = drawn(b, b.image_from_copy().inv() * b_from_a * a.image_from_copy(), a.contrast.size());
  if (std::min(other.place.width, other.place.height) < least_side) return {};
  std::vector<cv::Point> chosen;
  for (const cv::Point& shift : maxima(correlation_of(a.contrast, other))) {
    const bool is_new = std::ranges::none_of(chosen, [&](const cv::Point& one) { return is_near(one, shift); });
    if (is_new) chosen.push_back(shift);
    if (chosen.size() == most) break;
  }
  std::vector<cv::Point2d> shifts;
  for (const cv::Point& one : chosen) shifts.emplace_back(one.x * a.scale_x, one.y * a.scale_y);
  return shifts;
}

}  // namespace octavo::mosaic
