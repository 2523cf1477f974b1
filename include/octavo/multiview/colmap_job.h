#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/collection.h"
#include "octavo/matcher.h"
#include "octavo/multiview/geometry.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"

// From photographs to a database of COLMAP: features, matches and, on request, verified matches.

namespace OCTAVO_API octavo {

/// COLMAP's camera models, by their numbers.
enum class ColmapModel : std::uint8_t {
  simple_pinhole,         ///< f, cx, cy
  pinhole,                ///< fx, fy, cx, cy
  simple_radial,          ///< f, cx, cy, k
  radial,                 ///< f, cx, cy, k1, k2
  opencv,                 ///< fx, fy, cx, cy, k1, k2, p1, p2
  opencv_fisheye,         ///< fx, fy, cx, cy, k1, k2, k3, k4
  full_opencv,            ///< fx, fy, cx, cy, k1, k2, p1, p2, k3, k4, k5, k6
  fov,                    ///< fx, fy, cx, cy, omega
  simple_radial_fisheye,  ///< f, cx, cy, k
  radial_fisheye,         ///< f, cx, cy, k1, k2
  thin_prism_fisheye,     ///< fx, fy, cx, cy, k1, k2, p1, p2, k3, k4, sx1, sy1
};

/// The number of parameters of a model.
std::size_t parameter_count(ColmapModel model);

/// A camera as COLMAP has it.
struct ColmapCamera {
  ColmapModel model = ColmapModel::simple_radial;
  ImageSize size{};
  std::vector<double> params{};     ///< as many as the model has; [pixel], the origin is the corner of the image
  bool prior_focal_length = false;  ///< the focal length is known, and no guess
};

/// The camera that COLMAP starts from: the focal length [pixel], or, where none is known, 1.2 · max(width, height); the
/// principal point in the middle of the image; no distortion (fov: omega 0.01).
ColmapCamera initial_camera(ColmapModel model, ImageSize size, std::optional<double> focal_length);

/// What a database says of cameras, and who verifies its matches.
struct ColmapOptions {
  /// Which images share a camera.
  enum class Cameras {
    model,   ///< those of one make, model, focal length [mm] and size; where EXIF data do not tell, each has its own
    folder,  ///< those of one folder
    one,     ///< all
    image,   ///< none
  };
  enum class Verify {
    none,  ///< COLMAP verifies the matches: it knows the cameras
    usac,  ///< a fundamental matrix by OpenCV's USAC, see estimate_fundamental
  };
  Cameras cameras = Cameras::model;
  ColmapModel camera_model = ColmapModel::simple_radial;
  Verify verify = Verify::none;
  /// Match again within the threshold of the epipolar lines, and verify these matches. Needs `verify`.
  bool guided = false;
  std::uint32_t feature_memory = 4096;      ///< [MiB] of features in memory at most; images in work always have room
  std::uint32_t gpu_feature_memory = 1024;  ///< [MiB] the same of features in the memory of the GPU
  friend bool operator==(const ColmapOptions&, const ColmapOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<ColmapOptions>& option_table<ColmapOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const ColmapOptions& options);

/// The images of `fill_colmap_database`.
struct ColmapJob {
  std::vector<ImageFile> images;  ///< their names are those of the database, and differ from each other
  std::vector<ImagePair> pairs;   ///< by indices into `images`
  ColmapOptions options{};
  /// The parameters of all cameras, as `camera_model` has them, counted as known; empty: those of initial_camera with
  /// the focal length of the EXIF data.
  std::vector<double> camera_params{};
  /// The cameras of images that were cut from others, by their names. Equal ones are shared. `mask` is not of such
  /// images: alpha hides what does not count.
  std::map<std::string, ColmapCamera> known_cameras{};
  DetectorOptions detector = preset("sfm");  ///< the points are always described
  /// Features of another detector: nothing is extracted. Empty: `detector` makes them.
  FeaturesByName features{};
  /// How their descriptors became bytes, which all features of a database have in common. The database notes it in
  /// place of `detector`. Empty without `features`.
  std::string features_rule{};
  MatchOptions match{};
  RobustOptions robust{};
  DeviceOptions device{};
  ReadOptions read{};  ///< without `apply_exif_rotation`, see below
  /// Only what masks do not show black counts: an image for all, or a folder with that of each image, whose name is
  /// that of the image with ".png" behind it, as COLMAP has them. What alpha hides does not count either. Empty: none.
  std::filesystem::path mask{};
  /// What the database says of its options, where images come to it by others; empty: those of this job.
  std::string settings{};
};

/// What a job has done.
struct ColmapSummary {
  std::size_t images = 0;       ///< in the database, of those of the job
  std::size_t extracted = 0;    ///< by this run
  std::size_t failed = 0;       ///< images that cannot be read or put into the database, and pairs
  std::uint64_t keypoints = 0;  ///< of the extracted images
  std::size_t pairs = 0;        ///< in the database, of those of the job
  std::size_t matched = 0;      ///< by this run
  std::uint64_t matches = 0;    ///< of the matched pairs
  std::size_t verified = 0;     ///< matched pairs with a fundamental matrix
  std::uint64_t inliers = 0;    ///< of these
  bool is_finished = false;     ///< false: it was stopped; the same job goes on from there
};

/// Extracts and matches the images into a database (ColmapDatabase). Images are read as they are stored, without
/// the rotation of EXIF data, as COLMAP reads them. A detector with the option `upright` gets them turned by their EXIF
/// data, so that up is the same in all of them, and its keypoints are brought to the stored pixels. Images and pairs
/// that the database has are left out. A pair is matched from the image with the smaller image_id to the other. The
/// database depends on the images, the pairs and the options alone: not on the device, the threads, the order of the
/// pairs or interruptions. Throws Error(invalid_option), Error(device_unavailable), Error(invalid_argument) for names
/// that occur twice, camera parameters of another number, and pairs without images, and Error(file_error). Given
/// features fail with a keypoint outside their image.
ColmapSummary fill_colmap_database(const std::filesystem::path& database, const ColmapJob& job,
                                   const JobContext& context = {});

}  // namespace octavo
