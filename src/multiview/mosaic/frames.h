#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "multiview/mosaic/residual.h"
#include "octavo/multiview/mosaic.h"

namespace octavo::mosaic {

/// The deviation [pixel] of the place of a usual keypoint, for which the weight of a match is 1.
inline constexpr double usual_deviation = 0.5;

/// Matched points of two images. Coordinates are relative to the image's centre, in halves of its diagonal:
/// normalised coordinates. They are of the same size for all models' parameters. The weight of a match is a matrix by
/// which distances [pixel] are multiplied: usual_deviation·Σ^(−1/2), with Σ the covariance of the place. It is singular
/// for a point that is known across an edge, but not along it.
struct PairPoints {
  int a = 0, b = 0;
  std::vector<cv::Point2d> in_a, in_b;
  std::vector<cv::Matx22d> weight_in_a, weight_in_b;  ///< of the distances in a, and in b

  /// Adds match i of others.
  void add(const PairPoints& others, std::size_t i);
};

/// The normalised coordinates of a pixel, and the matrix that makes them.
cv::Matx33d normalised_from_pixel(ImageSize size);
double half_diagonal(ImageSize size);

/// The rotation that is nearest to a multiple of the matrix, which may have any sign.
cv::Matx33d nearest_rotation(const cv::Matx33d& m);

/// The frames of all images: frame_from_normalised = base·diag(1/f, 1/f, 1), applied to points without their
/// distortion. Images of one size share a focal length and a distortion.
struct Frames {
  MosaicModel model = MosaicModel::similarity;
  bool distortion = false;
  std::vector<cv::Matx33d> base;  ///< per image
  std::vector<int> group;         ///< per image: the index of its size
  std::vector<double> log_focal;  ///< per size, in halves of the diagonal; 0 unless the model is rotation
  std::vector<double> radial;     ///< per size; 0 without distortion
  std::vector<double> unit;       ///< [pixel] per image: half of its diagonal
  /// The sizes whose focal length, or distortion, stays what it is, because the matches do not determine it.
  std::vector<int> held_focal{}, held_radial{};

  /// frame_from_normalised of an image.
  [[nodiscard]] cv::Matx33d frame(std::size_t image) const;
};

/// The passage between two images of frames.
Passage passage(const Frames& frames, int from, int to);

/// The logarithm of a usual lens's focal length, in halves of the diagonal: 36 mm before a frame of 36 × 24 mm.
inline constexpr double usual_log_focal = 0.5;

/// The numbers that the model gives each image of its own.
int own_parameters(MosaicModel model);

/// The number of parameters of all these frames that are fitted, without the common frame, which is free.
int parameters(const Frames& frames);

/// The distances of matched points, twice for each match: where a's matrix puts them, in the image of b, then of a,
/// in the pixels that the lens made. (Distances without the distortion would be shorter the more it shrinks the
/// images.) The root mean square over matches with the same weights is √(Σ squared / Σ weight) pixels. A point behind
/// the other camera is `far` away.
inline constexpr double far = 1e3;
struct Distance {
  double squared;  ///< weighted
  double weight;   ///< the mean of the squared weights of both directions
};
std::vector<Distance> distances(const Frames& frames, const PairPoints& pair);

}  // namespace octavo::mosaic
