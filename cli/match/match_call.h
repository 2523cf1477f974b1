#pragma once

// `octavo match`: what the command line asks for, and its two jobs.

#include <optional>
#include <string>
#include <utility>

#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/geometry.h"
#include "octavo/image_size.h"
#include "octavo/matcher.h"
#include "octavo/read_options.h"

namespace octavo::cli {

/// The model that matches are verified with.
enum class Verify { none, homography, fundamental, essential };

/// A camera as the command line names it. Without a principal point that is the centre of the picture.
struct CameraWords {
  double fx = 0, fy = 0;  ///< [pixel]
  std::optional<Point> principal_point;
};

struct MatchCall {
  std::string a, b;            ///< b is empty: the pictures of a among themselves
  bool recursive = false;      ///< also the subfolders of folders
  std::size_t sequential = 0;  ///< match each picture with so many next ones; 0: with all
  std::string pairs;           ///< the file that lists the pairs; empty: none
  std::string image_a, image_b;
  ReadOptions read;
  std::string output;
  bool json = false;
  Verify verify = Verify::none;
  std::optional<CameraWords> camera, camera_b;
  std::size_t feature_memory = std::size_t{4096} << 20;  ///< [byte] of the features of all pictures
  DetectorOptions detector;
  bool detector_given = false;  ///< an option of detectors is on the command line
  bool reading_given = false;   ///< an option of reading pictures is on the command line
  MatchOptions match;
  RobustOptions robust;
  DeviceOptions device;

  /// What the command line says of B's camera.
  [[nodiscard]] const std::optional<CameraWords>& words_of_b() const { return camera_b ? camera_b : camera; }
};

/// Matches two pictures, or stored features. Returns the exit code.
int match_one_pair(const MatchCall& call);

/// Matches pairs of many pictures, or stored features. Returns the exit code.
int match_many_pairs(const MatchCall& call);

}  // namespace octavo::cli
