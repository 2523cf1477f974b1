#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/io/inspection_folder.h"
#include "octavo/jobs/feature_jobs.h"
#include "octavo/progress.h"
#include "octavo/trilateral.h"
#include "octavo/video/video_file.h"

// Jobs on images one by one: filtered images, and inspections.

namespace OCTAVO_API octavo {

// Images, smoothed by the trilateral filter.

/// An image, and the file of the result.
struct ImageToFilter {
  std::filesystem::path file;
  std::filesystem::path output{};  ///< its ending chooses the format (write_image); empty: none is written
};

/// What has become of one.
struct FilteredImage {
  const ImageToFilter& item;
  const Image& image;  ///< with the channels, type and values of the input, as far as the output (or PNG) holds them
  double seconds = 0;  ///< [second] wall time without reading and writing
};

/// The images that `filter_images` filters.
struct FilterJob {
  std::vector<ImageToFilter> items;
  ReadOptions read{};
  TrilateralOptions options{};
  DeviceOptions device{};
  /// Gives the bytes of the image "-", once; empty: "-" is a file.
  std::function<std::vector<std::byte>()> standard_input{};
  /// Is told each image in order, as soon as its file is written. False ends the job. May be empty.
  std::function<bool(const FilteredImage&)> take{};
};

/// What `filter_images` did.
struct FilterSummary {
  std::size_t done = 0;      ///< images whose turn is over
  bool is_finished = false;  ///< false: it was stopped
};

/// Filters each image, and writes the files. An image that fails is told to the context, and the others are filtered;
/// so is one in colour whose output holds grey alone. Throws, before the work, Error(invalid_option), also for outputs
/// that are inputs or have no format; Error(file_error) for an output that cannot be written;
/// Error(device_unavailable).
FilterSummary filter_images(const FilterJob& job, const JobContext& context = {});

// The inspection of an image file or of a frame of a video.

/// Which frame of a video is wanted.
struct FrameChoice {
  std::int64_t index = 0;
  double seconds = 0;
  bool by_time = false;  ///< the one that is seen at `seconds`; the first or the last one before or after the video
};

/// The image of `inspect_image`, and what it writes of it.
struct InspectJob {
  std::filesystem::path image;                    ///< of a video where its name is that of one (looks_like_video)
  std::optional<StandardInput> standard_input{};  ///< none: "-" is a file
  ReadOptions read{};
  FrameChoice frame{};  ///< of a video
  VideoOptions video{};
  std::filesystem::path mask{};     ///< as that of ExtractJob
  std::filesystem::path folder;     ///< of the files (write_inspection)
  InspectionFolderOptions files{};  ///< without `image_name`
  DetectorOptions detector{};
  DeviceOptions device{};
};

/// What `inspect_image` found and wrote.
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
