// The mosaic without empty places. The largest rectangle is found on the small canvas, among pixels that are surely
// drawn, and then grows at full size by what was not sure. Without a crop the canvas ends where images end; where masks
// and holes hide their edges, it ends where they show something.

#include "multiview/mosaic/crop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "multiview/mosaic/blocks.h"

namespace octavo::mosaic {
namespace {

// The pixels of the small canvas whose places on the canvas are surely drawn: an image shows the pixel and all around
// it, so that its edges are elsewhere, and is shown there by the seams, so that the blocks there have it as a layer.
cv::Mat surely_drawn(const MosaicPlan::Details& details) {
  cv::Mat drawn = cv::Mat::zeros(static_cast<int>(details.small.height), static_cast<int>(details.small.width), CV_8U);
  const cv::Mat around = cv::Mat::ones(3, 3, CV_8U);
  for (const auto& part : details.parts) {
    cv::Mat inner, near;
    cv::erode(part.inside, inner, around, {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(0));
    cv::dilate(part.mask, near, around);
    drawn(part.place) |= inner & near;
  }
  return drawn;
}

double small_pixels_on_one(const MosaicPlan::Details& details) { return details.small.scale / details.canvas.scale; }

// The pixels of the canvas whose centres lie in these of the small canvas.
cv::Rect on_canvas(const cv::Rect& small, const MosaicPlan::Details& details) {
  const double f = small_pixels_on_one(details);
  const cv::Point2d corner(details.canvas.left, details.canvas.top),
      small_corner(details.small.left - 0.5, details.small.top - 0.5);
  const cv::Point2d first = (cv::Point2d(small.tl()) + small_corner) / f - corner,
                    end = (cv::Point2d(small.br()) + small_corner) / f - corner;
  return cv::Rect(cv::Point(static_cast<int>(std::ceil(first.x)), static_cast<int>(std::ceil(first.y))),
                  cv::Point(static_cast<int>(std::ceil(end.x)), static_cast<int>(std::ceil(end.y)))) &
         cv::Rect(0, 0, static_cast<int>(details.canvas.width), static_cast<int>(details.canvas.height));
}

void cut_canvas(MosaicPlan& plan, MosaicPlan::Details& details, const cv::Rect& area) {
  details.canvas.left = plan.left += area.x;
  details.canvas.top = plan.top += area.y;
  details.canvas.width = area.width;
  details.canvas.height = area.height;
  plan.width = static_cast<std::uint64_t>(area.width);
  plan.height = static_cast<std::uint64_t>(area.height);
}

// Whether each pixel of an area of the canvas is drawn.
bool is_drawn(const MosaicPlan::Details& details, const Pixels& holes, const cv::Rect& area) {
  for (int y = area.y; y < area.br().y; y += mosaic_block) {
    for (int x = area.x; x < area.br().x; x += mosaic_block) {
      const cv::Rect piece = cv::Rect(x, y, mosaic_block, mosaic_block) & area;
      cv::Mat shown = cv::Mat::zeros(piece.size(), CV_32F);
      for (const Layer& layer : layers_by_seams(details, holes, piece)) shown(layer.place) += layer.mask;
      if (cv::countNonZero(shown) < piece.area()) return false;
    }
  }
  return true;
}

// A rectangle of pixels that are drawn, larger by the rows and columns beside it that are drawn, at most so many on
// each side.
cv::Rect grown(cv::Rect drawn, const MosaicPlan::Details& details, const Pixels& holes, int most) {
  const cv::Rect whole(0, 0, static_cast<int>(details.canvas.width), static_cast<int>(details.canvas.height));
  std::array<bool, 4> is_at_end{};
  for (int step = 0; step < most; ++step) {
    for (std::size_t side = 0; side < is_at_end.size(); ++side) {
      if (is_at_end[side]) continue;
      const std::array<cv::Rect, 4> beside{
          cv::Rect(drawn.x - 1, drawn.y, 1, drawn.height), cv::Rect(drawn.br().x, drawn.y, 1, drawn.height),
          cv::Rect(drawn.x, drawn.y - 1, drawn.width, 1), cv::Rect(drawn.x, drawn.br().y, drawn.width, 1)};
      const cv::Rect line = beside[side];
      is_at_end[side] = (line & whole) != line || !is_drawn(details, holes, line);
      if (!is_at_end[side]) drawn |= line;
    }
  }
  return drawn;
}

}  // namespace

// The columns above a row stand as bars on it. A stack has those that may still grow to the right, from the lowest to
// the highest.
cv::Rect largest_rectangle(const cv::Mat& mask) {
  struct Bar {
    int first, height;
  };
  cv::Rect best;
  std::vector<int> heights(static_cast<std::size_t>(mask.cols) + 1);  // a bar of 0 at the end
  std::vector<Bar> bars;
  for (int y = 0; y < mask.rows; ++y) {
    for (int x = 0; x <= mask.cols; ++x) {
      int& height = heights[static_cast<std::size_t>(x)];
      height = x < mask.cols && mask.at<unsigned char>(y, x) != 0 ? height + 1 : 0;
      int first = x;
      while (!bars.empty() && bars.back().height >= height) {
        const Bar bar = bars.back();
        bars.pop_back();
        first = bar.first;
        const cv::Rect rectangle(bar.first, y + 1 - bar.height, x - bar.first, bar.height);
        const auto area = [](const cv::Rect& r) { return static_cast<std::int64_t>(r.width) * r.height; };
        if (area(rectangle) > area(best)) best = rectangle;
      }
      if (height > 0) bars.push_back({first, height});
    }
  }
  return best;
}

void crop(MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small) {
  const cv::Rect sure = on_canvas(largest_rectangle(surely_drawn(details)), details);
  if (sure.empty()) {
    plan.warnings.emplace_back("no part of the mosaic is without empty places: it is not cropped");
    return;
  }
  const Pixels holes = [&](int image) {
    const auto i = static_cast<std::size_t>(image);
    const ImageSize size = details.geometry[i].size;
    Stored stored;
    if (small[i].shown.empty()) return stored;
    cv::resize(small[i].shown, stored.shown, {size.width, size.height}, 0, 0, cv::INTER_NEAREST);
    return stored;
  };
  // What is not sure is less than two pixels of the small canvas.
  const int unsure = static_cast<int>(std::ceil(2 / small_pixels_on_one(details)));
  cut_canvas(plan, details, grown(sure, details, holes, unsure));
}

void trim(MosaicPlan& plan, MosaicPlan::Details& details, const std::vector<Stored>& small) {
  if (std::ranges::all_of(small, [](const Stored& copy) { return copy.shown.empty(); })) return;
  cv::Rect shown;
  for (const auto& part : details.parts) {
    const cv::Rect box = cv::boundingRect(part.inside);
    if (!box.empty()) shown |= box + part.place.tl();
  }
  if (shown.empty()) return;
  // [pixel] of the small canvas: two beside a hole are left out there, and parts of others may be shown.
  constexpr int more = 4;
  cut_canvas(plan, details,
             on_canvas({shown.x - more, shown.y - more, shown.width + 2 * more, shown.height + 2 * more}, details));
}

cv::Rect cropped_part(const MosaicPlan::Details& details) {
  const Canvas part = details.canvas.scaled(small_pixels_on_one(details));
  return cv::Rect(static_cast<int>(std::lround(part.left - details.small.left)),
                  static_cast<int>(std::lround(part.top - details.small.top)), static_cast<int>(part.width),
                  static_cast<int>(part.height)) &
         cv::Rect(0, 0, static_cast<int>(details.small.width), static_cast<int>(details.small.height));
}

}  // namespace octavo::mosaic
