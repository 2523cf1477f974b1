#pragma once

#include <cstdint>
#include <vector>

#include "io/images/decode_error.h"

namespace octavo::io {

/// How many pixels a decoder of HEVC visits for these bytes: the largest size that they state, times the number of
/// images. `configuration` is the content of a box "hvcC"; `data` is a sequence of units, each after its length of 32
/// bits. A double, since damaged data may state any size.
double hevc_pixels(Bytes configuration, Bytes data);

/// The same for AV1. `configuration` is the content of a box "av1C"; `data` is a sequence of open bitstream units.
/// Throws DecodeError for units of reserved types.
double av1_pixels(Bytes configuration, Bytes data);

}  // namespace octavo::io
