#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/api.h"
#include "octavo/io/camera_facts.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"

// Models of structure from motion: cameras, images with their poses, and points, in the files of COLMAP. Their format
// is documented at colmap.github.io/format.html. GLOMAP and pycolmap write the same files.

namespace OCTAVO_API octavo {

/// A camera: how directions become pixels. COLMAP's documentation of camera models defines the parameters.
struct SfmCamera {
  std::string model;                    ///< "SIMPLE_RADIAL", for example
  std::uint64_t width = 0, height = 0;  ///< [pixel]
  std::vector<double> parameters;       ///< in the order of COLMAP's model: focal lengths, principal point, distortion
};

/// An observation of a point: a keypoint of an image, with the origin at the corner of the image [pixel].
struct SfmObservation {
  static constexpr std::uint64_t no_point =
      std::numeric_limits<std::uint64_t>::max();  ///< of a keypoint that shows none
  double x = 0, y = 0;                            ///< [pixel] the centre of the first pixel is (0.5, 0.5)
  std::uint64_t point = no_point;                 ///< the id of the point that it shows
};

/// A registered image. The pose maps a point of the model to the camera, whose axes are x right, y down, z ahead.
struct SfmImage {
  std::string name;                                     ///< its file, below the folder of the photographs
  std::uint32_t camera = 0;                             ///< the id of its camera
  std::array<double, 4> camera_from_world{1, 0, 0, 0};  ///< rotation: a quaternion w, x, y, z
  std::array<double, 3> translation{};                  ///< in units of the model
  std::vector<SfmObservation> observations;             ///< of all its keypoints, in the order of the database
};

/// A point of a model.
struct SfmPoint {
  std::array<double, 3> place{};         ///< x, y, z in units of the model
  std::array<std::uint8_t, 3> colour{};  ///< red, green, blue
  double error = 0;                      ///< the mean reprojection error that the file tells [pixel]; -1: none
  std::uint64_t track = 0;               ///< the number of images' keypoints that show it
};

/// A model. The keys are the ids of the files.
struct SfmModel {
  std::map<std::uint32_t, SfmCamera> cameras;  ///< images of one camera share it
  std::map<std::uint32_t, SfmImage> images;    ///< those that are registered
  std::map<std::uint64_t, SfmPoint> points;    ///< that observations of the images show
};

/// The parameters of a camera by their kind [pixel], but for the distortion.
struct Intrinsics {
  double fx = 0, fy = 0, cx = 0, cy = 0;  ///< focal lengths; principal point, from the corner of the image
  std::vector<double> distortion;         ///< in the order of COLMAP's model
};

/// Those of a camera whose model is known, with as many parameters as it has.
Intrinsics intrinsics_of(const SfmCamera& camera);

/// The number of parameters of a camera model, or none if it is unknown.
std::optional<std::size_t> camera_parameters(std::string_view model);

/// Reads cameras, images and points3D of a folder, as .bin, or as .txt where there is no cameras.bin. Throws
/// Error(file_error), which names the file, for a file that is missing, damaged, or refers to a camera or point that
/// the model does not have.
SfmModel read_sfm_model(const std::filesystem::path& folder);

/// The pixel at which a camera shows a point of its own frame, with the origin at the corner of the image. None if
/// the point is behind the camera.
std::optional<std::array<double, 2>> project(const SfmCamera& camera, const std::array<double, 3>& point);

/// The point of the model in the frame of the image's camera.
std::array<double, 3> in_camera(const SfmImage& image, const std::array<double, 3>& point);

/// The centre of the image's camera in the model.
std::array<double, 3> camera_centre(const SfmImage& image);

/// The axes of the image's camera in the model: right, down, ahead.
std::array<std::array<double, 3>, 3> camera_axes(const SfmImage& image);

/// A similarity: a place p becomes scale · R p + translation.
struct Similarity3 {
  double scale = 1;                            ///< above 0
  std::array<double, 4> rotation{1, 0, 0, 0};  ///< R: a unit quaternion w, x, y, z
  std::array<double, 3> translation{};         ///< in units of the result
};

// Structure from motion: a mapper that is installed makes models of a COLMAP database, and a report tells what became
// of each image. docs/sfm.md describes folder, page and JSON.

/// Who reconstructs, and how.
struct SfmOptions {
  /// "auto": COLMAP, else GLOMAP, else pycolmap. "colmap", "glomap", "pycolmap", or the path of a program: one whose
  /// name has "glomap" is called as GLOMAP, one whose name has "python" as a Python with pycolmap, others as COLMAP.
  /// "glomap" is the global mapper: the program glomap, else that of COLMAP 4, else that of pycolmap 4.
  std::string mapper = "auto";
  int mapper_threads = 1;  ///< of the mapper; 0: all cores. More than one can change poses from run to run
  int mapper_seed = 0;     ///< of the mapper's random numbers
  /// Move the keypoints of verified matches to the same point of the scene, for the mapper alone: the database stays
  /// as it is. Not for images that are added to a model.
  bool refine = true;
  bool gps = false;  ///< move the models, so that they are in metres east, north and up, by the images' GPS places
  friend bool operator==(const SfmOptions&, const SfmOptions&) = default;
};

/// Name, kind, range, unit and meaning of every option.
template <>
const OptionTable<SfmOptions>& option_table<SfmOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const SfmOptions& options);

