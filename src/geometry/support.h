// Whether so many pairs could agree with a model by chance. After Moisan & Stival, "A probabilistic criterion to detect
// rigid point matches between two images", IJCV 57(3), 2004: among n pairs without any rule, the number of sets of k
// that agree with a model made from s of them is expected to be (n − s)·C(n, k)·C(k, s)·p^(k−s), if one pair agrees
// with probability p. Where that is 1 or more, the k pairs prove nothing.

#pragma once

namespace octavo {

/// n pairs, of which k agree with a model determined by s; `chance` is p. True where n = s, for lack of anything to
/// judge by.
bool supports_model(int n, int k, int s, double chance);

}  // namespace octavo
