#pragma once

#include <array>
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

// Models of structure from motion: cameras, images with their poses, and points, in the files of COLMAP. Their format
// is documented at colmap.github.io/format.html. GLOMAP and pycolmap write the same files.

namespace OCTAVO_API octavo {

/// A camera: how directions become pixels. COLMAP's documentation of camera models defines the parameters.
struct SfmCamera {
  std::string model;                    ///< "SIMPLE_RADIAL", for example
  std::uint64_t width = 0, height = 0;  ///< [pixel]
  std::vector<double> parameters;
};

/// An observation of a point: a keypoint of an image, with the origin at the corner of the image [pixel].
struct SfmObservation {
  static constexpr std::uint64_t no_point = std::numeric_limits<std::uint64_t>::max();
  double x = 0, y = 0;
  std::uint64_t point = no_point;  ///< the id of the point that it shows
};

/// A registered image. The pose maps a point of the model to the camera, whose axes are x right, y down, z ahead.
struct SfmImage {
  std::string name;
  std::uint32_t camera = 0;                             ///< the id of its camera
  std::array<double, 4> camera_from_world{1, 0, 0, 0};  ///< rotation: a quaternion w, x, y, z
  std::array<double, 3> translation{};                  ///< in units of the model
  std::vector<SfmObservation> observations;             ///< of all its keypoints, in the order of the database
};

struct SfmPoint {
  std::array<double, 3> place{};
  std::array<std::uint8_t, 3> colour{};  ///< red, green, blue
  double error = 0;                      ///< the mean reprojection error that the file tells [pixel]; -1: none
  std::uint64_t track = 0;               ///< the number of images' keypoints that show it
};

/// A model. The keys are the ids of the files.
struct SfmModel {
  std::map<std::uint32_t, SfmCamera> cameras;
  std::map<std::uint32_t, SfmImage> images;
  std::map<std::uint64_t, SfmPoint> points;
};

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

}  // namespace octavo