/// A mapper, and what verifies matches for it.
struct SfmMapper {
  /// How it is called.
  enum class Kind : std::uint8_t { colmap, glomap, pycolmap };
  Kind kind = Kind::colmap;  ///< how it is called
  std::string program;  ///< the path of the program: of pycolmap that of Python, of GLOMAP its own or of what has it
};

/// The mapper that the options name. Throws Error(file_error), which says how to get one, if it is not there.
SfmMapper find_mapper(const SfmOptions& options);

/// "colmap", "glomap" or "pycolmap".
std::string_view name_of(SfmMapper::Kind kind);

/// A pair of images of the database.
struct SfmPair {
  std::size_t a = 0, b = 0;    ///< indices into SfmResult::images, a < b
  std::uint64_t matches = 0;   ///< before verification
  std::uint64_t inliers = 0;   ///< verified matches
  bool is_homography = false;  ///< a homography explains these, as who verified them found
};

/// Why an image is in no model.
enum class SfmFailure : std::uint8_t {
  none,            ///< it is in a model
  no_keypoints,    ///< the database has no keypoints of it
  no_matches,      ///< no pair with it has matches
  few_inliers,     ///< no pair with it has as many verified matches as the mapper needs
  not_connected,   ///< its verified pairs do not lead to an image of a model
  no_depth,        ///< there is no model, and homographies explain its verified pairs
  not_registered,  ///< they lead to a model, or there is none, and the mapper made none with the image
};

/// The word of a failure in JSON: "no_matches".
std::string_view word_of(SfmFailure failure);

/// What became of an image of the database.
struct SfmImageResult {
  std::string name;                       ///< as in the database
  std::uint64_t keypoints = 0;            ///< in the database
  std::uint64_t matched = 0;              ///< pairs with matches
  std::uint64_t verified = 0;             ///< pairs with least_inliers verified matches or more
  std::uint64_t best_inliers = 0;         ///< verified matches of its best pair
  std::optional<std::size_t> model;       ///< the first model that has it
  std::uint64_t points = 0;               ///< of that model that it shows
  std::optional<double> error;            ///< the mean reprojection error of these [pixel]; none without points
  SfmFailure failure = SfmFailure::none;  ///< why it is in no model
};

/// Why the image is in no model, as a sentence; empty if it is in one.
std::string sentence_of(const SfmImageResult& image);

/// The GPS place of an image of a model.
struct SfmPlace {
  std::string image;                 ///< its name in the database
  std::array<double, 3> residual{};  ///< from the GPS place to the camera of the model: east, north, up [m]
  bool is_used = false;              ///< false: it is an outlier, which the model does not follow
};

/// How a model lies on the Earth. Its axes are straight: x east, y north, z up at the origin [m].
struct SfmGps {
  GpsPlace origin;  ///< WGS 84; that of all models of a run
  /// How the mapper's model was moved; none: it is as the mapper made it, and `doubts` say why.
  std::optional<Similarity3> metres_from_mapper{};
  std::vector<SfmPlace> places{};     ///< of the model's images that have one, by name; residuals only if it was moved
  std::size_t used = 0;               ///< places that the model follows
  double rms = 0;                     ///< root mean square of their residuals [m]
  std::vector<std::string> doubts{};  ///< sentences about what the places do not determine
};

/// A model and its numbers.
struct SfmModelResult {
  std::filesystem::path folder;              ///< of its files: sparse/0, sparse/1 …
  SfmModel model;                            ///< as read from there
  std::optional<SfmGps> gps{};               ///< if SfmOptions::gps asks for it
  std::uint64_t observations = 0;            ///< of points
  double mean_track = 0;                     ///< observations a point
  double mean_error = 0;                     ///< over all observations [pixel]
  std::vector<std::uint64_t> error_bins;     ///< observations by reprojection error, error_bin_width [pixel] each; the
                                             ///< last bin also counts larger ones
  std::vector<std::uint64_t> track_lengths;  ///< points by the length of their track; the last one also longer ones
};

/// A view that was cut from a panorama (octavo/multiview/panorama.h).
struct SfmView {
  std::string image;                                     ///< its name in the database
  std::array<double, 4> view_from_panorama{1, 0, 0, 0};  ///< rotation: a quaternion w, x, y, z
};

