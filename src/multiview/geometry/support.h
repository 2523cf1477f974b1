// The test whether this many pairs could agree with a model by chance. After Moisan & Stival, "A probabilistic
// criterion to detect rigid point matches between two images", IJCV 57(3), 2004: among n random pairs, the expected
// number of sets of k that agree with a model made from s of them is (n − s)·C(n, k)·C(k, s)·p^(k−s), if one pair
// agrees with probability p. If that is 1 or more, the k pairs prove nothing.

#pragma once

namespace octavo {

/// n pairs, of which k agree with a model determined by s; `chance` is p. Returns true if n = s, since no other pairs
/// can contradict the model.
bool supports_model(int n, int k, int s, double chance);

}  // namespace octavo
