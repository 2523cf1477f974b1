// The search and the refinement are those of the reference, which defines every device. The outcome after
// the refinement follows from the features: a point with a keypoint was kept, and each other point was excluded by the
// mask, the orientation or the budget.

#include "engine/inspect/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "engine/inspect/keypoints_of_candidate.h"
#include "engine/sift/extrema.h"
#include "engine/sift/keypoint.h"
#include "engine/sift/stages_reference.h"

namespace octavo::inspection {
namespace {

using reference::Trial;

// r of (r + 1)²/r = tr²/det.
float curvature_ratio(const Trial& trial) {
  if (!(trial.determinant > 0)) return std::numeric_limits<float>::infinity();
  const double sum = std::max(double{trial.square_of_trace} / trial.determinant - 2, 2.0);  // r + 1/r
  return static_cast<float>((sum + std::sqrt(sum * sum - 4)) / 2);
}

auto grid_point(const Extremum& e) { return std::tie(e.layer, e.row, e.column); }

// True if a trial settled at the same point as one before it.
std::vector<bool> find_duplicates(const std::vector<Trial>& trials) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i].outcome == refinement_done) kept.push_back(i);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [&](std::size_t a, std::size_t b) { return grid_point(trials[a].end) < grid_point(trials[b].end); });
  std::vector<bool> duplicate(trials.size());
  for (std::size_t i = 1; i < kept.size(); ++i) {
    duplicate[kept[i]] = grid_point(trials[kept[i]].end) == grid_point(trials[kept[i - 1]].end);
  }
  return duplicate;
}

CandidateVerdict verdict_of(Refinement outcome) {
  switch (outcome) {
    case refinement_low_contrast:
      return CandidateVerdict::low_contrast;
    case refinement_on_edge:
      return CandidateVerdict::on_edge;
    case refinement_done:
      return CandidateVerdict::kept;
    case refinement_unstable:
      break;
  }
  return CandidateVerdict::unstable;
}

Candidate judge(const Trial& trial, bool duplicate, int octave, const std::vector<Plane>& levels,
                const Judgement& judgement) {
  const bool settled = trial.outcome != refinement_unstable;
  const SiftParts& parts = *judgement.parts;
  Oriented point{octave - parts.scale_space.first_octave, settled ? trial.end : trial.at};
  point.scale = scale_of(point.extremum, parts.scale_space);
  const Keypoint keypoint = keypoint_of(point, parts);
  Candidate c{.octave = octave,
              .layer = trial.at.layer,
              .row = trial.at.row,
              .column = trial.at.column,
              .x = keypoint.x,
              .y = keypoint.y,
              .scale = keypoint.scale,
              .value = point.extremum.value,
              .curvature_ratio = settled ? curvature_ratio(trial) : 0,
              .verdict = verdict_of(trial.outcome)};
  if (c.verdict != CandidateVerdict::kept) return c;
  if (duplicate) {
    c.verdict = CandidateVerdict::duplicate;
    return c;
  }
  const Plane& level = levels[static_cast<std::size_t>(point.extremum.layer)];
  judge_passed({.keypoint = keypoint,
                .in_octave = point,
                .level = parts.description.upright ? nullptr : &level,
                .mask = judgement.mask},
               judgement.features, c);
  return c;
}

}  // namespace

JudgedOctave judge_octave(const std::vector<Plane>& levels, int octave, const Judgement& judgement, CpuPool& pool) {
  constexpr int rows_at_a_time = 64;
  const int height = levels[0].height(), parts = (height + rows_at_a_time - 1) / rows_at_a_time;
  const ExtremumLimits limits = limits_of_contrast(judgement.parts->limits, judgement.contrast);
  std::vector<std::vector<Trial>> found(static_cast<std::size_t>(parts));
  std::vector<std::vector<std::int64_t>> faint(static_cast<std::size_t>(parts));
  pool.parallel_for(parts, [&](int i, int) {
    const std::size_t part = static_cast<std::size_t>(i);
    found[part] = reference::trials(levels, limits, i * rows_at_a_time, (i + 1) * rows_at_a_time, &faint[part]);
  });

  JudgedOctave judged{.candidates = {}, .faint = std::vector<std::int64_t>(static_cast<std::size_t>(limits.layers))};
  std::vector<Trial> trials;
  for (std::size_t part = 0; part < found.size(); ++part) {
    trials.insert(trials.end(), found[part].begin(), found[part].end());
    for (std::size_t layer = 0; layer < judged.faint.size(); ++layer) judged.faint[layer] += faint[part][layer];
  }
  std::sort(trials.begin(), trials.end(),
            [](const Trial& a, const Trial& b) { return grid_point(a.at) < grid_point(b.at); });
  const std::vector<bool> duplicate = find_duplicates(trials);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    judged.candidates.push_back(judge(trials[i], duplicate[i], octave, levels, judgement));
  }
  return judged;
}

}  // namespace octavo::inspection
