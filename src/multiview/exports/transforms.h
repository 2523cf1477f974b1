#pragma once

// transforms.json of nerfstudio and instant-ngp. Cameras have the axes of OpenGL there: x right, y up, z back.

#include <filesystem>
#include <functional>
#include <string>

#include "octavo/multiview/sfm.h"

namespace octavo::exports {

/// The file of an image, as a path relative to that of transforms.json.
using PathOfImage = std::function<std::string(const SfmImage& image)>;

/// Throws Error(file_error), which names the camera and its model, for one that transforms.json cannot express, and for
/// a model that has both perspective cameras and fisheyes.
void require_transforms(const SfmModel& model);

/// The text of transforms.json: places as in the model, the images by name. The numbers of the camera stand once if all
/// images have one camera, else with each image. `points` is the file of the points, relative as the images; empty:
/// none.
std::string transforms_of(const SfmModel& model, const PathOfImage& path_of, const std::string& points);

}  // namespace octavo::exports
