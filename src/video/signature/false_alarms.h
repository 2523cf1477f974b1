// The a-contrario significance of k of n pairs of features that agree with one similarity: the expected number of false
// alarms of Moisan and Stival (2004), for hypotheses that some pairs give.

#pragma once

namespace octavo {

/// −log10 of the expected number of similarities with `inliers` or more inliers among `matches` pairs, if each pair
/// agreed by chance with probability `chance` (0…1). At most 0 where such a similarity is expected by chance. The pairs
/// of a `sample`, whose places give a similarity, carry no evidence: one gives the hypothesis, and the least squares
/// that follow fit the others.
double significance(int inliers, int matches, double chance, int sample = 2);

/// −log10 of an upper bound of the probability that `inliers` or more of `matches` pairs agree with one given
/// similarity: the binomial coefficient times chance to the power of `inliers`.
double significance_of_known(int inliers, int matches, double chance);

}  // namespace octavo
