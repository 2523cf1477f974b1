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

  /// frame_from_hat of a picture.
  [[nodiscard]] cv::Matx33d frame(std::size_t picture) const;
};

/// A point without its distortion: p·(1 + radial·|p|²).
inline cv::Point2d undistorted(const cv::Point2d& p, double radial) { return p * (1 + radial * p.dot(p)); }

/// The numbers that the model gives each picture of its own.
int own_parameters(MosaicModel model);

/// The number of parameters of all these frames, without the common frame, which is free.
int parameters(const Frames& frames);

/// The distances of matched points, twice for each match: where a's matrix puts them, in the picture of b, then of a.
/// The root mean square over matches with the same weights is √(Σ squared / Σ weight) pixels. A point behind the other
/// camera is `far` away.
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

}  // namespace octavo::mosaic
