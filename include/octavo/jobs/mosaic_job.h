#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_files.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/multiview/mosaic.h"
#include "octavo/progress.h"

// Files of images, joined into one mosaic.

namespace OCTAVO_API octavo {

struct MosaicJob {
  ImageFiles images;               ///< at least two; its problems are told as failures
  std::filesystem::path output{};  ///< of the mosaic (write_mosaic); empty: it is not drawn
  std::filesystem::path graph{};   ///< of draw_mosaic_graph; empty: none
  std::filesystem::path seams{};   ///< of draw_mosaic_seams; empty: none
  ReadOptions read{};
  MosaicOptions mosaic{};
  DetectorOptions detector{};
  MatchOptions match{};
  RobustOptions robust{};
  DeviceOptions device{};
};

struct MosaicResult {
  MosaicPlan plan;
  std::vector<std::filesystem::path> files;  ///< those that were written
  std::vector<std::string> problems;         ///< what could not be read, each told as a failure too
};

/// The result as `octavo mosaic --json` prints it.
std::string json_of(const MosaicResult& result);

/// Plans the mosaic, and draws it where it is found. An image that cannot be read is left out and told to the context.
/// Throws, before the work, Error(invalid_option), also for fewer than two images of places that all have some, for an
/// output that is an input and for two outputs of one name; Error(file_error) for fewer than two images of places of
/// which some have none, and for an output that cannot be written; Error(device_unavailable); later what plan_mosaic
/// and write_mosaic throw.
MosaicResult make_mosaic(const MosaicJob& job, const JobContext& context = {});

}  // namespace octavo
