// A stream of images through an extractor, several of them in flight.

#pragma once

#include <functional>
#include <vector>

#include "octavo/extractor.h"

namespace octavo::bench {

/// The time of all images, submitted by this one thread while at most `in_flight` are unfinished. `take` receives the
/// features of each, in order, and should be quick.
double stream_milliseconds(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight,
                           const std::function<void(std::size_t index, Features features)>& take);

/// The same with the features left on the device.
double kept_stream_milliseconds(Extractor& extractor, const std::vector<Image>& images, std::size_t in_flight);

}  // namespace octavo::bench
