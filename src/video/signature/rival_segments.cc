#include "video/signature/rival_segments.h"

#include <algorithm>
#include <optional>

#include "video/signature/best_shift.h"
#include "video/signature/overlap.h"

namespace octavo {
namespace {

// Of the correlation that is left to 1: a second showing of a clip that is coded far worse leaves less.
constexpr double many_times = 4, much = 0.05;

// The middle of what two spans share, if it is most of the first one. [second]
std::optional<double> middle_of_most(double in, double out, double better_in, double better_out) {
  if (2 * overlap(in, out, better_in, better_out) <= out - in) return std::nullopt;
  return (std::max(in, better_in) + std::min(out, better_out)) / 2;
}

// Whether each time of the query is one time of the other clip, at which both show the same places.
bool has_moments(const CopySegment& s) { return !s.still && !s.shaken && s.speed > 0; }

double query_at(const CopySegment& s, double other) { return s.query_in + (other - s.other_in) / s.speed; }
double other_at(const CopySegment& s, double query) { return s.other_in + (query - s.query_in) * s.speed; }

// What a moment says at the shift at which its frames correlate best.
struct Evidence {
  double unexplained = 0;
  Motion motion = Motion::none;
};

Evidence evidence_at(const MomentOfSegment& moment) {
  const Shift best = best_shift(-most_shift, most_shift,
                                [&](double shift) { return moment.frames.mean_correlation(moment.speed, shift); });
  return {1 - best.correlation, moment.frames.motion(moment.speed, best.seconds)};
}

}  // namespace

std::vector<SharedMoment> shared_moments(std::span<const CopySegment> segments) {
  std::vector<SharedMoment> moments;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (std::size_t j = 0; j < segments.size(); ++j) {
      const CopySegment &s = segments[i], &better = segments[j];
      if (better.inliers <= s.inliers || !has_moments(s) || !has_moments(better)) continue;
      if (const auto other = middle_of_most(s.other_in, s.other_out, better.other_in, better.other_out))
        moments.push_back({i, j, {query_at(s, *other), *other}, {query_at(better, *other), *other}});
      if (const auto query = middle_of_most(s.query_in, s.query_out, better.query_in, better.query_out))
        moments.push_back({i, j, {*query, other_at(s, *query)}, {*query, other_at(better, *query)}});
    }
  }
  return moments;
}

bool is_explained_better(const MomentOfSegment& segment, const MomentOfSegment& better) {
  const Evidence of_segment = evidence_at(segment), of_better = evidence_at(better);
  if (of_segment.unexplained > std::max(much, many_times * of_better.unexplained)) return true;
  return of_segment.motion == Motion::different && of_better.motion == Motion::alike;
}

}  // namespace octavo
