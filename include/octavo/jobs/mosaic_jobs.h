#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/jobs/image_jobs.h"
#include "octavo/matcher.h"
#include "octavo/multiview/align.h"
#include "octavo/multiview/geometry.h"
#include "octavo/multiview/mosaic.h"
#include "octavo/progress.h"

// Jobs that join images: two, aligned, or many, in a mosaic.

namespace OCTAVO_API octavo {

struct Photograph;  // octavo/io/image_files.h

// Two files of images, aligned: numbers, and drawings of how well they fit.

/// Two images that `align_images` aligns.
struct AlignJob {
  std::filesystem::path a, b;                     ///< the frame of A is kept
  std::optional<StandardInput> standard_input{};  ///< none: "-" is a file
  /// Gives the images that `a` and `b` name, where they are no files; empty: they are. `mask` is as that of
  /// read_photograph.
  std::function<Photograph(const std::filesystem::path& name, const Image* mask)> load{};
  ReadOptions read{};
  std::filesystem::path mask{};  ///< as that of ExtractJob
  /// The joined image, OUT.png. Beside it lie OUT.matches.png, OUT.inliers.png and OUT.checkerboard.png. Empty: no file
  /// is written.
  std::filesystem::path output{};
  std::function<void(const ImageView& both)>
      take{};  ///< is given the joined image, as a PNG holds it, in place of files
  DetectorOptions detector{};
  MatchOptions match{};
  RobustOptions robust{};
  bool retry = true;  ///< try views of the images where they do not fit, or not surely (align_anew)
  BlendOptions blend{};
  DeviceOptions device{};
};

/// What `align_images` found.
struct AlignResult {
  Alignment alignment;
  std::vector<std::filesystem::path> files;  ///< those that were written
};

/// The result as `octavo align --json` prints it.
std::string json_of(const AlignJob& job, const AlignResult& result);
/// The same as text.
std::string text_of(const AlignResult& result);

/// Aligns the images and writes the drawings. Images that do not fit are no error: the alignment says so, and of the
/// drawings only the matches are written. Throws, before the work, Error(invalid_option), also for an output that is an
/// input, Error(file_error) for one that cannot be written, Error(device_unavailable); later Error(file_error),
/// Error(out_of_memory), and Error(invalid_argument) for images that are too large to be joined.
AlignResult align_images(const AlignJob& job, const JobContext& context = {});

// Files of images, and frames of videos, joined into one mosaic.

/// The images of `make_mosaic`.
struct MosaicJob {
  /// At least two, or a video (looks_like_video), of which as many frames are taken as show all of it; they are named
  /// "pan.mp4 at 3.2 s". Its problems are told as failures.
  ImageFiles images;
  std::vector<MosaicInput> inputs{};         ///< more images, which are no files
  std::filesystem::path output{};            ///< of the mosaic (write_mosaic); empty: none
  std::function<void(Image mosaic)> take{};  ///< is given the mosaic as one image; may be empty
  std::filesystem::path graph{};             ///< of draw_mosaic_graph; empty: none
  std::filesystem::path seams{};             ///< of draw_mosaic_seams; empty: none
  /// As pairs_by_text takes it. Its pairs, and `points`, replace those of `mosaic`.
  std::string pairs = "all";
  /// A file with points that are set by hand: a line has "IMAGE_A X_A Y_A IMAGE_B X_B Y_B", pixels from the centre of
  /// the first one, with names as in a list of pairs or files as they were asked for. Empty: none.
  std::filesystem::path points{};
  ReadOptions read{};
  std::filesystem::path mask{};  ///< as that of ExtractJob
  MosaicOptions mosaic{};
  DetectorOptions detector{};
  MatchOptions match{};
  RobustOptions robust{};
  DeviceOptions device{};
};

/// What `make_mosaic` made, and of which images.
struct MosaicResult {
  MosaicPlan plan;
  std::vector<std::filesystem::path> files;  ///< those that were written
  std::vector<std::string> problems;         ///< what could not be read, images and lines, each told as a failure too
};

/// The result as `octavo mosaic --json` prints it.
std::string json_of(const MosaicResult& result);
/// The same as text.
std::string text_of(const MosaicResult& result);

/// Plans the mosaic, and draws it where it is found. An image or a video that cannot be read is left out and told to
/// the context. Throws, before the work, Error(invalid_option), also for fewer than two images of places that all have
/// some, for an output that is an input, for two outputs of one name, and for two images of one name, or videos, and
/// pairs or points that are listed; Error(file_error) for lists that cannot be read and for fewer than two images of
/// places of which some have none, and for an output that cannot be written; Error(device_unavailable); later
/// Error(file_error) for videos that show fewer than two views, and what plan_mosaic and write_mosaic throw.
MosaicResult make_mosaic(const MosaicJob& job, const JobContext& context = {});

}  // namespace octavo
