#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/io/image_files.h"
#include "octavo/jobs/feature_jobs.h"
#include "octavo/matcher.h"
#include "octavo/multiview/align.h"
#include "octavo/multiview/geometry.h"
#include "octavo/progress.h"

// Two files of images, aligned: numbers, and drawings of how well they fit.

namespace OCTAVO_API octavo {

struct AlignJob {
  std::filesystem::path a, b;                     ///< the frame of A is kept
  std::optional<StandardInput> standard_input{};  ///< none: "-" is a file
  ReadOptions read{};
  /// The joined image, OUT.png. Beside it lie OUT.matches.png, OUT.inliers.png and OUT.checkerboard.png. Empty: no file
  /// is written.
  std::filesystem::path output{};
  std::function<void(const ImageView& both)>
      take{};  ///< is given the joined image, as a PNG holds it, in place of files
  DetectorOptions detector{};
  MatchOptions match{};
  RobustOptions robust{};
  BlendOptions blend{};
  DeviceOptions device{};
};

struct AlignResult {
  Alignment alignment;
  std::vector<std::filesystem::path> files;  ///< those that were written
};

/// The result as `octavo align --json` prints it.
std::string json_of(const AlignJob& job, const AlignResult& result);

/// Aligns the images and writes the drawings. Images that do not fit are no error: the alignment says so, and of the
/// drawings only the matches are written. Throws, before the work, Error(invalid_option), also for an output that is an
/// input, Error(file_error) for one that cannot be written, Error(device_unavailable); later Error(file_error),
/// Error(out_of_memory), and Error(invalid_argument) for images that are too large to be joined.
AlignResult align_images(const AlignJob& job, const JobContext& context = {});

}  // namespace octavo
