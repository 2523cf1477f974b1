#pragma once

// How similar frames are that show different things: the background of an affinity matrix.

#include <span>

namespace octavo {

/// The affinity by VLADs above which fewer than one of `count` pairs of frames that show different things lies, to a
/// thousandth. `values` are affinities of pairs of frames of different shots, of which few or many show the same;
/// without any the limit is that of any clips. 0 is of junk and does not count, and of very many values some count.
double background_limit(std::span<const float> values, double count);

}  // namespace octavo
