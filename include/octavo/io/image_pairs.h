#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "octavo/api.h"
#include "octavo/matcher.h"

// Which images of a collection are matched, and the text in which COLMAP imports the matches.

namespace OCTAVO_API octavo {

/// Two images of a collection, by their indices.
using ImagePair = std::pair<std::size_t, std::size_t>;

/// Each of `count` images with each later one.
std::vector<ImagePair> all_pairs(std::size_t count);

/// Each of `count` images with the `reach` next ones. If `quadratic`, also with those 1, 2, 4 … 2^(reach − 1) places
/// further on, as COLMAP's quadratic overlap.
std::vector<ImagePair> sequential_pairs(std::size_t count, std::size_t reach, bool quadratic = false);

/// Pairs that a file lists.
struct PairList {
  std::vector<ImagePair> pairs;       ///< by ascending first, then second index of `names`; each pair once
  std::vector<std::string> problems;  ///< a sentence for each line that gives no pair
};

/// Reads a list of pairs in COLMAP's format: two names a line, separated by blanks. Empty lines and lines that begin
/// with # are left out. A pair in both orders is one pair, in the order in which it comes first. A line with another
/// number of names, with a name that is not in `names`, or with the same name twice is a problem. Throws
/// Error(file_error) for a file that cannot be read or is above 1 GiB.
PairList read_pair_list(const std::filesystem::path& file, std::span<const std::string> names);

/// A line of a list of pairs as COLMAP (`matches_importer`, --match_type pairs), hloc and read_pair_list read it: "a
/// b". It is "b a" if `a` begins with '#', as comments do. Throws Error(invalid_argument) for a name with a blank or a
/// line break, and for two names that begin with '#', which the format cannot hold.
std::string pair_line(const std::string& a, const std::string& b);

/// Whether a name has a blank or a line break, so that no line of a list can hold it.
bool has_blank(std::string_view name);

/// Takes out the pairs that a list cannot hold. Returns a sentence for each name with a blank or a line break, and for
/// each pair of two names that begin with '#'.
std::vector<std::string> take_out_unlistable(std::vector<ImagePair>& pairs, std::span<const std::string> names);

/// A pair in the format of `colmap matches_importer`: the pair_line of the two names, a line with the indices of each
/// match into the keypoints of both images, in the order of the names, and an empty line. Where `inliers` is not
/// empty, only the matches whose entry is not 0. Throws Error(invalid_argument) as pair_line does, and for `inliers` of
/// another length than `matches`.
std::string colmap_matches(const std::string& name_a, const std::string& name_b, std::span<const Match> matches,
                           std::span<const std::uint8_t> inliers = {});

}  // namespace octavo
