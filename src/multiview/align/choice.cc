#include "multiview/align/choice.h"

#include <algorithm>
#include <utility>

namespace octavo {

namespace {

using Kind = AlignmentWarning::Kind;

}  // namespace

bool has_warning(const Alignment& alignment, std::initializer_list<Kind> kinds) {
  return std::ranges::any_of(alignment.warnings, [&](const AlignmentWarning& warning) {
    return std::ranges::find(kinds, warning.kind) != kinds.end();
  });
}

bool may_be_wrong(const Alignment& alignment) {
  return has_warning(alignment, {Kind::few_inliers, Kind::folded, Kind::extreme_perspective, Kind::local,
                                 Kind::watermark, Kind::undecidable});
}

bool ends_search(const Alignment& alignment) {
  return !may_be_wrong(alignment) && !has_warning(alignment, {Kind::parallax});
}

bool is_strong(const Alignment& alignment) {
  constexpr double least_share = 0.6;  // of the matches; a guess
  return alignment.homography.inlier_count > least_share * static_cast<double>(alignment.matches.size());
}

bool is_doubted(const Alignment& alignment) {
  return !alignment.homography.found || may_be_wrong(alignment) || has_warning(alignment, {Kind::uncertain});
}

bool is_better(const Alignment& one, const Alignment& other) {
  const auto rank = [](const Alignment& found) {
    const RobustModel& model = found.homography;
    return std::pair(!may_be_wrong(found), model.inlier_count - 0.3 * static_cast<double>(found.matches.size()));
  };
  return rank(one) > rank(other);
}

bool replaces(const Alignment& retried, const Alignment& plain) {
  if (!plain.homography.found) return true;
  return retried.homography.inlier_count > plain.homography.inlier_count && is_better(retried, plain);
}

}  // namespace octavo
