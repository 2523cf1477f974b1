// Two images with lines between them, as SVG: lines stay sharp at every size and on paper, and the pointer finds each
// of them. The first drawing holds the images, the others refer to them.

#include "io/pages/image_pair.h"

#include <fmt/core.h>

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <string_view>

#include "io/pages/base64.h"

namespace octavo {

extern const std::string_view image_pair_html;

namespace {

using kainjow::mustache::data;

// Images are this share of their widths apart.
constexpr double gap_share = 0.015;

int gap_of(const PageImagePair& pair) {
  return std::max(1, static_cast<int>(gap_share * (pair.left.width + pair.right.width)));
}

std::string_view name_of(PageLine::Kind kind) {
  switch (kind) {
    case PageLine::Kind::right:
      return "right";
    case PageLine::Kind::wrong:
      return "wrong";
    case PageLine::Kind::unknown:
      break;
  }
  return "unknown";
}

// Lines that matter more lie above the others.
std::vector<PageLine> ordered(std::vector<PageLine> lines) {
  const auto height = [](const PageLine& line) {
    return line.kind == PageLine::Kind::wrong ? 2 : line.kind == PageLine::Kind::right ? 1 : 0;
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const PageLine& a, const PageLine& b) { return height(a) < height(b); });
  return lines;
}

data data_of(const PageLine& line, int right_begins) {
  data values;
  values.set("kind", std::string(name_of(line.kind)));
  values.set("x1", fmt::format("{:.1f}", line.left_x + 0.5));
  values.set("y1", fmt::format("{:.1f}", line.left_y + 0.5));
  values.set("x2", fmt::format("{:.1f}", line.right_x + 0.5 + right_begins));
  values.set("y2", fmt::format("{:.1f}", line.right_y + 0.5));
  values.set("hover", line.hover);
  return values;
}

data data_of(const PageImage& image, int begin) {
  data values;
  values.set("jpeg", base64(image.jpeg));
  values.set("x", fmt::format("{}", begin));
  values.set("width", fmt::format("{}", image.width));
  values.set("height", fmt::format("{}", image.height));
  return values;
}

}  // namespace

std::string html_of(const PageImagePair& pair) {
  const int right_begins = pair.left.width + gap_of(pair);
  data values;
  values.set("id", pair.id);
  values.set("title", pair.title);
  values.set("why", pair.why);
  if (!pair.back.empty()) values.set("back", pair.back);
  values.set("across", fmt::format("{}", right_begins + pair.right.width));
  values.set("down", fmt::format("{}", std::max(pair.left.height, pair.right.height)));
  values.set("right_begins", fmt::format("{}", right_begins));
  values.set("left_across", fmt::format("{}", pair.left.width));
  values.set("left_down", fmt::format("{}", pair.left.height));
  values.set("right_across", fmt::format("{}", pair.right.width));
  values.set("right_down", fmt::format("{}", pair.right.height));
  data layers(data::type::list);
  for (const PageImagePair::Layer& layer : pair.layers) {
    data one, lines(data::type::list);
    one.set("caption", layer.caption);
    if (&layer == &pair.layers.front()) {
      one.set("left", data_of(pair.left, 0));
      one.set("right", data_of(pair.right, right_begins));
    } else {
      one.set("again", true);
    }
    for (const PageLine& line : ordered(layer.lines)) lines.push_back(data_of(line, right_begins));
    one.set("lines", lines);
    layers.push_back(one);
  }
  values.set("layers", layers);
  return kainjow::mustache::mustache(std::string(image_pair_html)).render(values);
}

}  // namespace octavo
