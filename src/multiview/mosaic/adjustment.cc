// Adjustment of all images at once (Brown & Lowe, "Automatic panoramic image stitching using invariant features",
// IJCV 2007, §4; Triggs et al., "Bundle adjustment: a modern synthesis", 2000), by Ceres. There are no points of the
// scene to solve for: a match depends on the two images alone, so that the normal matrix has a block for each pair,
// and is sparse where the images are many. One thread adds up, so that the answer is one. OpenCV's BundleAdjusterRay
// is dense, knows no homographies, and has no robust loss.

#include "multiview/mosaic/adjustment.h"

#include <ceres/loss_function.h>
#include <ceres/normal_prior.h>
#include <ceres/problem.h>
#include <ceres/solver.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "multiview/mosaic/meeting.h"

namespace octavo::mosaic {
namespace {

// The weights of a prior that keeps what the matches do not determine: the focal length of a narrow view, within a
// factor of about 20 of a usual one, and the distortion near 0 [1 / squared number, in pixel²]. It is far weaker than
// one match; not tuned.
constexpr double focal_weight = 1e-3, radial_weight = 1e-2;

// The parameter blocks of a residual, each once.
struct Blocks {
  std::vector<double*> list;
  std::vector<int> sizes;

  int add(double* block, int size) {
    const auto at = std::find(list.begin(), list.end(), block);
    if (at != list.end()) return static_cast<int>(at - list.begin());
    list.push_back(block);
    sizes.push_back(size);
    return static_cast<int>(list.size()) - 1;
  }
};

// The variable parameter blocks of a problem, and the columns that they have in its matrices.
struct Columns {
  int count = 0;
  std::vector<double*> blocks;
  std::map<const double*, int> begin;
};

// The changes of frames, and the least-squares problem of which they are the parameters.
class Adjustment {
 public:
  Adjustment(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber)
      : frames_(frames),
        log_focal_(frames.log_focal),
        radial_(frames.radial),
        steps_(frames.base.size()),
        loss_(huber),
        problem_(problem_options()) {
    for (const PairPoints& pair : pairs) add(pair);
    for (std::size_t g = 0; g < log_focal_.size(); ++g) {
      if (has_focal()) add_prior(&log_focal_[g], focal_weight, usual_log_focal);
      if (frames.distortion) add_prior(&radial_[g], radial_weight, 0);
    }
    hold(steps_[static_cast<std::size_t>(reference)].data());
    for (const int g : frames.held_focal) hold(&log_focal_[static_cast<std::size_t>(g)]);
    for (const int g : frames.held_radial) hold(&radial_[static_cast<std::size_t>(g)]);
  }

  // Solves the problem. Returns the sum of the losses. A distortion that leaves its range is put to the end of the
  // range, and the others are solved for again; Ceres's own bounds would search along a line in each step.
  double solve(double last_change) {
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::SPARSE_NORMAL_CHOLESKY;
    options.sparse_linear_algebra_library_type = ceres::EIGEN_SPARSE;
    options.num_threads = 1;
    options.max_num_iterations = 60;
    options.function_tolerance = last_change;
    options.logging_type = ceres::SILENT;
    ceres::Solver::Summary summary;
    do {
      ceres::Solve(options, &problem_, &summary);
    } while (hold_outside());
    return 2 * summary.final_cost;
  }

  // The variable parameter blocks, and where their columns begin in matrices of all variable parameters. Ceres lists
  // blocks by their addresses, which differ from run to run: so would the rounding of what is computed of them.
  [[nodiscard]] Columns columns() {
    Columns columns;
    const auto add = [&](double* block) {
      if (!problem_.HasParameterBlock(block) || problem_.IsParameterBlockConstant(block)) return;
      columns.blocks.push_back(block);
      columns.begin.emplace(block, columns.count);
      columns.count += problem_.ParameterBlockSize(block);
    };
    for (auto& step : steps_) add(step.data());
    for (double& length : log_focal_) add(&length);
    for (double& radial : radial_) add(&radial);
    return columns;
  }

  // The normal matrix. What is not determined has tiny eigenvalues.
  Eigen::SparseMatrix<double> normal(const Columns& columns) {
    ceres::Problem::EvaluateOptions options;
    options.parameter_blocks = columns.blocks;
    ceres::CRSMatrix jacobian;
    problem_.Evaluate(options, nullptr, nullptr, nullptr, &jacobian);
    const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> rows(
        jacobian.num_rows, jacobian.num_cols, static_cast<int>(jacobian.values.size()), jacobian.rows.data(),
        jacobian.cols.data(), jacobian.values.data());
    Eigen::SparseMatrix<double> least(columns.count, columns.count);
    least.setIdentity();
    return Eigen::SparseMatrix<double>(rows.transpose() * rows) + 1e-9 * least;
  }

