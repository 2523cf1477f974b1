#pragma once

// A match as Ceres sees it. The derivatives are automatic, in two steps: those of the matrix of a pair, once for all of
// its matches, and those of the distance of a match by the matrix and the lens.

#include <ceres/cost_function.h>
#include <ceres/evaluation_callback.h>

#include <array>
#include <deque>
#include <vector>

#include "multiview/mosaic/residual.h"

namespace octavo::mosaic {

/// The numbers that a model gives an image, at most.
inline constexpr int most_parameters = 8;

/// The numbers of an image, in the memory of the parameters; null: the number is 0.
struct Numbers {
  double *step, *log_focal, *radial;
};

/// Where they stand among the parameter blocks of a residual; -1: the number is 0.
struct Slots {
  int step, log_focal, radial;
};

/// One direction of a pair: its matrix at the present parameters, and the derivatives of the matrix.
struct Way {
  /// By the numbers of a step, and then by the focal length.
  using Derivatives = std::array<cv::Matx33d, most_parameters + 1>;

  Passage passage;
  int own;  ///< numbers of a step
  Numbers from, to;
  cv::Matx33d matrix{};
  Derivatives by_from{}, by_to{};

  /// Computes the matrix, and its derivatives if wanted.
  void prepare(bool with_derivatives);
};

/// Computes what the matches of a direction share before Ceres asks for their distances.
class Preparation final : public ceres::EvaluationCallback {
 public:
  Way& add(const Way& way) { return ways_.emplace_back(way); }
  void PrepareForEvaluation(bool with_derivatives, bool is_new) override;

 private:
  std::deque<Way> ways_;
};

/// A match in one direction, which must stay and be prepared: its two numbers (`residual`).
class Meeting final : public ceres::CostFunction {
 public:
  /// `sizes`: those of the parameter blocks, in which `from` and `to` are the slots of both images.
  Meeting(const Way& way, const Sight& sight, const Slots& from, const Slots& to, const std::vector<int>& sizes);
  bool Evaluate(double const* const* blocks, double* out, double** derivatives) const override;

 private:
  const Way& way_;
  Sight sight_;
  Slots from_, to_;
};

}  // namespace octavo::mosaic
