#include "multiview/align/proposals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <opencv2/core.hpp>
#include <optional>
#include <utility>

#include "multiview/align/distinct_places.h"
#include "multiview/geometry/visible_part.h"

namespace octavo {

namespace {

constexpr std::size_t most_matches = 1500;  // the nearest: it bounds the time, which is quadratic; not tuned
constexpr std::size_t fewest_votes = 5;     // one more than four, which always agree; a guess
// An affinity is trusted up to this share of the distance from its match: a homography bends away from it.
constexpr double bend = 0.15;

struct FrameMatch {
  cv::Point2d a, b;
  cv::Matx22d b_from_a, a_from_b;
};

using Indices = std::vector<std::size_t>;

std::vector<FrameMatch> frames_of(const Features& a, const Features& b, std::span<const Match> matches) {
  std::vector<Match> nearest(matches.begin(), matches.end());
  std::ranges::stable_sort(nearest, {}, &Match::distance2);
  if (nearest.size() > most_matches) nearest.resize(most_matches);
  std::vector<FrameMatch> frames;
  for (const Match& match : nearest) {
    const Keypoint &p = a.keypoints[static_cast<std::size_t>(match.a)],
                   &q = b.keypoints[static_cast<std::size_t>(match.b)];
    const cv::Matx22d of_a(affine_matrix(p).data()), of_b(affine_matrix(q).data());
    if (!(std::abs(cv::determinant(of_a)) > 1e-9) || !(std::abs(cv::determinant(of_b)) > 1e-9)) continue;
    frames.push_back({{p.x, p.y}, {q.x, q.y}, of_b * of_a.inv(), of_a * of_b.inv()});
  }
  return frames;
}

// The matches that lie where the affinity of this one puts them, seen from both images.
Indices votes_for(const FrameMatch& one, const std::vector<FrameMatch>& all, double threshold) {
  Indices votes;
  for (std::size_t j = 0; j < all.size(); ++j) {
    const cv::Point2d in_a = all[j].a - one.a, in_b = all[j].b - one.b;
    const cv::Point2d error_b = one.b_from_a * in_a - in_b, error_a = one.a_from_b * in_b - in_a;
    if (cv::norm(error_b) < threshold + bend * cv::norm(in_b) &&
        cv::norm(error_a) < threshold + bend * cv::norm(in_a)) {
      votes.push_back(j);
    }
  }
  return votes;
}

// The homography of least algebraic error (Hartley and Zisserman, 2nd ed., algorithm 4.2).
cv::Matx33d fitted(const std::vector<FrameMatch>& all, const Indices& which) {
  std::vector<cv::Point2d> in_a, in_b;
  for (const std::size_t i : which) {
    in_a.push_back(all[i].a);
    in_b.push_back(all[i].b);
  }
  const cv::Matx33d to_a = planes::normalising(in_a), to_b = planes::normalising(in_b);
  cv::Matx<double, 9, 9> normal = cv::Matx<double, 9, 9>::zeros();
  for (const std::size_t i : which) {
    const cv::Vec3d p = to_a * cv::Vec3d(all[i].a.x, all[i].a.y, 1), q = to_b * cv::Vec3d(all[i].b.x, all[i].b.y, 1);
    const double equations[18] = {p[0], p[1], 1, 0,    0,    0, -q[0] * p[0], -q[0] * p[1], -q[0],
                                  0,    0,    0, p[0], p[1], 1, -q[1] * p[0], -q[1] * p[1], -q[1]};
    const cv::Matx<double, 2, 9> rows(equations);
    normal += rows.t() * rows;
  }
  cv::Matx<double, 9, 1> values;
  cv::Matx<double, 9, 9> vectors;
  cv::eigen(normal, values, vectors);
  return to_b.inv() * cv::Matx33d(vectors.row(8).val) * to_a;
}

Indices agreeing(const cv::Matx33d& h, const std::vector<FrameMatch>& all, double threshold) {
  Indices which;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const cv::Vec3d q = h * cv::Vec3d(all[i].a.x, all[i].a.y, 1);
    if (std::hypot(q[0] / q[2] - all[i].b.x, q[1] / q[2] - all[i].b.y) < threshold) which.push_back(i);
  }
  return which;
}

int places_of(const std::vector<FrameMatch>& all, const Indices& which) {
  PointPairs pairs;
  for (const std::size_t i : which) {
    pairs.a.push_back({all[i].a.x, all[i].a.y});
    pairs.b.push_back({all[i].b.x, all[i].b.y});
  }
  return distinct_places(pairs);
}

struct Candidate {
  Proposal proposal;
  Indices agreeing;
};

// The homography that the votes for a match lead to; none if too few agree with it.
std::optional<Candidate> candidate_of(const FrameMatch& one, const std::vector<FrameMatch>& all, double threshold) {
  Indices which = votes_for(one, all, threshold);
  cv::Matx33d h;
  for (const double share : {3.0, 2.0, 4.0 / 3, 1.0, 1.0}) {
    if (which.size() < fewest_votes) return {};
    h = fitted(all, which);
    which = agreeing(h, all, share * threshold);
  }
  if (which.size() < fewest_votes || !(std::abs(h(2, 2)) > 1e-12)) return {};
  Candidate candidate{{.places = places_of(all, which)}, std::move(which)};
  h *= 1 / h(2, 2);
  std::copy_n(h.val, 9, candidate.proposal.b_from_a.begin());
  return candidate;
}

}  // namespace

std::vector<Proposal> propose_homographies(const Features& a, const Features& b, std::span<const Match> matches,
                                           double threshold, std::size_t most) {
  const std::vector<FrameMatch> all = frames_of(a, b, matches);
  std::vector<Candidate> candidates;
  for (const FrameMatch& one : all) {
    if (std::optional<Candidate> candidate = candidate_of(one, all, threshold))
      candidates.push_back(*std::move(candidate));
  }
  std::ranges::stable_sort(candidates, std::ranges::greater(), [](const Candidate& c) { return c.proposal.places; });
  std::vector<bool> is_used(all.size());
  std::vector<Proposal> proposals;
  for (const Candidate& candidate : candidates) {
    if (proposals.size() == most) break;
    const auto used =
        static_cast<std::size_t>(std::ranges::count_if(candidate.agreeing, [&](std::size_t i) { return is_used[i]; }));
    if (2 * used > candidate.agreeing.size()) continue;
    for (const std::size_t i : candidate.agreeing) is_used[i] = true;
    proposals.push_back(candidate.proposal);
  }
  return proposals;
}

}  // namespace octavo