/// The poses of the views of one panorama, told together. A view has the same centre as the others, so what their poses
/// differ is the error of the mapper.
struct SfmPanorama {
  std::string name;                            ///< of its file
  std::vector<SfmView> views{};                ///< all that were cut
  std::optional<std::size_t> model{};          ///< the one that has most of its views; none: none has one
  std::size_t registered = 0;                  ///< views in this model
  std::array<double, 3> centre{};              ///< in the model; the mean over the views that agree
  std::array<double, 4> rotation{1, 0, 0, 0};  ///< from the model to the panorama's frame; the same mean
  double centre_spread = 0;                    ///< root mean square of the distances of these centres
  double rotation_spread = 0;                  ///< [degree] the same of the angles between rotations
  std::optional<double> nearest{};             ///< the distance of the nearest other panorama of the model
  std::vector<std::string> off{};              ///< registered views elsewhere, by far more than the others
  std::vector<std::string> doubts{};           ///< sentences
};

inline constexpr double error_bin_width = 0.1;            ///< [pixel]
inline constexpr std::size_t error_bin_count = 40;        ///< of SfmModelResult::error_bins
inline constexpr std::size_t longest_counted_track = 30;  ///< entries of SfmModelResult::track_lengths, from 0
inline constexpr std::uint64_t least_inliers = 15;        ///< verified matches that a pair needs for COLMAP's mapper
inline constexpr std::size_t least_points = 5;  ///< of a model: fewer do not tell how two cameras stand to each other

/// What a reconstruction gave.
struct SfmResult {
  std::filesystem::path photographs, database, folder;  ///< absolute paths; `folder` has the models
  SfmMapper mapper;                                     ///< that was called
  std::vector<SfmImageResult> images;                   ///< by their names
  std::vector<SfmPair> pairs;                           ///< with matches, by their images
  std::vector<SfmModelResult> models;                   ///< the one with most images first
  std::vector<SfmPanorama> panoramas{};  ///< by their names; what is cut is known to the caller, see tell_panoramas
  std::string failure{};                 ///< why there is no model, with the mapper's last line; empty if it made one
  double verify_seconds = 0, refine_seconds = 0, map_seconds = 0;  ///< [second] wall time of each step
  /// What the caller knows of the database: the time of features and matches and sentences about images and pairs that
  /// failed, if it made it, and what is doubtful. reconstruct() leaves them empty; page and JSON show them.
  double database_seconds = 0;
  std::vector<std::string> problems{}, warnings{};

  /// The number of images that are in a model.
  [[nodiscard]] std::size_t registered() const;
};

/// Refuses a folder that reconstruct() would refuse after features and matches have been made: one with a folder
/// `sparse` that another program made. Throws Error(file_error).
void check_job(const std::filesystem::path& folder);

/// Makes models of a database: has the matches verified that have not been, runs the mapper, and reads its models.
/// `folder` is made. It gets `sparse/0`, `sparse/1` … in place of those of an earlier run, and `mapper.log`.
/// `photographs` is the folder that the names in the database begin at; the mapper takes colours from there. Names may
/// have any bytes. If the mapper ends with an exit code and nothing in its folder, the result has no models: mappers do
/// not tell by facts whether they found none or failed, so `failure` has their last line. With `options.gps` each model
/// is moved by the places that the database has of its images, and gets a file `gps.json`. What is doubtful of a model
/// is told to the context as warnings: focal lengths that no lens has, pairs without depth, and what places leave open.
/// A model with fewer than least_points points is none. Throws Error(file_error): no mapper, a database that cannot be
/// read or has no images, or for `options.gps` fewer than 3 images with latitude, longitude and altitude, a folder
/// `sparse` that another program made, a mapper that failed (with its last line) where models of an earlier run are,
/// which stay, or that left parts of a model or was killed, a model that cannot be read, or a stop. Throws
/// Error(invalid_option). fill_colmap_database (octavo/multiview/colmap_job.h) makes such a database.
SfmResult reconstruct(const std::filesystem::path& photographs, const std::filesystem::path& database,
                      const std::filesystem::path& folder, const SfmOptions& options = {},
                      const JobContext& context = {});

/// Adds images of a database to a model: the folder with its files, which stays as it is. The database has its images
/// with the same numbers, and others that are to be registered, whose pairs are verified as reconstruct() does. Poses
/// of images that the model has stay. `folder` gets `sparse/0`, and the rest is as in reconstruct().
SfmResult register_images(const std::filesystem::path& model, const std::filesystem::path& photographs,
                          const std::filesystem::path& database, const std::filesystem::path& folder,
                          const SfmOptions& options = {}, const JobContext& context = {});

/// Tells the poses of the panoramas of a result, whose names and views the caller has set. Returns the doubts about all
/// of them.
std::vector<std::string> tell_panoramas(SfmResult& result);

/// The result as JSON: all numbers of the page, but for places of cameras and points.
std::string json_of(const SfmResult& result);
/// The main numbers as text.
std::string text_of(const SfmResult& result);

/// The result as a page: one HTML file, which needs a browser and no network. It draws at most so many points of each
/// model; of more it takes evenly spread ones in the order of their ids.
std::string page_of(const SfmResult& result, std::size_t max_points = 200000);

}  // namespace octavo
