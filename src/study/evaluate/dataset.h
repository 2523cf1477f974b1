#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/internal_api.h"
#include "study/evaluate/evaluate.h"

namespace OCTAVO_INTERNAL_API octavo {

/// An image whose relation to the first image of its sequence is known. The first image is A, this one is B.
struct TruePair {
  std::filesystem::path image;  ///< relative to the data set's root
  Truth truth;
};

/// The images of one scene: the first, and others with their relation to the first.
struct Sequence {
  std::string name;             ///< its folder relative to the root; the root's own name if the root is the sequence
  std::filesystem::path first;  ///< relative to the data set's root
  std::vector<TruePair> others;
};

struct Dataset {
  std::vector<Sequence> sequences;    ///< sorted by name
  std::vector<std::string> problems;  ///< one sentence for each pair or sequence that is incomplete or invalid
};

/// Finds the sequences in a folder: the folder itself, or folders at any depth below it. A folder is a sequence if it
/// holds ground-truth files:
///  - `H1to2p`, `H1to3p` … beside images `img1`, `img2` … (Oxford affine);
///  - `H_1_2`, `H_1_3` … beside images `1`, `2` … (HPatches);
///  - folders `1`, `2` and `h` with images and homographies of the same names, `h/adam.txt` (EVD): a sequence each;
///  - `correspondences.txt`, `correspondences.csv` or `corrs.txt` (WxBS) beside two images, A and B in the order of
///  their
///    names.
/// Symbolic links are followed, and each folder is visited once. An image may have the file name extension of any
/// format that read_image supports (looks_like_image). Ground-truth files are regular files. These are reported as
/// problems: an image without its matrix, a matrix without its image, a ground-truth file or a folder below the root
/// that cannot be read, and images 1 and 2 of a layout without any matrix. The valid pairs are still returned. Throws
/// Error(file_error) if the folder is missing or cannot be listed, or holds neither a sequence nor a problem.
Dataset find_dataset(const std::filesystem::path& root);

/// Reads a homography from a text file: nine numbers, row by row. Throws Error(file_error), which names the file.
std::array<double, 9> read_homography(const std::filesystem::path& file);

/// Writes a homography, one line per row. The numbers have enough digits to read back exactly. Throws
/// Error(file_error).
void write_homography(const std::filesystem::path& file, const std::array<double, 9>& matrix);

/// Reads corresponding points from a text file. Each line holds x and y in A, then x and y in B [pixel], separated by
/// spaces or commas. Empty lines and lines that begin with # are skipped. Throws Error(file_error), which names the
/// file and the line.
Correspondences read_correspondences(const std::filesystem::path& file);

}  // namespace octavo