  // The derivatives of the places [pixel] where the changed image sees what the unchanged one sees in its corners: a
  // row for each variable parameter, two columns for each corner.
  Eigen::MatrixXd corners(std::size_t i, ImageSize size, const Columns& columns) {
    const int image = static_cast<int>(i);
    const auto g = static_cast<std::size_t>(frames_.group[i]);
    std::array<double, most_parameters> unmoved{};
    double log_focal = log_focal_[g], radial = radial_[g];
    Blocks blocks;
    const Numbers changed = numbers(image);
    const Numbers unchanged{unmoved.data(), has_focal() ? &log_focal : nullptr, frames_.distortion ? &radial : nullptr};
    const Slots from = slots(changed, blocks), to = slots(unchanged, blocks);
    Way way{passage(frames_, image, image), own_parameters(frames_.model), changed, unchanged};
    way.prepare(true);
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(columns.count, 8);
    for (int corner = 0; corner < 4; ++corner) {
      const cv::Point2d at((corner % 2 == 0 ? -1 : 1) * size.width / 2.0 / frames_.unit[i],
                           (corner < 2 ? -1 : 1) * size.height / 2.0 / frames_.unit[i]);
      const Meeting meeting(way, {at, at, cv::Matx22d::eye()}, from, to, blocks.sizes);
      // The derivatives of both numbers by each block, row by row.
      std::vector<std::array<double, 2 * most_parameters>> derivatives(blocks.list.size());
      std::vector<double*> wanted;
      for (std::size_t k = 0; k < derivatives.size(); ++k) {
        wanted.push_back(columns.begin.count(blocks.list[k]) > 0 ? derivatives[k].data() : nullptr);
      }
      std::array<double, 2> difference{};
      meeting.Evaluate(blocks.list.data(), difference.data(), wanted.data());
      for (std::size_t k = 0; k < derivatives.size(); ++k) {
        if (wanted[k] == nullptr) continue;
        all.block(columns.begin.at(blocks.list[k]), 2 * corner, blocks.sizes[k], 2) =
            Eigen::Map<const Eigen::MatrixXd>(wanted[k], blocks.sizes[k], 2);
      }
    }
    return all;
  }

  [[nodiscard]] bool has(std::size_t image, const Columns& columns) const {
    return columns.begin.count(steps_[image].data()) > 0;
  }
  [[nodiscard]] const double* log_focal(std::size_t size) const { return &log_focal_[size]; }
  [[nodiscard]] const double* radial(std::size_t size) const { return &radial_[size]; }

  // The frames with the changes.
  [[nodiscard]] Frames changed() const {
    Frames next = frames_;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      cv::Matx33d& base = next.base[i];
      base = cv::Matx33d(step_matrix(frames_.model, steps_[i].data()).data()) * base;
      base = base * (1 / std::cbrt(std::abs(cv::determinant(base))));
      const bool is_affine = frames_.model == MosaicModel::similarity || frames_.model == MosaicModel::affine;
      if (is_affine) base = base * (1 / base(2, 2));
    }
    next.log_focal = log_focal_;
    next.radial = radial_;
    return next;
  }

 private:
  ceres::Problem::Options problem_options() {
    ceres::Problem::Options options;
    options.loss_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
    options.evaluation_callback = &preparation_;
    return options;
  }

  [[nodiscard]] bool has_focal() const { return frames_.model == MosaicModel::rotation; }

  Numbers numbers(int image) {
    const auto i = static_cast<std::size_t>(image), g = static_cast<std::size_t>(frames_.group[i]);
    return {steps_[i].data(), has_focal() ? &log_focal_[g] : nullptr, frames_.distortion ? &radial_[g] : nullptr};
  }

  [[nodiscard]] Slots slots(const Numbers& numbers, Blocks& blocks) const {
    return {blocks.add(numbers.step, own_parameters(frames_.model)),
            numbers.log_focal == nullptr ? -1 : blocks.add(numbers.log_focal, 1),
            numbers.radial == nullptr ? -1 : blocks.add(numbers.radial, 1)};
  }

