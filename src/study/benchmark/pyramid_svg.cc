// The plot of every iteration as a vector image, with one panel for each of the times, one below the other.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>

#include "study/benchmark/pyramid_benchmark.h"

namespace octavo {
namespace {

constexpr double width = 760, panel_height = 240;               // [px]
constexpr double left = 70, right = 90, top = 34, bottom = 42;  // margins of a panel
constexpr double plot_width = width - left - right, plot_height = panel_height - top - bottom;

// A step of 1, 2 or 5 times a power of ten that gives at most `most` parts of `length`.
double nice_step(double length, int most) {
  const double least = length / most, power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    out += c == '&' ? std::string("&amp;") : c == '<' ? std::string("&lt;") : std::string(1, c);
  }
  return out;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}

double average_of(const PyramidTimes& times) {
  const double sum = std::accumulate(times.milliseconds.begin(), times.milliseconds.end(), 0.0);
  return sum / static_cast<double>(times.milliseconds.size());
}

class Panel {
 public:
  Panel(const PyramidTimes& times, double y) : times_(times), y_(y), quartiles_(quartiles(times.milliseconds)) {
    const auto [least, most] = std::minmax_element(times.milliseconds.begin(), times.milliseconds.end());
    const double range = std::max(*most - *least, *most / 100);
    low_ = std::max(0.0, *least - 0.1 * range);
    high_ = *most + 0.1 * range;
  }

  [[nodiscard]] std::string drawn(const std::string& title) const {
    std::string svg = text_at(left, y_ + 20, "start", title) + axes();
    const std::size_t count = times_.milliseconds.size();
    for (std::size_t i = 0; i < count; ++i) {
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.6\"/>\n", x_of(static_cast<double>(i + 1)),
                         y_of(times_.milliseconds[i]));
    }
    return svg + mark("first quartile", quartiles_.q1, "class=\"quartile\"") +
           mark("median", quartiles_.median, "class=\"median\"") +
           mark("average", average_of(times_), "class=\"average\"") +
           mark("third quartile", quartiles_.q3, "class=\"quartile\"");
  }

 private:
  [[nodiscard]] double x_of(double iteration) const {
    return left + plot_width * iteration / static_cast<double>(times_.milliseconds.size() + 1);
  }
  [[nodiscard]] double y_of(double milliseconds) const {
    return y_ + top + plot_height * (high_ - milliseconds) / (high_ - low_);
  }

  [[nodiscard]] std::string axes() const {
    std::string svg;
    const double step = nice_step(high_ - low_, 5);
    for (double value = std::ceil(low_ / step) * step; value <= high_; value += step) {
      svg += line(left, y_of(value), left + plot_width, y_of(value), "class=\"grid\"");
      svg += text_at(left - 6, y_of(value) + 4, "end", fmt::format("{:.4g}", value));
    }
    const double count = static_cast<double>(times_.milliseconds.size()), across = std::max(1.0, nice_step(count, 10));
    for (double i = across; i <= count; i += across) {
      svg += text_at(x_of(i), y_ + top + plot_height + 16, "middle", fmt::format("{:g}", i));
    }
    svg += text_at(left + plot_width / 2, y_ + top + plot_height + 34, "middle", "iteration");
    svg += fmt::format("<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">time [ms]</text>\n",
                       y_ + top + plot_height / 2);
    return svg + fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"frame\"/>\n", left, y_ + top,
                             plot_width, plot_height);
  }

  [[nodiscard]] std::string mark(const char* name, double value, const char* style) const {
    return fmt::format("<g><title>{}: {:.4f} ms</title>\n{}</g>\n", name, value,
                       line(left, y_of(value), left + plot_width, y_of(value), style));
  }

  const PyramidTimes& times_;
  double y_;
  Quartiles quartiles_;
  double low_ = 0, high_ = 1;  // [ms] the ends of the axis
};

}  // namespace

std::string pyramid_svg(const PyramidMeasurements& measured) {
  const double height = 30 + panel_height * static_cast<double>(measured.times.size());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<style>circle {{ fill: #1f6fb4 }} .frame {{ fill: none; stroke: #888 }} .grid {{ stroke: #ddd }} "
      ".median {{ stroke: #c0392b; stroke-width: 2 }} "
      ".average {{ stroke: #e69f00; stroke-width: 2 }} "
      ".quartile {{ stroke: #c0392b; stroke-width: 1; stroke-dasharray: 6 3 }}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, height);
  svg += text_at(
      left, 20, "start",
      fmt::format("{} on {}: grey, blurs and differences. Lines: median (red), average (orange); dashed: quartiles",
                  measured.image, measured.device));
  double y = 30;
  for (const PyramidTimes& times : measured.times) {
    const Quartiles q = quartiles(times.milliseconds);
    svg += Panel(times, y).drawn(fmt::format("{}: median {:.3f} ms, quartiles {:.3f} to {:.3f} ms, average {:.3f} ms",
                                             times.name(measured.on_gpu), q.median, q.q1, q.q3, average_of(times)));
    y += panel_height;
  }
  return svg + "</svg>\n";
}

}  // namespace octavo
