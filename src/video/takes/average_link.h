#pragma once

// Average-link clustering (UPGMA; Sokal and Michener 1958).

#include <cstddef>
#include <vector>

namespace octavo {

/// The groups of n things, each ascending, by their first thing. Two groups become one, the most similar ones first, as
/// long as the mean similarity of the pairs between them is at least `least`. `similarity` is n × n and symmetric.
std::vector<std::vector<std::size_t>> average_link(std::vector<double> similarity, std::size_t n, double least);

}  // namespace octavo
