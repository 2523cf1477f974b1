// What every operation on images asks of them before it begins.

#pragma once

#include <string>

#include "octavo/device_image.h"
#include "octavo/image.h"

namespace octavo {

/// "640×480", for sentences.
template <class Look>
std::string size_text(const Look& image) {
  return std::to_string(image.width) + "×" + std::to_string(image.height);
}

/// Throws Error(invalid_argument): "the image " and why.
[[noreturn]] void refuse_image(const std::string& why);

/// Throws Error(invalid_argument) for an image without pixels or of sides above 2^22, for channels other than 1 to 4,
/// for rows that overlap, and for float pixels that are not between 0 and 1, NaN among them.
void check_image(const ImageView& image);

/// The same, but for the pixels, which lie out of reach; nor may rows run upwards.
void check_image(const DeviceImage& image);

}  // namespace octavo
