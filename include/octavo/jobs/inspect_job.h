#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image.h"
#include "octavo/io/image_files.h"
#include "octavo/io/inspection_folder.h"
#include "octavo/jobs/feature_jobs.h"
#include "octavo/progress.h"
#include "octavo/video/video.h"

// The inspection of an image file or of a frame of a video.

namespace OCTAVO_API octavo {

/// Which frame of a video is wanted.
struct FrameChoice {
  std::int64_t index = 0;
  double seconds = 0;
  bool by_time = false;  ///< the one that is seen at `seconds`; the first or the last one before or after the video
};

struct InspectJob {
  std::filesystem::path image;                    ///< of a video where its name is that of one (looks_like_video)
  std::optional<StandardInput> standard_input{};  ///< none: "-" is a file
  ReadOptions read{};
  FrameChoice frame{};  ///< of a video
  VideoOptions video{};
  std::filesystem::path mask{};     ///< keypoints are kept where this image is not black; empty: everywhere
  std::filesystem::path folder;     ///< of the files (write_inspection)
  InspectionFolderOptions files{};  ///< without `image_name`
  DetectorOptions detector{};
  DeviceOptions device{};
};

struct InspectResult {
  InspectionFiles files;
  ImageSize size;  ///< of the image
};

/// Inspects the image and writes the files. The image is called as its file, a frame CLIP#INDEX, the standard input
/// "stdin". Throws, before an image is read, Error(invalid_option), Error(device_unavailable), and Error(file_error)
/// for a folder that cannot be written; later Error(invalid_option) for a point outside of the image and for an input
/// that the files would overwrite, Error(invalid_argument) for a mask of another size, and what reading and
/// write_inspection throw.
InspectResult inspect_image(const InspectJob& job, const JobContext& context = {});

}  // namespace octavo
