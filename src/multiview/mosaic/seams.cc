// Seams by OpenCV's graph cut (Kwatra et al., "Graphcut textures", SIGGRAPH 2003), pair by pair, with the difference of
// colours divided by the gradients as the cost: a seam along an edge is not seen.

#include "multiview/mosaic/seams.h"

#include <exception>
#include <opencv2/core/ocl.hpp>
#include <opencv2/stitching/detail/seam_finders.hpp>
#include <thread>

namespace octavo::mosaic {
namespace {

void cut(std::vector<MosaicPlan::Details::Part>& parts) {
  std::vector<cv::UMat> colours, masks;
  std::vector<cv::Point> corners;
  for (const auto& part : parts) {
    cv::Mat scaled = part.colours * 255;  // the cost's constants are those of 8 bits
    colours.push_back(scaled.getUMat(cv::ACCESS_READ).clone());
    masks.push_back(part.mask.getUMat(cv::ACCESS_READ).clone());
    corners.push_back(part.place.tl());
  }
  cv::detail::GraphCutSeamFinder("COST_COLOR_GRAD").find(colours, corners, masks);
  for (std::size_t i = 0; i < parts.size(); ++i) masks[i].copyTo(parts[i].mask);
}

}  // namespace

// In a thread of its own: cv::UMat would open the drivers of OpenCL, and the switch for that belongs to the thread.
void find_seams(std::vector<MosaicPlan::Details::Part>& parts) {
  std::exception_ptr failure;
  std::thread thread([&] {
    try {
      cv::ocl::setUseOpenCL(false);
      cut(parts);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace octavo::mosaic
