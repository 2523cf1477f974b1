#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "octavo/mosaic.h"

namespace octavo::mosaic {

/// The deviation [pixel] of the place of a usual keypoint, for which the weight of a match is 1.
inline constexpr double usual_deviation = 0.5;

/// Matched points of two pictures. Coordinates are relative to the picture's centre, in halves of its diagonal: "hat"
/// coordinates. They are of the same size for all models' parameters. The weight of a match is a matrix by which
/// distances [pixel] are multiplied: usual_deviation·Σ^(−1/2), with Σ the covariance of the place. It is singular for a
/// point that is known across an edge, but not along it.
struct PairPoints {
  int a = 0, b = 0;
  std::vector<cv::Point2d> in_a, in_b;
  std::vector<cv::Matx22d> weight_in_a, weight_in_b;  ///< of the distances in a, and in b

  /// Adds match i of others.
  void add(const PairPoints& others, std::size_t i);
};

/// The hat coordinates of a pixel, and the matrix that makes them.
cv::Matx33d hat_from_pixel(ImageSize size);
double half_diagonal(ImageSize size);

/// The frames of all pictures: frame_from_hat = base·diag(1/f, 1/f, 1), applied to points without their distortion.
/// Pictures of one size share a focal length and a distortion.
struct Frames {
  MosaicModel model = MosaicModel::similarity;
  bool distortion = false;
  std::vector<cv::Matx33d> base;  ///< per picture
  std::vector<int> group;         ///< per picture: the index of its size
  std::vector<double> log_focal;  ///< per size, in halves of the diagonal; 0 unless the model is rotation
  std::vector<double> radial;     ///< per size; 0 without distortion
  std::vector<double> unit;       ///< [pixel] per picture: half of its diagonal
  /// The sizes whose focal length, or distortion, stays what it is, because the matches do not determine it.
  std::vector<int> held_focal{}, held_radial{};

  /// frame_from_hat of a picture.
  [[nodiscard]] cv::Matx33d frame(std::size_t picture) const;
};

/// The logarithm of a usual lens's focal length, in halves of the diagonal.
inline constexpr double usual_log_focal = 0.5;

/// The numbers that the model gives each picture of its own.
int own_parameters(MosaicModel model);

/// The number of parameters of all these frames that are fitted, without the common frame, which is free.
int parameters(const Frames& frames);

/// The distances of matched points, twice for each match: where a's matrix puts them, in the picture of b, then of a,
/// in the pixels that the lens made. (Distances without the distortion would be shorter the more it shrinks the
/// pictures.) The root mean square over matches with the same weights is √(Σ squared / Σ weight) pixels. A point behind
/// the other camera is `far` away.
inline constexpr double far = 1e3;
struct Distance {
  double squared;  ///< weighted
  double weight;   ///< the mean of the squared weights of both directions
};
std::vector<Distance> distances(const Frames& frames, const PairPoints& pair);

/// [pixel] Where Huber's loss of matched points becomes linear.
inline constexpr double usual_huber = 1.5;

/// Changes the frames until the matched points of all pairs meet as well as possible: Levenberg's and Marquardt's
/// method on the distances in both pictures, with Huber's loss of `huber` pixels. The frame of `reference` stays.
/// Returns the mean loss [pixel²].
double adjust(Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber);

/// The standard deviation [pixel] of the corners of each picture on the plane or the sphere of the reference picture,
/// root mean square over the corners, that follows from the deviations of the matches. It is that of pixels of the
/// picture. `far` for what the matches do not determine.
std::vector<double> uncertainty(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                                const std::vector<ImageSize>& sizes);

/// How exactly the matches determine what pictures of one size share, per size: the standard deviations of `log_focal`
/// and `radial`; `far` for what the model does not have or holds. Errors of places are not independent: parallax, a
/// rolling shutter or clipped colours shift neighbours alike. So the worst is supposed, that an error of `error`
/// pixels, root mean square over the matches, has the pattern that the number itself makes. The deviation is `error`
/// divided by the effect [pixel] of the number on the matches that no other parameter can have.
struct LensDeviation {
  std::vector<double> log_focal, radial;
};
LensDeviation lens_deviation(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                             double error);

}  // namespace octavo::mosaic
