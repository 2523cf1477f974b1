#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "multiview/geometry/parallax.h"
#include "multiview/mosaic/frames.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

/// Below this share of places with inliers the images may have one thing in common, and not the scene: that of align's
/// doubt `local`. Pairs of real panoramas have 0.45 and more.
inline constexpr double local_share = 0.3;

/// How much of what both images show agrees at their places: patches with structure, those of them that are found
/// nearby, and those that agree. Smooth sky has none, and who has walked on is not found.
struct Agreement {
  int tried = 0, found = 0, agreeing = 0;

  [[nodiscard]] bool is_known() const { return tried >= 24; }  ///< so many tell something; a guess
  [[nodiscard]] double share() const { return tried > 0 ? static_cast<double>(agreeing) / tried : 1; }
  Agreement& operator+=(const Agreement& other) {
    tried += other.tried, found += other.found, agreeing += other.agreeing;
    return *this;
  }
};

/// A pair of images, and the inliers of its homography.
struct VerifiedPair {
  MosaicPair report;
  cv::Matx33d b_from_a;         ///< [pixel]
  PairPoints inliers;           ///< the features' matches, then those of intensities (MosaicPair::patches)
  planes::Parallax parallax{};  ///< of all matches of features, of a pair that they connect
  double inlier_share = 1;      ///< planes::share_with_inliers of a pair that features connect
  Agreement agreement{};        ///< where the adjusted images lie, of a pair that overlaps there
  /// All matches, as of the images 0 and 1, where more agree roughly than a homography explains: verify_with_lens.
  PairPoints bent{};
  double radial = 0;  ///< the distortion with which the inliers were found; 0: none
};

/// Verifies the matches of a pair. The status is `used` if the confidence is above 1. Otherwise the inliers are those
/// that agree roughly on a similarity, if ten do, and there is no homography.
VerifiedPair verify(int a, int b, const Features& features_a, const Features& features_b, ImageSize size_a,
                    ImageSize size_b, const std::vector<Match>& matches, const RobustOptions& robust);

/// MosaicPair::confidence.
double confidence_of(int inliers, int matches_in_overlap);

/// Whether the features of the images alone connect them, and neither intensities nor copies of even contrast do.
bool is_sure(const MosaicPair& pair);

/// How far a pair is trusted: in a conflict those of less give way. The most are pairs that are set by hand, then those
/// whose intensities agree too. Less are those that agree in a part of the images alone, which may show one thing, such
/// as a person who walks along with the camera; least are those that are not sure.
int trust(const VerifiedPair& pair);

/// Adds other pairs where `pairs` has no used one. Both are in the order of a, then b.
void add_pairs(std::vector<VerifiedPair>& pairs, std::vector<VerifiedPair> others);

/// For each image the largest share of the places that it and another show with structure, and that their used pair
/// finds nearby; 1 of a pair that is set by hand; none of an image no pair of which has enough such places.
std::vector<std::optional<double>> shares_found(const std::vector<VerifiedPair>& pairs, std::size_t images);

/// The group of each image: images that used pairs connect have one number. The largest group is 0: of most
/// images, then of most inliers.
std::vector<int> groups(int images, const std::vector<VerifiedPair>& pairs);

/// The tree of used pairs that connects a group (Kruskal), from its middle outwards: first the pairs that are trusted
/// most, then those with the most places.
struct Tree {
  struct Branch {
    int child, parent;
    std::size_t pair;  ///< index of the pair that connects them
  };
  int root = -1;
  std::vector<Branch> branches;  ///< a parent comes before its children
};
Tree strongest_tree(const std::vector<int>& group, int wanted, const std::vector<VerifiedPair>& pairs);

/// The pairs of the tree on the way between two of its images, in no order.
std::vector<std::size_t> way_through(const Tree& tree, int a, int b);

/// The used pairs of the largest group, as indices, that each pair of the tree on the way between their images
/// surpasses: by far more matches, or as one that is trusted more.
std::vector<std::size_t> weak_pairs(const std::vector<VerifiedPair>& pairs, const std::vector<int>& group);

/// The largest displacement [pixel] between the way through the tree and a pair, at its inliers, as each pair alone
/// tells its passage: by its homography, for a turning camera by the rotation that fits its inliers. At most `far`.
double loop_error(const Tree& tree, std::size_t pair, const std::vector<VerifiedPair>& pairs, const Frames& frames,
                  const std::vector<ImageSize>& sizes);

}  // namespace octavo::mosaic
