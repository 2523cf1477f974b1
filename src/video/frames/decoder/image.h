#pragma once

// From a decoded frame to images: samples of any depth and order become bytes (frames/levels.h), one field of
// interlaced frames is taken, areas are scaled (frames/area_scale.h), and the result is turned (frames/orientation.h).

extern "C" {
#include <libavutil/frame.h>
}

#include <optional>

#include "octavo/image_view.h"
#include "video/frames/decoder/facts.h"
#include "video/frames/orientation.h"

namespace octavo::video {

struct ImageForm {
  ImageSize size;  ///< before it is turned
  Orientation orientation;
  FrameColours colours;
  bool one_field = false;    ///< take only the field that comes first
  bool stretch_luma = true;  ///< a limited range to 0…255
  /// The samples of more than 8 bits that become black and white, in the place of those that the format defines.
  std::optional<ValueRange> range{};
};

/// Bits of a sample of luma, grey or colour.
int depth_of_samples(const AVFrame& frame);
/// Whether samples have more than 8 bits and any unit: grey or RGB of full range, such as those of sensors. What is
/// black and white in Y'CbCr and in a limited range the format defines.
bool has_open_range(const AVFrame& frame);
/// The samples of such a frame as they are stored: u16, one channel of grey or three of RGB.
Image stored_samples(const AVFrame& frame);

/// Throws DecodeFailure for a format without luma: raw data of sensors, XYZ, floating point, frames on a GPU.
Image grey_image(const AVFrame& frame, const ImageForm& form);
Image colour_image(const AVFrame& frame, const ImageForm& form);

}  // namespace octavo::video
