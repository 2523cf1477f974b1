// What every operation on images checks before it begins.

#pragma once

#include <string>

#include "engine/core/internal_api.h"
#include "octavo/image_view.h"

namespace OCTAVO_INTERNAL_API octavo {

/// "640×480", for messages.
template <class Look>
std::string size_text(const Look& image) {
  return std::to_string(image.width) + "×" + std::to_string(image.height);
}

/// Throws Error(invalid_argument) with the message "the image " and the reason.
[[noreturn]] void refuse_image(const std::string& why);

/// Throws Error(invalid_argument) for an image without pixels, with sides above 2^22, with channels other than 1 to 4,
/// with rows that overlap, or with float pixels outside [0, 1] or NaN.
void check_image(const ImageView& image);

/// Checks the sides and channels of an image as check_image does. Its pixels and its stride are not looked at.
void check_image_shape(const ImageView& image);

/// Checks a DeviceImage: everything that the check of an ImageView covers except the pixels, which the host cannot
/// read. Its rows may not run upwards.
void check_image(const DeviceImage& image);

}  // namespace octavo
