// Seams by OpenCV's graph cut (Kwatra et al., "Graphcut textures", SIGGRAPH 2003), pair by pair, with the difference of
// colours divided by the gradients as the cost: a seam along an edge is not seen. Where two images agree everywhere,
// as tiles of a scan do, no seam is seen, and it is halfway between their edges: a graph of equal costs takes long.

#include "multiview/mosaic/seams.h"

#include <algorithm>
#include <exception>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/stitching/detail/seam_finders.hpp>
#include <thread>
#include <tuple>

namespace octavo::mosaic {
namespace {

using Part = MosaicPlan::Details::Part;

// Where the masks of two parts overlap; empty if they do not.
cv::Rect overlap_of(const Part& a, const Part& b) {
  const cv::Rect common = a.place & b.place;
  if (common.empty()) return {};
  const cv::Rect box = cv::boundingRect(a.mask(common - a.place.tl()) & b.mask(common - b.place.tl()));
  return box.empty() ? cv::Rect() : box + common.tl();
}

// Whether the colours agree where two parts overlap.
bool agree(const Part& a, const Part& b, const cv::Rect& overlap) {
  constexpr double seen = 0.02;  // of full scale: a difference of 5 × 5 pixels that is seen; a guess
  cv::Mat difference, mask = a.mask(overlap - a.place.tl()) & b.mask(overlap - b.place.tl());
  cv::subtract(a.colours(overlap - a.place.tl()), b.colours(overlap - b.place.tl()), difference);
  cv::blur(difference, difference, {5, 5});
  difference.setTo(cv::Scalar::all(0), mask == 0);
  return cv::norm(difference, cv::NORM_INF) < seen;
}

// Cuts two parts halfway between where each is alone; where one is alone nowhere, it is shown all.
void cut_halfway(Part& a, Part& b, const cv::Rect& overlap) {
  const cv::Rect wide(overlap.x - 1, overlap.y - 1, overlap.width + 2, overlap.height + 2);
  const auto shown = [&](const Part& part) {
    const cv::Rect place = wide & part.place;
    cv::Mat mask = cv::Mat::zeros(wide.size(), CV_8U);
    part.mask(place - part.place.tl()).copyTo(mask(place - wide.tl()));
    return mask;
  };
  const cv::Mat in_a = shown(a), in_b = shown(b);
  cv::Mat to_a, to_b;
  cv::distanceTransform(~(in_a & ~in_b), to_a, cv::DIST_L2, cv::DIST_MASK_5);
  cv::distanceTransform(~(in_b & ~in_a), to_b, cv::DIST_L2, cv::DIST_MASK_5);
  const cv::Mat is_of_b = (in_a & in_b & (to_b < to_a))(overlap - wide.tl()),
                is_of_a = (in_a & in_b & (to_a <= to_b))(overlap - wide.tl());
  a.mask(overlap - a.place.tl()).setTo(0, is_of_b);
  b.mask(overlap - b.place.tl()).setTo(0, is_of_a);
}

// Cuts two parts where their difference is least seen.
void cut_by_graph(Part& a, Part& b, const cv::Rect& overlap) {
  constexpr int around = 12;  // [pixel] What is shown there binds the ends of the seam; the graph has 10. Not tuned.
  const cv::Rect wide(overlap.x - around, overlap.y - around, overlap.width + 2 * around, overlap.height + 2 * around);
  std::vector<cv::UMat> colours, masks;
  std::vector<cv::Point> corners;
  std::vector<cv::Mat> cut_masks;
  for (Part* part : {&a, &b}) {
    const cv::Rect place = wide & part->place, there = place - part->place.tl();
    const cv::Mat scaled = part->colours(there) * 255;  // the cost's constants are those of 8 bits
    scaled.copyTo(colours.emplace_back());
    cut_masks.push_back(part->mask(there));
    cut_masks.back().copyTo(masks.emplace_back());
    corners.push_back(place.tl());
  }
  cv::detail::GraphCutSeamFinder("COST_COLOR_GRAD").find(colours, corners, masks);
  for (std::size_t k = 0; k < masks.size(); ++k) masks[k].copyTo(cut_masks[k]);
}

// Neighbours first, which overlap most: afterwards images that meet at a corner alone have hardly anything to cut.
void cut_all(std::vector<Part>& parts) {
  std::vector<std::tuple<int, std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      const int area = overlap_of(parts[i], parts[j]).area();
      if (area > 0) pairs.emplace_back(-area, i, j);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [area, i, j] : pairs) {
    const cv::Rect overlap = overlap_of(parts[i], parts[j]);
    if (overlap.empty()) continue;
    (agree(parts[i], parts[j], overlap) ? cut_halfway : cut_by_graph)(parts[i], parts[j], overlap);
  }
}

}  // namespace

// In a thread of its own: cv::UMat would open the drivers of OpenCL, and the switch for that belongs to the thread.
void find_seams(std::vector<MosaicPlan::Details::Part>& parts) {
  std::exception_ptr failure;
  std::thread thread([&] {
    try {
      cv::ocl::setUseOpenCL(false);
      cut_all(parts);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace octavo::mosaic
