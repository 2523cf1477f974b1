#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "octavo/api.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"
#include "octavo/keypoint.h"
#include "octavo/matcher.h"

// The images of a collection, which of them are matched, and the text in which COLMAP imports the matches.

namespace OCTAVO_API octavo {

struct BatchImage;  // octavo/batch.h

/// An image that was asked for, by its own name, by that of its folder or by a pattern.
struct ImageFile {
  std::filesystem::path file;
  /// What its results are called: its path below the folder that was asked for, otherwise the file's name.
  std::filesystem::path name;
};

/// Gives the features of an image by its name, ImageFile::name, in place of a detector. (0, 0) is the centre of the
/// first pixel of the image as it is stored. Throws Error for an image that has none, which then fails.
using FeaturesByName = std::function<Features(const std::string& name)>;

/// Images that were found at some places.
struct ImageFiles {
  std::vector<ImageFile> images;  ///< each file once
  /// A sentence for each place that gives no image, and for each folder that cannot be read.
  std::vector<std::string> problems;
};

/// The images at some places. A folder gives the images in it (looks_like_image), sorted by name, but none whose name
/// begins with a dot; with `recursive` those in the folders below it too; one that cannot be read is a problem and
/// costs no others. A pattern (*, ?, []) that is not itself a file gives what it matches, sorted; a folder that it
/// cannot read is a problem. Anything else is taken for a file, which need not exist.
ImageFiles find_images(std::span<const std::string> places, bool recursive = false);

/// The images in hloc's file of features (HlocFeatures), by their names there; `file` of each is that file. Or the
/// files of features in a folder, sorted by name; with `recursive` those in the folders below it too. They are all
/// .npz, and the .txt whose name before the ending is that of an image (looks_like_image): "a.png.txt" is one,
/// "matches.txt" is not. `name` is the path below the folder without that ending, which is the image's name if
/// `octavo extract` wrote the file.
ImageFiles find_features(const std::filesystem::path& place, bool recursive = false);

/// Two images whose results would have the same name; none if there are none.
std::optional<std::pair<ImageFile, ImageFile>> same_name(std::span<const ImageFile> images);

/// The images as a batch to extract; read_image reads them. `mask` is that of all of them (see Extractor::extract);
/// null: none.
std::vector<BatchImage> batch_of(std::span<const ImageFile> images, const ReadOptions& options = {},
                                 const std::shared_ptr<const Image>& mask = nullptr);

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

/// Reads a list of pairs in COLMAP's format: two names a line, separated by blanks. A name may stand in quotes, and
/// then have blanks: "a b.jpg", with \" and \\ for a quote and a backslash. Empty lines and lines that begin with # are
/// left out. A pair in both orders is one pair, in the order in which it comes first. A line with another number of
/// names, with a name that is not in `names`, or with the same name twice is a problem. Throws Error(file_error) for a
/// file that cannot be read or is above 1 GiB.
PairList read_pair_list(const std::filesystem::path& file, std::span<const std::string> names);

/// How names stand in a list of pairs.
enum class NamesInList {
  plain,   ///< as COLMAP (`matches_importer`, --match_type pairs) and hloc read them
  quoted,  ///< in quotes where they could not be read otherwise; read_pair_list alone reads these
};

/// A line of a list of pairs: "a b". It is "b a" if only `a` begins with '#', as comments do. Throws
/// Error(invalid_argument) for what the form cannot hold: a name with a line break; if plain, also one with a blank,
/// and two that begin with '#'.
std::string pair_line(const std::string& a, const std::string& b, NamesInList form);

/// Whether a name has a blank or a line break.
bool has_blank(std::string_view name);

/// Whether a name has a line break, so that no line of a list can hold it.
bool has_line_break(std::string_view name);

/// Whether COLMAP's list of pairs can hold this name in any place: it has no blank and does not begin with '#'.
bool is_listable(std::string_view name);

/// Takes out the pairs that a list of this form cannot hold. Returns a sentence for each reason that pair_line gives.
std::vector<std::string> take_out_unlistable(std::vector<ImagePair>& pairs, std::span<const std::string> names,
                                             NamesInList form);

/// A pair in the format of `colmap matches_importer`: the plain pair_line of the two names, a line with the indices of
/// each match into the keypoints of both images, in the order of the names, and an empty line. Where `inliers` is not
/// empty, only the matches whose entry is not 0. Throws Error(invalid_argument) as pair_line does, and for `inliers` of
/// another length than `matches`.
std::string colmap_matches(const std::string& name_a, const std::string& name_b, std::span<const Match> matches,
                           std::span<const std::uint8_t> inliers = {});

}  // namespace octavo
