#pragma once

#include <optional>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"

namespace OCTAVO_API octavo {

/// Two values of samples, in the unit of the image.
struct ValueRange {
  double low = 0, high = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// The values that an image uses: all of its samples but a thousandth at either end, so that hot pixels do not count.
/// Left out are NaN and infinities, `no_data`, alpha channels and what they hide, pixels where `mask` (u8, one channel,
/// the image's size) is 0, and values that stand for missing data: the least or greatest value, if it is exactly that
/// of more than a thousandth of the samples, 16 at least, and farther from the next value than all others lie apart. So
/// is the greatest value of a u16 image alone, and only if it is four times as far from 0, and no value of a float
/// image that lies in 0…1. The range is that of all colours together. Nothing: no sample is left.
/// `missing`, if it is not null, gets the values besides `no_data` that stand for missing data.
std::optional<ValueRange> values_used(const ImageView& image, std::optional<double> no_data = {},
                                      const ImageView* mask = nullptr, std::vector<double>* missing = nullptr);

/// The range that holds both.
ValueRange joined(const ValueRange& a, const ValueRange& b);

/// The values that become 0 and full scale where an image, or all images of a set, use `used`.
///  - u8: 0 and 255.
///  - u16: 0 and the greatest value of as few bits as hold `used`: 1023 for samples of 10 bits.
///  - f32: 0 and 1 if `used` lies between them.
/// But where `used` is less than a quarter of that, or floats lie outside 0…1, it is the range itself. An image of one
/// value has no contrast to keep: 0 and the greatest value of the type, or 0 and 1.
ValueRange full_scale(PixelType type, const ValueRange& used);

/// Maps the samples of an image linearly, so that `from` becomes 0 and full scale of its type (255, 65535, 1). Values
/// outside are clipped; NaN becomes 0. An alpha channel stays as it is, but floats are clipped to 0…1.
/// Throws Error(invalid_argument) unless from.low < from.high.
void map_to_full_scale(Image& image, const ValueRange& from);

/// The inverse: 0 becomes `to.low`, full scale `to.high`. Samples of u8 and u16 are rounded and clipped; an alpha
/// channel stays as it is.
void map_from_full_scale(Image& image, const ValueRange& to);

/// Why an image may have no keypoints, as the end of a sentence: "all its samples are 128".
std::string why_no_keypoints(const ImageView& image, const ImageView* mask = nullptr);

}  // namespace octavo