  void add(const PairPoints& pair) {
    const Numbers a = numbers(pair.a), b = numbers(pair.b);
    Blocks blocks;
    const Slots in_a = slots(a, blocks), in_b = slots(b, blocks);
    const int own = own_parameters(frames_.model);
    const Way& forth = preparation_.add({passage(frames_, pair.a, pair.b), own, a, b});
    const Way& back = preparation_.add({passage(frames_, pair.b, pair.a), own, b, a});
    const auto meet = [&](const Way& way, const Sight& sight, const Slots& from, const Slots& to) {
      problem_.AddResidualBlock(new Meeting(way, sight, from, to, blocks.sizes), &loss_, blocks.list);
    };
    for (std::size_t i = 0; i < pair.in_a.size(); ++i) {
      meet(forth, {pair.in_a[i], pair.in_b[i], pair.weight_in_b[i]}, in_a, in_b);
      meet(back, {pair.in_b[i], pair.in_a[i], pair.weight_in_a[i]}, in_b, in_a);
    }
  }

  void add_prior(double* parameter, double weight, double usual) {
    problem_.AddResidualBlock(
        new ceres::NormalPrior(ceres::Matrix::Constant(1, 1, std::sqrt(weight)), ceres::Vector::Constant(1, usual)),
        nullptr, parameter);
  }

  void hold(double* block) {
    if (problem_.HasParameterBlock(block)) problem_.SetParameterBlockConstant(block);
  }

  // Whether a distortion was outside of its range; it is held at the end of it.
  bool hold_outside() {
    bool is_any = false;
    for (double& radial : radial_) {
      if (!(radial < least_radial || radial > largest_radial)) continue;
      radial = std::clamp(radial, least_radial, largest_radial);
      hold(&radial);
      is_any = true;
    }
    return is_any;
  }

  const Frames& frames_;
  std::vector<double> log_focal_, radial_;
  std::vector<std::array<double, most_parameters>> steps_;
  Preparation preparation_;
  ceres::HuberLoss loss_;
  ceres::Problem problem_;
};

}  // namespace

double adjust(Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber, double last_change) {
  double matches = 0;
  for (const PairPoints& pair : pairs) matches += 2 * static_cast<double>(pair.in_a.size());
  if (matches == 0) return 0;
  Adjustment adjustment(frames, pairs, reference, huber);
  const double loss = adjustment.solve(last_change);
  frames = adjustment.changed();
  return loss / matches;
}

std::vector<double> uncertainty(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                                const std::vector<ImageSize>& sizes) {
  // A match has two residuals in each of two images, from one measurement.
  constexpr double variance = 2 * usual_deviation * usual_deviation;
  Adjustment adjustment(frames, pairs, reference, huber);
  const Columns columns = adjustment.columns();
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> cholesky(adjustment.normal(columns));
  std::vector<double> list(frames.base.size(), far);
  if (cholesky.info() != Eigen::Success) return list;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (static_cast<int>(i) == reference || !adjustment.has(i, columns)) continue;
    const Eigen::MatrixXd corners = adjustment.corners(i, sizes[i], columns);
    const Eigen::MatrixXd solved = cholesky.solve(corners);
    list[i] = std::min(far, std::sqrt(variance / 4 * std::max(0.0, corners.cwiseProduct(solved).sum())));
  }
  list[static_cast<std::size_t>(reference)] = 0;
  return list;
}

LensDeviation lens_deviation(const Frames& frames, const std::vector<PairPoints>& pairs, int reference, double huber,
                             double error) {
  const std::size_t sizes = frames.log_focal.size();
  LensDeviation deviation{std::vector<double>(sizes, far), std::vector<double>(sizes, far)};
  Adjustment adjustment(frames, pairs, reference, huber);
  const Columns columns = adjustment.columns();
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> cholesky(adjustment.normal(columns));
  if (cholesky.info() != Eigen::Success) return deviation;
  double weight = 0;
  for (const PairPoints& pair : pairs) {
    for (const Distance& distance : distances(frames, pair)) weight += distance.weight;
  }
  // The prior knows nothing of these images.
  const auto deviation_of = [&](const double* parameter, double prior_weight) {
    const auto column = columns.begin.find(parameter);
    if (column == columns.begin.end()) return far;
    Eigen::VectorXd unit = Eigen::VectorXd::Unit(columns.count, column->second);
    const double known = 1 / cholesky.solve(unit)[column->second] - prior_weight;
    return known > 0 ? std::min(far, error * std::sqrt(weight / known)) : far;
  };
  for (std::size_t g = 0; g < sizes; ++g) {
    deviation.log_focal[g] = deviation_of(adjustment.log_focal(g), focal_weight);
    deviation.radial[g] = deviation_of(adjustment.radial(g), radial_weight);
  }
  return deviation;
}

}  // namespace octavo::mosaic
