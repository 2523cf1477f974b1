#include "engine/views/view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "engine/maths/double_precision.h"

namespace octavo {

namespace {

// Of an angle in [0, π).
double cosine_of(double angle) {
  return angle <= maths::pi / 2 ? maths::cosine(angle) : -maths::cosine(maths::pi - angle);
}
double sine_of(double angle) { return maths::sine(angle <= maths::pi / 2 ? angle : maths::pi - angle); }

}  // namespace

std::string_view word_of(Views views) {
  constexpr std::array<std::string_view, 3> words{"none", "few", "many"};
  return words[static_cast<std::size_t>(views)];
}

std::vector<View> views_of(Views views) {
  std::vector<View> all{View()};
  const auto add = [&](int tilt, int directions) {
    for (int i = 0; i < directions; ++i) all.push_back({tilt, std::numbers::pi * i / directions});
  };
  if (views == Views::few) {
    add(3, 4);
    add(6, 10);
  }
  if (views == Views::many) {
    add(2, 4);
    add(4, 8);
    add(8, 16);
  }
  return all;
}

ViewFrame::ViewFrame(const View& view, int image_width, int image_height)
    : tilt(view.tilt), cosine(cosine_of(view.angle)), sine(sine_of(view.angle)) {
  const double w = image_width - 1, h = image_height - 1;
  // The corners (0, 0), (w, 0), (0, h), (w, h), turned.
  const auto [x0, x1] = std::minmax({0.0, cosine * w, -sine * h, cosine * w - sine * h});
  const auto [y0, y1] = std::minmax({0.0, sine * w, cosine * h, sine * w + cosine * h});
  left = x0;
  top = y0;
  width = static_cast<int>(std::floor((x1 - x0) / tilt)) + 1;
  height = static_cast<int>(std::floor(y1 - y0)) + 1;
}

bool ViewFrame::fits(int image_width, int image_height) const {
  const double most = std::max(4.0 * image_width * image_height, 1e6);
  return static_cast<double>(width) * height <= most;
}

std::array<double, 2> ViewFrame::in_image(double x, double y) const {
  const double u = tilt * x + left, v = y + top;
  return {cosine * u + sine * v, cosine * v - sine * u};
}

std::array<double, 4> ViewFrame::jacobian() const { return {cosine * tilt, sine, -sine * tilt, cosine}; }

}  // namespace octavo
