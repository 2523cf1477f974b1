// Times a stream of images through an extractor, with several images in flight.

#pragma once

#include <functional>
#include <vector>

#include "octavo/extractor.h"

namespace octavo::bench {

/// The time of all images. One thread submits them, and at most `in_flight` are unfinished at a time. `take` receives
/// the features of each, in order, and should be quick. `pixels` tells which thread copies them for a GPU.
double stream_milliseconds(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight, Pixels pixels,
                           const std::function<void(std::size_t index, Features features)>& take);

/// The time of all images, as stream_milliseconds() measures it, with the features left on the device.
double kept_stream_milliseconds(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight,
                                Pixels pixels);

}  // namespace octavo::bench
