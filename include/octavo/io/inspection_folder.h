#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "octavo/api.h"
#include "octavo/inspect.h"
#include "octavo/matcher.h"
#include "octavo/progress.h"

// An inspection as files: images of every stage, inspect.json with every candidate and keypoint, and index.html, a
// page that shows all of these and needs only a browser. `octavo inspect --help` lists the files and the keys of the
// JSON.

namespace OCTAVO_API octavo {

/// The differences of an octave that the packed pyramid shows.
inline constexpr int packed_differences = 3;

/// Which files are written besides the page, and in which size.
struct InspectionFolderOptions {
  std::string image_name{};  ///< the name of the image in the page and in inspect.json, without folders above it
                             ///< if it is an absolute path
  /// [pixel of the image] The descriptor of the keypoint nearest to this point is shown. none: that of the strongest
  /// keypoint. Only of a detector that describes its points.
  std::optional<Point> point{};
  /// Images have their full size. Otherwise a side has at most 512 pixels, or 1600 for drawings.
  bool full = false;
  bool floats = false;  ///< every plane is also written in full size as 32-bit float TIFF
  bool packed = false;  ///< the PackedPyramid is also written as an image; only with SIFT
};

/// What the stages of each octave did, as tables for people; empty without octaves.
std::string text_of(const Inspection& inspection);

/// The result of write_inspection.
struct InspectionFiles {
  Inspection inspection;
  /// The index of the keypoint whose descriptor is shown. none: no keypoints, or no descriptors.
  std::optional<std::size_t> point;
  std::size_t page_bytes = 0;  ///< [byte] the size of index.html
  std::string json;            ///< the content of inspect.json
};

/// Inspects the image as inspect() does and writes the files to `folder`. The folder is created if it is missing. Files
/// of an earlier call that this call does not write are removed: those that the earlier inspect.json lists and whose
/// names are in the form that this function uses. Other files in the folder are kept. `progress` is told the file in
/// work, and the work that is done in percent. Throws what inspect() throws, and Error(file_error) for a file that
/// cannot be written or removed, and Error(invalid_option) as check_inspection().
InspectionFiles write_inspection(const ImageView& image, const ImageView* mask, const DetectorOptions& detector,
                                 const DeviceOptions& device, const std::filesystem::path& folder,
                                 const InspectionFolderOptions& options, const ProgressSink& progress = {});

/// Throws Error(invalid_option) and Error(device_unavailable) as write_inspection() does, without an image: also for
/// `packed` with a detector that has no scale space, and for a `point` without descriptors.
void check_inspection(const DetectorOptions& detector, const DeviceOptions& device,
                      const InspectionFolderOptions& options);

/// The memory that write_inspection takes, as estimate_inspection without `files` tells that of `inspect`.
MemoryEstimate estimate_inspection(const ImageView& image, bool masked, const DetectorOptions& detector,
                                   const DeviceOptions& device, const InspectionFolderOptions& files);

/// Throws Error(invalid_option) if the input file `input` lies in the folder and its name is in the form that
/// write_inspection() uses, because write_inspection() could overwrite it.
void require_apart(const std::filesystem::path& input, const std::filesystem::path& folder);

}  // namespace octavo
