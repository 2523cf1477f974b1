#include "video/signature/line_and_place.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "video/signature/cell_products.h"

namespace octavo {
namespace {

constexpr double most_error = 0.15;   // of a coarse speed, as a share; more is a mistake
constexpr double reach = 2;           // [pixel] of slopes, from where the features place the image
constexpr double of_coding = 0.02;    // is unexplained of the same frames, coded coarsely
constexpr double clearly_less = 0.8;  // is unexplained at another speed than 1

PlaceFit fit_at(std::span<const EndOnLine> ends, double speed, double later) {
  PlaceFit fit;
  for (const EndOnLine& one : ends) one.end->add_to(fit, speed, one.shift + later);
  return fit;
}

// The correlations of all ends on a line that passes so much later, at its best place.
std::vector<double> correlations_at(std::span<const EndOnLine> ends, double speed, double later) {
  const PlaceOffset offset = fit_at(ends, speed, later).offset();
  std::vector<double> all;
  for (const EndOnLine& one : ends) {
    const std::vector<double> some = one.end->correlations(speed, one.shift + later, offset);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// Keeps the line whose frames fit better.
void keep_better(SettledLine& best, const PlaceFit& fit, double speed) {
  const PlaceOffset place = fit.offset();
  const double unexplained = fit.unexplained(place);
  if (unexplained < best.unexplained) best = {speed, place, unexplained};
}

constexpr double nothing_fits = std::numeric_limits<double>::infinity();

SettledLine at_speed_one(const SegmentEnd& in, const SegmentEnd& out) {
  SettledLine best{.unexplained = nothing_fits};
  const double in_lag = in.lag(1), out_lag = out.lag(1);
  const double high = std::min(in_lag, out_lag) + most_shift;
  for (double lag = std::max(in_lag, out_lag) - most_shift; lag < high; lag += in.frame() / 2)
    keep_better(best, fit_at(std::array{EndOnLine{&in, lag - in_lag}, EndOnLine{&out, lag - out_lag}}, 1, 0), 1);
  return best;
}

// Each end has a shift of its own, from which a speed follows. Frames meet their partners by `speed`.
SettledLine near_speed(const SegmentEnd& in, const SegmentEnd& out, double coarse_speed, double speed) {
  struct FitOfEnd {
    double shift;
    PlaceFit fit;
  };
  const auto fits_of = [&](const SegmentEnd& end) {
    std::vector<FitOfEnd> fits;
    for (double shift = -most_shift; shift <= most_shift; shift += end.frame() / 2)
      fits.push_back({shift, fit_at(std::array{EndOnLine{&end, shift}}, speed, 0)});
    return fits;
  };
  const std::vector<FitOfEnd> of_in = fits_of(in), of_out = fits_of(out);
  const double length = out.coarse().query - in.coarse().query;
  SettledLine best{.speed = speed, .unexplained = nothing_fits};
  for (const FitOfEnd& a : of_in) {
    for (const FitOfEnd& b : of_out) {
      const double implied = (out.coarse().other + b.shift - in.coarse().other - a.shift) / length;
      if (std::abs(implied / coarse_speed - 1) > most_error) continue;
      PlaceFit both = a.fit;
      both.add(b.fit);
      keep_better(best, both, implied);
    }
  }
  return best;
}

}  // namespace

bool SettledLine::is_place_told() const {
  return unexplained < of_coding || std::ranges::all_of(place, [](double one) { return std::abs(one) <= reach; });
}

std::optional<SettledLine> settled_line(const SegmentEnd& in, const SegmentEnd& out, double speed) {
  if (in.frame() <= 0 || out.frame() <= 0) return std::nullopt;
  constexpr int rounds = 3;  // after which the line hardly changes; not tuned
  SettledLine any{.speed = speed};
  for (int round = 0; round < rounds; ++round) any = near_speed(in, out, speed, any.speed);
  if (std::abs(speed - 1) >= near_one) return any;
  const SettledLine one = at_speed_one(in, out);
  return any.unexplained < clearly_less * one.unexplained ? any : one;
}

double untold_time(std::span<const EndOnLine> ends, double speed) {
  const double frame = ends.front().end->frame();
  const auto is_at_border = [&](const EndOnLine& one) { return std::abs(one.shift) > most_shift - frame; };
  const std::vector<double> here = correlations_at(ends, speed, 0);
  if (here.empty() || frame <= 0 || std::ranges::any_of(ends, is_at_border)) return most_shift;
  std::vector<double> deviations;
  for (const double one : here) deviations.push_back(std::abs(one - median(here)));
  // A sum of such noise: four standard deviations, of which the median deviation is two thirds.
  const double noise = std::max(6 * median(deviations), least_noise) * std::sqrt(static_cast<double>(here.size()));
  const auto is_worse = [&](double later) {
    const std::vector<double> there = correlations_at(ends, speed, later);
    double lead = 0;
    for (std::size_t k = 0; k < here.size(); ++k) lead += here[k] - there[k];
    return lead > noise;
  };
  double within = 0;
  for (const double direction : {-1.0, 1.0}) {
    double away = frame;
    while (away < most_shift && !is_worse(direction * away)) away += frame;
    within = std::max(within, std::min(away, most_shift) - frame / 2);
  }
  return within;
}

}  // namespace octavo
