// Images on the canvas, by OpenCV's remap. It counts pixels in 16 bits, so only the part of an image that the block
// needs is passed to it.

#include "multiview/mosaic/warp.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "io/opencv/cv_mat.h"
#include "multiview/mosaic/projection.h"

namespace octavo::mosaic {

cv::Mat colours_of(const ImageView& image) {
  cv::Mat matrix = io::to_mat(image);
  if (matrix.channels() == 3) return matrix;
  cv::Mat colours(matrix.size(), CV_MAKETYPE(matrix.depth(), 3));
  const bool is_grey = matrix.channels() < 3;
  const std::array<int, 6> channels{0, 0, is_grey ? 0 : 1, 1, is_grey ? 0 : 2, 2};
  cv::mixChannels(&matrix, 1, &colours, 1, channels.data(), 3);
  return colours;
}

cv::Mat reduced(const cv::Mat& image, ImageSize size) {
  if (image.cols == size.width && image.rows == size.height) return image;
  cv::Mat smaller;
  cv::resize(image, smaller, {size.width, size.height}, 0, 0, cv::INTER_AREA);
  return smaller;
}

namespace {

// The rays of an area of a canvas. That of a cylinder or a sphere is the ray of its column, raised like that of its
// row: sines and cosines are those of columns and rows alone.
class Rays {
 public:
  Rays(const Canvas& canvas, const cv::Rect& area)
      : canvas_(canvas), corner_(area.tl()), is_round_(is_round(canvas.projection)) {
    for (int x = area.x; is_round_ && x < area.br().x; ++x) of_columns_.push_back(canvas.ray(x, -canvas.top));
    for (int y = area.y; is_round_ && y < area.br().y; ++y) of_rows_.push_back(canvas.ray(-canvas.left, y));
  }

  [[nodiscard]] cv::Vec3d at(int column, int row) const {
    if (!is_round_) return canvas_.ray(corner_.x + column, corner_.y + row);
    const cv::Vec3d &across = of_columns_[static_cast<std::size_t>(column)],
                    &up = of_rows_[static_cast<std::size_t>(row)];
    return {across[0] * up[2], up[1], across[2] * up[2]};
  }

 private:
  const Canvas& canvas_;
  cv::Point corner_;
  bool is_round_;
  std::vector<cv::Vec3d> of_columns_, of_rows_;
};

// The places of the pixels of rows. They are found exactly every half a span, and lie on lines between where a line of
// a whole span is about as exact as remap, which counts 32nds of a pixel. Spans begin at multiples of their length on
// the canvas, so that places do not depend on the area.
class RowsOfPlaces {
 public:
  RowsOfPlaces(const Geometry& geometry, const Canvas& canvas, const cv::Rect& area)
      : geometry_(geometry), before_((area.x % span + span) % span), rays_(canvas, widened(area)) {}

  // Calls `set` with each column of the area and the place there; none if the image does not show the pixel.
  template <class Set>
  void of_row(int row, int columns, const Set& set) const {
    std::optional<cv::Point2d> first = at(0, row);
    for (int begin = 0; begin < before_ + columns; begin += span) {
      const std::optional<cv::Point2d> middle = at(begin + half, row), last = at(begin + span, row);
      const bool is_line = first && middle && last && cv::norm(*middle - (*first + *last) * 0.5) <= tolerance;
      const int to = std::min(begin + span, before_ + columns);
      for (int column = std::max(begin, before_); column < to; ++column) {
        const int k = column - begin;
        if (!is_line) {
          set(column - before_, at(column, row));
        } else if (k < half) {
          set(column - before_, std::optional(*first + (*middle - *first) * (1.0 * k / half)));
        } else {
          set(column - before_, std::optional(*middle + (*last - *middle) * (1.0 * (k - half) / half)));
        }
      }
      first = last;
    }
  }

 private:
  static constexpr int span = 8, half = span / 2;  // [pixel] not tuned
  static constexpr double tolerance = 1.0 / 64;    // [pixel] of a whole span: the halves are four times as exact

  [[nodiscard]] cv::Rect widened(const cv::Rect& area) const {
    return {area.x - before_, area.y, before_ + area.width + span, area.height};
  }
  [[nodiscard]] std::optional<cv::Point2d> at(int column, int row) const {
    return geometry_.pixel(rays_.at(column, row));
  }

