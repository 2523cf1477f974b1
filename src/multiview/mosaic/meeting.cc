#include "multiview/mosaic/meeting.h"

#include <ceres/jet.h>

#include <algorithm>

namespace octavo::mosaic {
namespace {

double log_focal_of(const Numbers& numbers) { return numbers.log_focal == nullptr ? 0 : *numbers.log_focal; }

// What changes an image, with the derivatives from `first` on: by the numbers of its step, and by the focal length.
template <class Jet>
Change<Jet> change_of(const Numbers& numbers, int own, int first, std::array<Jet, most_parameters>& step) {
  for (int k = 0; k < own; ++k) step[static_cast<std::size_t>(k)] = Jet(numbers.step[k], first + k);
  return {step.data(), Jet(log_focal_of(numbers), first + most_parameters), Jet(0.0)};
}

}  // namespace

void Way::prepare(bool with_derivatives) {
  if (!with_derivatives) {
    matrix = cv::Matx33d(
        matrix_of<double>(passage, {from.step, log_focal_of(from), 0}, {to.step, log_focal_of(to), 0}).data());
    return;
  }
  constexpr int half = most_parameters + 1;
  using Jet = ceres::Jet<double, 2 * half>;
  std::array<Jet, most_parameters> step_from, step_to;
  const std::array<Jet, 9> m =
      matrix_of(passage, change_of(from, own, 0, step_from), change_of(to, own, half, step_to));
  for (std::size_t i = 0; i < 9; ++i) {
    matrix.val[i] = m[i].a;
    for (int k = 0; k < half; ++k) {
      by_from[static_cast<std::size_t>(k)].val[i] = m[i].v[k];
      by_to[static_cast<std::size_t>(k)].val[i] = m[i].v[half + k];
    }
  }
}

void Preparation::PrepareForEvaluation(bool with_derivatives, bool /*is_new*/) {
  for (Way& way : ways_) way.prepare(with_derivatives);
}

Meeting::Meeting(const Way& way, const Sight& sight, const Slots& from, const Slots& to, const std::vector<int>& sizes)
    : way_(way), sight_(sight), from_(from), to_(to) {
  set_num_residuals(2);
  *mutable_parameter_block_sizes() = sizes;
}

bool Meeting::Evaluate(double const* const* blocks, double* out, double** derivatives) const {
  const double radial_from = from_.radial < 0 ? 0 : blocks[from_.radial][0];
  const double radial_to = to_.radial < 0 ? 0 : blocks[to_.radial][0];
  const cv::Vec3d place = straightened(sight_.from, radial_from), there = way_.matrix * place;
  if (derivatives == nullptr) {
    residual<double>({there[0], there[1], there[2]}, radial_to, sight_, way_.passage.unit, out);
    return true;
  }
  using Jet = ceres::Jet<double, 4>;
  std::array<Jet, 2> jets;
  residual<Jet>({Jet(there[0], 0), Jet(there[1], 1), Jet(there[2], 2)}, Jet(radial_to, 3), sight_, way_.passage.unit,
                jets.data());
  for (std::size_t b = 0; b < parameter_block_sizes().size(); ++b) {
    if (derivatives[b] != nullptr) std::fill_n(derivatives[b], 2 * parameter_block_sizes()[b], 0.0);
  }
  out[0] = jets[0].a, out[1] = jets[1].a;
  if (out[0] == unseen) return true;
  // A number that both images share has the sum of two derivatives.
  const auto add = [&](int slot, int k, const cv::Vec2d& derivative) {
    if (slot < 0 || derivatives[slot] == nullptr) return;
    const int size = parameter_block_sizes()[static_cast<std::size_t>(slot)];
    derivatives[slot][k] += derivative[0];
    derivatives[slot][size + k] += derivative[1];
  };
  const cv::Matx23d by_there(jets[0].v[0], jets[0].v[1], jets[0].v[2], jets[1].v[0], jets[1].v[1], jets[1].v[2]);
  const auto add_matrix = [&](const Slots& slots, const Way::Derivatives& by) {
    for (int k = 0; k < way_.own; ++k) add(slots.step, k, by_there * (by[static_cast<std::size_t>(k)] * place));
    add(slots.log_focal, 0, by_there * (by[most_parameters] * place));
  };
  add_matrix(from_, way_.by_from);
  add_matrix(to_, way_.by_to);
  const double r2 = sight_.from.dot(sight_.from), factor = drawn(r2, radial_from);
  const cv::Point2d bent = sight_.from * (r2 * factor * factor);
  add(from_.radial, 0, by_there * (way_.matrix * cv::Vec3d(bent.x, bent.y, 0)));
  add(to_.radial, 0, {jets[0].v[3], jets[1].v[3]});
  return true;
}

}  // namespace octavo::mosaic
