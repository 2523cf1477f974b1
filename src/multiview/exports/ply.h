#pragma once

// PLY files (Turk, 1994): points and cameras for programs that show meshes and point clouds.

#include <string>

#include "octavo/multiview/sfm.h"

namespace octavo::exports {

/// The points: vertices x, y, z (float) with red, green, blue (uchar), binary, little-endian, by their ids.
std::string ply_of_points(const SfmModel& model);

/// The cameras as a mesh: of each image, by its id, a pyramid from the centre of the camera to the corners of the
/// image, six triangles. It is as deep as a twentieth of the median distance from cameras to points that they show.
std::string ply_of_cameras(const SfmModel& model);

}  // namespace octavo::exports
