// Tests whether pairs could agree with a model by chance: by their number, and by where they lie. The first is after
// Moisan & Stival, "A probabilistic criterion to detect rigid point matches between two images", IJCV 57(3), 2004:
// among n random pairs, the expected number of sets of k that agree with a model made from s of them is (n − s)·C(n,
// k)·C(k, s)·p^(k−s), if one pair agrees with probability p. If that is 1 or more, the k pairs prove nothing.

#pragma once

#include <span>

namespace octavo {

/// n pairs, of which k agree with a model determined by s; `chance` is p. Returns true if n = s, since no other pairs
/// can contradict the model.
bool supports_model(int n, int k, int s, double chance);

/// Whether inliers gather near the places where the model puts them. `errors` [pixel] are their distances from these,
/// at most `threshold` [pixel]. The inliers of a wrong model lie evenly in the disc of the threshold: the share of them
/// within a third of it is that of its area, within three standard deviations. Keypoints are off by up to a pixel
/// anyway, so that below a threshold of two pixels errors say nothing: true.
bool do_inliers_gather(std::span<const double> errors, double threshold);

}  // namespace octavo
