#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "octavo/mosaic.h"

namespace octavo::mosaic {

/// Matched points of two pictures. Coordinates are relative to the picture's centre, in halves of its diagonal: "hat"
/// coordinates. They are of the same size for all models' parameters.
struct PairPoints {
  int a = 0, b = 0;
  std::vector<cv::Point2d> in_a, in_b;
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

/// The distances [pixel of b, pixel of a] of matched points: where a's matrix puts them, in the picture of the other. A
/// point behind the other camera is `far` away.
inline constexpr double far = 1e3;
std::vector<double> distances(const Frames& frames, const PairPoints& pair);

/// Changes the frames until the matched points of all pairs meet as well as possible: Levenberg's and Marquardt's
/// method on the distances in both pictures, with Huber's loss of `huber` pixels. The frame of `reference` stays.
/// Returns the mean loss [pixel²].
double adjust(Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber);

}  // namespace octavo::mosaic
