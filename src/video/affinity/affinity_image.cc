// The affinity matrix as an image: a colour for each pair of frames, axes of time, a line for each segment, and a
// frame for each block.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "io/opencv/cv_mat.h"
#include "io/opencv/opencv_error.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/video/affinity.h"

namespace octavo {
namespace {

constexpr int font = cv::FONT_HERSHEY_SIMPLEX;
constexpr double letter_size = 0.42;
constexpr int left = 64, top = 48, gap = 40;  // [pixel]; a label begins at its tick
constexpr int wanted_side = 900;              // [pixel] of the longer side of the matrix
constexpr int largest_cell = 12;              // [pixel] of a pair of frames
const cv::Scalar paper(24, 24, 24), ink(225, 225, 225), plain_line(255, 90, 60), mirrored_line(90, 220, 255),
    block_frame(255, 255, 255);

// The matrix with values 0…1: the square root makes weak similarities visible.
cv::Mat grey_of(const AffinityMatrix& matrix) {
  if (matrix.values.empty()) throw Error(ErrorCode::invalid_argument, "an affinity matrix without frames has no image");
  const int rows = static_cast<int>(matrix.seconds_a.size()), columns = static_cast<int>(matrix.seconds_b.size());
  cv::Mat grey(rows, columns, CV_8UC1);
  const float most = std::max(1e-6F, *std::ranges::max_element(matrix.values));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const float value = matrix.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) / most;
      grey.at<std::uint8_t>(i, j) = cv::saturate_cast<std::uint8_t>(255 * std::sqrt(std::max(0.0F, value)));
    }
  }
  return grey;
}

cv::Mat coloured(const cv::Mat& grey) {
  cv::Mat colours;
  cv::applyColorMap(grey, colours, cv::COLORMAP_VIRIDIS);
  cv::cvtColor(colours, colours, cv::COLOR_BGR2RGB);
  return colours;
}

// From seconds to pixels along an axis whose frames stand at these times.
class Axis {
 public:
  Axis(const std::vector<double>& seconds, int pixels) : pixels_(pixels) {
    const auto count = static_cast<double>(seconds.size());
    const double step = seconds.size() > 1 ? (seconds.back() - seconds.front()) / (count - 1) : 1;
    length_ = std::max(1e-3, step * count);
  }
  [[nodiscard]] int at(double seconds) const {
    return static_cast<int>(std::lround(std::clamp(seconds / length_, 0.0, 1.0) * pixels_));
  }
  // Round times, at least 90 pixels apart.
  [[nodiscard]] std::vector<double> ticks() const {
    double step = 1;
    for (const double one : {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18000}) {
      step = one;
      if (one / length_ * pixels_ >= 90) break;
    }
    std::vector<double> result;
    for (double t = 0; t <= length_; t += step) result.push_back(t);
    return result;
  }

 private:
  int pixels_;
  double length_ = 1;
};

std::string clock(double seconds) {
  const auto whole = static_cast<int>(std::lround(seconds));
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

void write(cv::Mat& canvas, const std::string& text, cv::Point at) {
  cv::putText(canvas, text, at, font, letter_size, ink, 1, cv::LINE_AA);
}

}  // namespace

Image affinity_colours(const AffinityMatrix& matrix) try {
  return io::to_image(coloured(grey_of(matrix)));
} catch (const cv::Exception& error) {
  throw_error_of(error, "the affinity matrix cannot be drawn");
}

Image draw_affinity(const AffinityMatrix& matrix, std::span<const CopySegment> segments) try {
  const cv::Mat grey = grey_of(matrix);
  const double scale =
      std::min<double>(largest_cell, static_cast<double>(wanted_side) / std::max(grey.rows, grey.cols));
  const cv::Size size(std::max(1, static_cast<int>(std::lround(grey.cols * scale))),
                      std::max(1, static_cast<int>(std::lround(grey.rows * scale))));
  cv::Mat scaled;
  cv::resize(grey, scaled, size, 0, 0, scale < 1 ? cv::INTER_AREA : cv::INTER_NEAREST);

  cv::Mat canvas(top + size.height + gap, std::max(left + size.width + gap, 420), CV_8UC3, paper);
  coloured(scaled).copyTo(canvas(cv::Rect(left, top, size.width, size.height)));
  const Axis down(matrix.seconds_a, size.height), right(matrix.seconds_b, size.width);
  const bool by_matches = matrix.measure == AffinityMeasure::matches;
  write(canvas, by_matches ? "matched features; A runs down, B to the right" : "VLAD; A runs down, B to the right",
        {left, 16});
  for (const double t : down.ticks()) {
    cv::line(canvas, {left - 6, top + down.at(t)}, {left - 1, top + down.at(t)}, ink);
    write(canvas, clock(t), {8, top + down.at(t) + 5});
  }
  for (const double t : right.ticks()) {
    cv::line(canvas, {left + right.at(t), top - 6}, {left + right.at(t), top - 1}, ink);
    write(canvas, clock(t), {left + right.at(t), top - 10});
  }
  for (const AffinityBlock& b : matrix.blocks) {
    cv::rectangle(canvas, {left + right.at(b.b_in), top + down.at(b.a_in)},
                  {left + right.at(b.b_out) - 1, top + down.at(b.a_out) - 1}, block_frame);
  }
  for (const CopySegment& s : segments) {
    cv::line(canvas, {left + right.at(s.other_in), top + down.at(s.query_in)},
             {left + right.at(s.other_out), top + down.at(s.query_out)}, s.mirrored ? mirrored_line : plain_line, 2,
             cv::LINE_AA);
  }
  return io::to_image(canvas);
} catch (const cv::Exception& error) {
  throw_error_of(error, "the affinity matrix cannot be drawn");
}

}  // namespace octavo
