#pragma once

// The list of COLMAP's camera models. A model's number in binary files is its place in the list.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace octavo::sfm {

enum class Distortion : std::uint8_t { none, radial, opencv, rational, field_of_view, fisheye, thin_prism };

struct CameraModel {
  std::string_view name;
  std::size_t focal_lengths;  ///< 1 or 2, before the principal point's two numbers
  Distortion distortion;
  std::size_t terms;  ///< of the distortion, behind the principal point

  [[nodiscard]] constexpr std::size_t parameters() const { return focal_lengths + 2 + terms; }
};

inline constexpr std::array camera_models{
    CameraModel{"SIMPLE_PINHOLE", 1, Distortion::none, 0},
    CameraModel{"PINHOLE", 2, Distortion::none, 0},
    CameraModel{"SIMPLE_RADIAL", 1, Distortion::radial, 1},
    CameraModel{"RADIAL", 1, Distortion::radial, 2},
    CameraModel{"OPENCV", 2, Distortion::opencv, 4},
    CameraModel{"OPENCV_FISHEYE", 2, Distortion::fisheye, 4},
    CameraModel{"FULL_OPENCV", 2, Distortion::rational, 8},
    CameraModel{"FOV", 2, Distortion::field_of_view, 1},
    CameraModel{"SIMPLE_RADIAL_FISHEYE", 1, Distortion::fisheye, 1},
    CameraModel{"RADIAL_FISHEYE", 1, Distortion::fisheye, 2},
    CameraModel{"THIN_PRISM_FISHEYE", 2, Distortion::thin_prism, 8},
};

/// The model of this name, or null.
const CameraModel* find_camera_model(std::string_view name);

}  // namespace octavo::sfm
