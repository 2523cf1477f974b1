// The a-contrario significance of k of n pairs of features that agree with one similarity: the expected number of false
// alarms of Moisan and Stival (2004), for hypotheses that a pair alone gives.

#pragma once

namespace octavo {

/// −log10 of the expected number of similarities with `inliers` or more inliers among `matches` pairs, if each pair
/// agreed by chance with probability `chance` (0…1). At most 0 where such a similarity is expected by chance. Two pairs
/// carry no evidence: one gives the hypothesis, and the least squares that follow fit at least one more.
double significance(int inliers, int matches, double chance);

/// −log10 of an upper bound of the probability that `inliers` or more of `matches` pairs agree with one given
/// similarity: the binomial coefficient times chance to the power of `inliers`.
double significance_of_known(int inliers, int matches, double chance);

}  // namespace octavo
