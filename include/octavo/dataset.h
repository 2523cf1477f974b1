#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "octavo/evaluate.h"

namespace octavo {

/// An image whose relation to its sequence's first image is known; that one is A, this one B.
struct TruePair {
  std::filesystem::path image;  ///< below the data set's root
  Truth truth;
};

/// Images of one scene: the first, and others with their relation to it.
struct Sequence {
  std::string name;             ///< its folder below the root; the root's own name where it is the root
  std::filesystem::path first;  ///< below the data set's root
  std::vector<TruePair> others;
};

struct Dataset {
  std::vector<Sequence> sequences;    ///< sorted by name
  std::vector<std::string> problems;  ///< one sentence for each pair or sequence that is not as it should be
};

/// The sequences in a folder, itself one or with some anywhere below it. A folder is one if it holds files of truth:
///  - `H1to2p`, `H1to3p` … beside images `img1`, `img2` … (Oxford affine);
///  - `H_1_2`, `H_1_3` … beside images `1`, `2` … (HPatches);
///  - `correspondences.txt` or `correspondences.csv` beside two images, A and B in the order of their names.
/// Symbolic links are followed, and each folder is visited once. An image's ending is that of any format that
/// read_image knows (looks_like_picture), files of truth are regular files. An image without its matrix, a matrix
/// without its image, files of truth that cannot be read, and images 1 and 2 of a layout without any matrix are problems;
/// the rest is given. Throws Error(file_error) for a folder that is missing or cannot be listed, or in which there is
/// neither a sequence nor a problem.
Dataset find_dataset(const std::filesystem::path& root);

/// A homography in a text file: nine numbers, row by row. Throws Error(file_error) naming the file.
std::array<double, 9> read_homography(const std::filesystem::path& file);

/// A line per homography row, with digits that give back the same numbers. Throws Error(file_error).
void write_homography(const std::filesystem::path& file, const std::array<double, 9>& matrix);

/// Corresponding points in a text file: a line each, x and y in A, then in B [pixel], separated by spaces or commas;
/// empty lines and those that begin with # are left out. Throws Error(file_error) naming the file and the line.
Correspondences read_correspondences(const std::filesystem::path& file);

}  // namespace octavo