  const Geometry& geometry_;
  int before_;  // columns before the area
  Rays rays_;
};

}  // namespace

Lookup look_up(const Geometry& g, const Canvas& canvas, const cv::Rect& area) {
  Lookup lookup{cv::Mat(area.size(), CV_32F), cv::Mat(area.size(), CV_32F), cv::Mat(area.size(), CV_8U)};
  const RowsOfPlaces places(g, canvas, area);
  // Far outside an image the place does not matter; remap reflects it back.
  const auto limited = [](double at, int side) {
    return std::isnan(at) ? 0.0F : static_cast<float>(std::clamp(at, -1.0 * side, 2.0 * side));
  };
  cv::parallel_for_(cv::Range(0, area.height), [&](const cv::Range& rows) {
    for (int row = rows.start; row < rows.end; ++row) {
      auto *x = lookup.x.ptr<float>(row), *y = lookup.y.ptr<float>(row);
      auto* inside = lookup.inside.ptr<unsigned char>(row);
      places.of_row(row, area.width, [&](int column, const std::optional<cv::Point2d>& p) {
        inside[column] = p && g.contains(*p) ? 255 : 0;
        x[column] = p ? limited(p->x, g.size.width) : 0;
        y[column] = p ? limited(p->y, g.size.height) : 0;
      });
    }
  });
  if (cv::countNonZero(lookup.inside) == 0) return {};
  return lookup;
}

namespace {

// The columns or rows of an image that are sampled at these places: those around the places, and what is reflected
// beyond an edge.
cv::Range sampled(const cv::Mat& places, int side) {
  // [pixel] What bicubic interpolation reads beyond a place, and how much of an image is read for its reflection: it
  // bounds memory; not tuned.
  constexpr int cubic = 3, most_reflected = 512;
  int begin = side, end = 0;
  cv::Mat inside;
  cv::inRange(places, 0, side - 1, inside);
  if (cv::countNonZero(inside) > 0) {
    double first = 0, last = 0;
    cv::minMaxLoc(places, &first, &last, nullptr, nullptr, inside);
    begin = static_cast<int>(std::floor(first)) - cubic, end = static_cast<int>(std::ceil(last)) + cubic + 1;
  }
  double low = 0, high = 0;
  cv::minMaxLoc(places, &low, &high);
  const auto reflected = [&](double beyond) { return std::min(static_cast<int>(beyond) + cubic, most_reflected); };
  if (low < 0) begin = 0, end = std::max(end, reflected(-low));
  if (high > side - 1) end = side, begin = std::min(begin, side - reflected(high - (side - 1)));
  return {std::max(begin, 0), std::min(end, side)};
}

}  // namespace

void leave_holes(Lookup& lookup, const cv::Mat& shown) {
  if (shown.empty() || lookup.inside.empty()) return;
  // What is sampled is made of pixels up to two away.
  cv::Mat safe, there;
  cv::erode(shown, safe, cv::Mat::ones(5, 5, CV_8U), {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(255));
  cv::remap(safe, there, lookup.x, lookup.y, cv::INTER_NEAREST, cv::BORDER_REFLECT);
  lookup.inside &= there;
  if (cv::countNonZero(lookup.inside) == 0) lookup = {};
}

std::vector<cv::Range> strips_of(int rows) {
  constexpr int strip = 64;  // it bounds time, a little; not tuned
  std::vector<cv::Range> strips;
  for (int row = 0; row < rows; row += strip) strips.emplace_back(row, std::min(row + strip, rows));
  return strips;
}

Lookup Lookup::part(const cv::Rect& area) const { return {x(area), y(area), inside(area)}; }

Lookup Lookup::rows(const cv::Range& range) const { return part({0, range.start, x.cols, range.size()}); }

cv::Mat places_of(const Lookup& lookup, ImageSize size) {
  cv::Mat places;
  cv::merge(std::vector<cv::Mat>{(lookup.x + 0.5) / size.width, (lookup.y + 0.5) / size.height}, places);
  return places;
}

double squared_radius(const cv::Vec2f& place, ImageSize size) {
  const double x = (2.0 * place[0] - 1) * size.width, y = (2.0 * place[1] - 1) * size.height;
  return (x * x + y * y) / (1.0 * size.width * size.width + 1.0 * size.height * size.height);
}

cv::Mat sample(const cv::Mat& image, const ValueRange& scale, const Lookup& lookup) {
  const double factor = 1 / (scale.high - scale.low);
  cv::Mat source, result(lookup.x.size(), CV_32FC3);
  for (const cv::Range& strip : strips_of(result.rows)) {
    const Lookup some = lookup.rows(strip);
    const cv::Range columns = sampled(some.x, image.cols), rows = sampled(some.y, image.rows);
    const cv::Rect part(cv::Point(columns.start, rows.start), cv::Point(columns.end, rows.end));
    image(part).convertTo(source, CV_32F, factor, -scale.low * factor);
    cv::remap(source, result.rowRange(strip), cv::Mat(some.x - part.x), cv::Mat(some.y - part.y), cv::INTER_CUBIC,
              cv::BORDER_REFLECT);
  }
  return result;
}

void correct(cv::Mat& colours, const cv::Mat& places, ImageSize size, const Correction& correction) {
  constexpr int entries = 1024;       // of the table over the squared distance; not tuned
  constexpr double most_radius2 = 4;  // reflected places lie beyond the corners, where the factor stays the same
  std::array<std::array<float, 3>, entries + 1> factors{};
  for (int i = 0; i <= entries; ++i) {
    const double r2 = std::min(1.0, most_radius2 * i / entries);
    const double darkening = std::exp(correction.vignetting[0] * r2 + correction.vignetting[1] * r2 * r2);
    for (std::size_t c = 0; c < 3; ++c) {
      factors[static_cast<std::size_t>(i)][c] = static_cast<float>(1 / (darkening * correction.gain[c]));
    }
  }
  for (int row = 0; row < colours.rows; ++row) {
    auto* colour = colours.ptr<cv::Vec3f>(row);
    const auto* at = places.ptr<cv::Vec2f>(row);
    for (int column = 0; column < colours.cols; ++column) {
      const double entry = entries / most_radius2 * squared_radius(at[column], size);
      const auto& factor = factors[static_cast<std::size_t>(std::min<double>(entries, entry))];
      for (int c = 0; c < 3; ++c) colour[column][c] *= factor[static_cast<std::size_t>(c)];
    }
  }
}

}  // namespace octavo::mosaic
