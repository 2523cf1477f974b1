// Seams by OpenCV's graph cut (Kwatra et al., "Graphcut textures", SIGGRAPH 2003), pair by pair, with the difference of
// colours divided by the gradients as the cost: a seam along an edge is not seen. Where two images agree everywhere,
// as tiles of a scan do, no seam is seen, and it is halfway between their edges: a graph of equal costs takes long.

#include "multiview/mosaic/seams.h"

#include <algorithm>
#include <array>
#include <exception>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/stitching/detail/seam_finders.hpp>
#include <thread>
#include <tuple>

#include "multiview/mosaic/things.h"

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

// What a matrix of a part shows in an area; beyond the part, what is at its edge, or nothing.
cv::Mat in_area(const cv::Mat& matrix, const Part& part, const cv::Rect& area, cv::BorderTypes beyond) {
  const cv::Rect there = area & part.place;
  cv::Mat shown;
  cv::copyMakeBorder(matrix(there - part.place.tl()), shown, there.y - area.y, area.br().y - there.br().y,
                     there.x - area.x, area.br().x - there.br().x, beyond);
  return shown;
}

// Cuts two parts halfway between where each is alone; where one is alone nowhere, it is shown all.
void cut_halfway(Part& a, Part& b, const cv::Rect& overlap) {
  const cv::Rect wide(overlap.x - 1, overlap.y - 1, overlap.width + 2, overlap.height + 2);
  const cv::Mat in_a = in_area(a.mask, a, wide, cv::BORDER_CONSTANT),
                in_b = in_area(b.mask, b, wide, cv::BORDER_CONSTANT);
  cv::Mat to_a, to_b;
  cv::distanceTransform(~(in_a & ~in_b), to_a, cv::DIST_L2, cv::DIST_MASK_5);
  cv::distanceTransform(~(in_b & ~in_a), to_b, cv::DIST_L2, cv::DIST_MASK_5);
  const cv::Mat is_of_b = (in_a & in_b & (to_b < to_a))(overlap - wide.tl()),
                is_of_a = (in_a & in_b & (to_a <= to_b))(overlap - wide.tl());
  a.mask(overlap - a.place.tl()).setTo(0, is_of_b);
  b.mask(overlap - b.place.tl()).setTo(0, is_of_a);
}

// Two images of one area, and where each is shown.
struct Both {
  std::array<cv::Mat, 2> colours, masks;
};

void cut(Both& both) {
  // What is added to the difference of 8 bits where a seam would show a part of a thing, far above all others; and how
  // far from it a seam stays [pixel], so that the blending does not reach it. Not tuned.
  constexpr double far = 1000;
  constexpr int around = 5;
  cv::Mat things = things_of_one(both.colours[0], both.colours[1]);
  cv::dilate(things, things, cv::Mat::ones(2 * around + 1, 2 * around + 1, CV_8U));
  std::vector<cv::UMat> colours(2), masks(2);
  for (std::size_t k = 0; k < 2; ++k) {
    cv::Mat scaled = both.colours[k] * 255;  // the cost's constants are those of 8 bits
    if (k == 1) cv::add(scaled, cv::Scalar::all(far), scaled, things);
    scaled.copyTo(colours[k]);
    both.masks[k].copyTo(masks[k]);
  }
  cv::detail::GraphCutSeamFinder("COST_COLOR_GRAD").find(colours, {{0, 0}, {0, 0}}, masks);
  for (std::size_t k = 0; k < 2; ++k) masks[k].copyTo(both.masks[k]);
}

// Leaves the surroundings of the seam between images of half the size for a cut; elsewhere one image is shown alone.
void keep_around_seam(Both& both, const Both& halves) {
  constexpr int around = 4;  // [pixel] as far as a seam of the half size may be from the best one; a guess
  std::array<cv::Mat, 2> alone;
  for (std::size_t k = 0; k < 2; ++k) {
    cv::resize(halves.masks[k] & ~halves.masks[1 - k], alone[k], both.masks[k].size(), 0, 0, cv::INTER_NEAREST);
    cv::erode(alone[k], alone[k], cv::Mat::ones(2 * around + 1, 2 * around + 1, CV_8U));
    alone[k] &= both.masks[0] & both.masks[1];
  }
  for (std::size_t k = 0; k < 2; ++k) both.masks[k].setTo(0, alone[1 - k]);
}

// Cuts two parts where their difference is least seen: at half the size first, then around that seam. A graph of all
// pixels takes four times as long.
void cut_by_graph(Part& a, Part& b, const cv::Rect& overlap) {
  constexpr int around = 12;  // [pixel] What is shown there binds the ends of the seam; the graph has 10. Not tuned.
  const cv::Size even((overlap.width + 1) / 2 * 2, (overlap.height + 1) / 2 * 2);
  const cv::Rect wide(overlap.x - around, overlap.y - around, even.width + 2 * around, even.height + 2 * around);
  Both both, halves;
  for (std::size_t k = 0; k < 2; ++k) {
    const Part& part = k == 0 ? a : b;
    both.colours[k] = in_area(part.colours, part, wide, cv::BORDER_REPLICATE);
    both.masks[k] = in_area(part.mask, part, wide, cv::BORDER_CONSTANT);
    cv::resize(both.colours[k], halves.colours[k], wide.size() / 2, 0, 0, cv::INTER_AREA);
    cv::resize(both.masks[k], halves.masks[k], wide.size() / 2, 0, 0, cv::INTER_AREA);
    halves.masks[k] = halves.masks[k] == 255;
  }
  cut(halves);
  keep_around_seam(both, halves);
  cut(both);
  const cv::Rect inner = overlap - wide.tl();
  both.masks[0](inner).copyTo(a.mask(overlap - a.place.tl()));
  both.masks[1](inner).copyTo(b.mask(overlap - b.place.tl()));
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
