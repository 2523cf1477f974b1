#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "octavo/api.h"
#include "octavo/detectors.h"
#include "octavo/device.h"
#include "octavo/image_view.h"
#include "octavo/io/camera_facts.h"
#include "octavo/io/collection.h"
#include "octavo/io/image_formats.h"
#include "octavo/option_table.h"
#include "octavo/progress.h"
#include "octavo/retrieval.h"

// Which images of a collection are matched: all with all, neighbours in the order of names, images that look alike,
// or that were taken near each other. docs/sfm.md compares them.

namespace OCTAVO_API octavo {

enum class PairsBy {
  exhaustive,  ///< each image with each other one
  sequential,  ///< with the next ones, by name (pairs_by_name): of a video, or of a walk
  retrieval,   ///< with those that look most alike, by the products of their VLADs
  gps,         ///< with those that were taken nearest, by the places of their EXIF data
};

/// Which images are paired with which.
struct PairOptions {
  PairsBy by = PairsBy::retrieval;
  std::size_t neighbours = 50;  ///< of retrieval and gps: pair each image with so many
  std::size_t overlap = 10;     ///< of sequential: pair each image with so many next ones
  bool quadratic = false;       ///< of sequential: also with those 1, 2, 4 … 2^(overlap − 1) places further on
  double metres = 100;          ///< [m] of gps: pairs that are farther apart are left out
  int size = 640;               ///< [pixel] of retrieval: images with a longer side are made so small; 0: never
  std::size_t augment = 3;      ///< of retrieval: compare each image with so many similar ones added (augmented_vlads)
};

/// Name, range and meaning of every option.
template <>
const OptionTable<PairOptions>& option_table<PairOptions>();

/// Throws Error(invalid_option) for the first option out of range.
void validate(const PairOptions& options);

/// The detector by whose features likeness is judged: SIFT, the strongest 512 on a grid of 4 × 4. docs/sfm.md
/// compares.
DetectorOptions retrieval_detector();

/// The pairs of all images with their similar ones, each once: (i, j) with i < j is a pair if either is among the
/// similar ones of the other. By ascending first, then second index.
std::vector<ImagePair> pairs_of_similar(std::span<const std::vector<SimilarImage>> similar);

/// Each image with the `overlap` next ones by name, as sequential_pairs; "img2" comes before "img10" (the natural
/// order). By indices into `names`, the smaller one first, in order.
std::vector<ImagePair> pairs_by_name(std::span<const std::string> names, std::size_t overlap, bool quadratic = false);

/// Each image with the `neighbours` nearest others that are at most `metres` away, those of equal distances by index;
/// as pairs_of_similar orders them. The distance is that of the straight line between points on the ellipsoid of WGS
/// 84; altitudes, which are known badly, are left out. An image without a place has no pairs.
std::vector<ImagePair> pairs_by_place(std::span<const std::optional<GpsPlace>> places, std::size_t neighbours,
                                      double metres);

/// [m] The distance between two places that pairs_by_place compares.
double distance_of(const GpsPlace& a, const GpsPlace& b);

/// A list of pairs, each by its quoted pair_line, which tells what is thrown.
std::string pair_list(std::span<const std::string> names, std::span<const ImagePair> pairs);

/// The VLADs of a collection, by the general vocabulary: one for each image (VladEncoder::encode); empty for one that
/// failed, and from the one on at which a stop was requested. Zero for one without features.
using CollectionVlads = std::vector<std::vector<std::int16_t>>;

/// Extracts the features of images and makes their VLADs; only one image's features are in memory at a time. An
/// image with a side above `size` is made smaller first, so that this is its longer side; 0: never. The result is the
/// same on every device. Throws Error(invalid_option) and Error(device_unavailable).
CollectionVlads vlads_of_images(std::span<const ImageFile> images, int size, const DetectorOptions& detector,
                                const DeviceOptions& device = {}, const ReadOptions& read = {},
                                const JobContext& context = {});

/// The VLADs of images whose features are in files: read_features, or HlocFeatures by the names. Their descriptors
/// must be RootSIFT, as those of `octavo extract` and of COLMAP are by default.
CollectionVlads vlads_of_features(std::span<const ImageFile> files, const DeviceOptions& device = {},
                                  const JobContext& context = {});

/// The matrix of similarities as an image (u8, RGB), a row and a column for each of the `similar.size()` images:
/// below the diagonal all similarities, above it those of the pairs. Bright is similar. Small matrices are drawn in
/// larger cells, and those of more than 2048 images are made smaller. `similar` must hold all other images for each
/// one, as most_similar_images gives them for a large count. Throws Error(invalid_argument) for no images.
Image draw_similarities(std::span<const std::vector<SimilarImage>> similar, std::span<const ImagePair> pairs);

}  // namespace octavo
