#pragma once

// From a decoded frame to pictures: samples of any depth and order become bytes (video/levels.h), one field of
// interlaced frames is taken, areas are scaled (video/area_scale.h), and the result is turned (video/orientation.h).

extern "C" {
#include <libavutil/frame.h>
}

#include "octavo/image.h"
#include "octavo/image_size.h"
#include "video/decoder/facts.h"
#include "video/orientation.h"

namespace octavo::video {

struct PictureForm {
  ImageSize size;  ///< before it is turned
  Orientation orientation;
  FrameColours colours;
  bool one_field = false;    ///< take only the field that comes first
  bool stretch_luma = true;  ///< a limited range to 0…255
};

/// Throws DecodeFailure for a format without luma: raw data of sensors, XYZ, floating point, frames on a GPU.
Image grey_picture(const AVFrame& frame, const PictureForm& form);
Image colour_picture(const AVFrame& frame, const PictureForm& form);

}  // namespace octavo::video
