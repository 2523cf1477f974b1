#include "multiview/align/brought_together.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <numbers>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <set>
#include <utility>
#include <vector>

#include "multiview/align/common_frame.h"
#include "multiview/align/drawn_features.h"
#include "multiview/align/meeting.h"
#include "multiview/geometry/coarse_homography.h"
#include "multiview/geometry/support.h"
#include "multiview/geometry/visible_part.h"
#include "octavo/multiview/geometry.h"

namespace octavo {

namespace {

using planes::Polygon;

// The two images of one round: each is drawn in the frame of the other, and both in a common one if neither suits.
class Round {
 public:
  Round(Extractor& extractor, const TwoViews& views, const MatchOptions& match, const DeviceOptions& device)
      : extractor_(extractor), views_(views), matcher_(match, device) {}

  // The matches at most `radius` pixels (of the coarser image) from where the homography puts them, and the homography
  // of these.
  std::optional<Alignment> run(const std::array<double, 9>& b_from_a, double radius, const RobustOptions& robust) {
    const cv::Rect a(0, 0, views_.image_a.width, views_.image_a.height),
        b(0, 0, views_.image_b.width, views_.image_b.height);
    const Meeting meeting = meeting_of(cv::Matx33d(b_from_a.data()), views_.image_a, views_.image_b);
    constexpr double least_area = 400;  // [pixel²]
    if (!(planes::area_of(meeting.drawn_part) > least_area) || !(planes::area_of(meeting.other_part) > least_area)) {
      return {};
    }
    const cv::Matx33d &from_a = meeting.to_from, from_b = from_a.inv();
    Alignment result;
    result.a = views_.features_a;
    result.b = views_.features_b;
    const cv::Point2d middle = planes::middle_of(meeting.drawn_part);
    const double pixel = 1 / std::sqrt(cv::determinant(coarse_from_b(from_a, middle)));  // of the coarser image, in B
    const Features of_a = drawn(views_.image_a, from_a, meeting.other_part, box_of(meeting.other_part) & b);
    add(result, matcher_.match(of_a, views_.features_b, Guide{.radius = radius * pixel}),
        append(result.a, of_a, from_b), 0);
    const Features of_b = drawn(views_.image_b, from_b, meeting.drawn_part, box_of(meeting.drawn_part) & a);
    // Second neighbours are sought in images that are not drawn: the drawn one has fewer keypoints.
    std::vector<Match> matches = matcher_.match(of_b, views_.features_a, Guide{.radius = radius});
    for (Match& match : matches) std::swap(match.a, match.b);
    add(result, matches, 0, append(result.b, of_b, from_a));
    if (const auto frame = common_frame(from_a, meeting.drawn_part)) add_common(result, *frame, radius);
    keep_distinct(result, robust.threshold);
    refine_matches(views_.image_a, result.a, views_.image_b, result.b, result.matches);
    result.homography =
        estimate_coarse_homography(point_pairs(result.a, result.b, result.matches), from_a, middle, robust);
    return result;
  }

 private:
  Features drawn(const ImageView& image, const cv::Matx33d& to_frame, const Polygon& part, const cv::Rect& box) {
    return features_of_drawn(extractor_, image, to_frame, part, box);
  }

  void add_common(Alignment& all, const CommonFrame& frame, double radius) {
    const Features of_a = drawn(views_.image_a, frame.from_a, frame.part, box_of(frame.part));
    const Features of_b = drawn(views_.image_b, frame.from_b, frame.part, box_of(frame.part));
    const std::vector<Match> matches = matcher_.match(of_a, of_b, Guide{.radius = radius});
    const std::int32_t first_a = append(all.a, of_a, frame.from_a.inv());
    add(all, matches, first_a, append(all.b, of_b, frame.from_b.inv()));
  }

  // Adds features of a frame behind those of their image. Returns the index of the first.
  static std::int32_t append(Features& all, Features more, const cv::Matx33d& image_from_frame) {
    const auto first = static_cast<std::int32_t>(all.size());
    bring_back(more.keypoints, image_from_frame);
    all.keypoints.insert(all.keypoints.end(), more.keypoints.begin(), more.keypoints.end());
    all.descriptors.insert(all.descriptors.end(), more.descriptors.begin(), more.descriptors.end());
    return first;
  }

  static void add(Alignment& all, const std::vector<Match>& more, std::int32_t first_a, std::int32_t first_b) {
    for (const Match& match : more) all.matches.push_back({first_a + match.a, first_b + match.b, match.distance2});
  }

  // Frames show the same points: of the matches between the same two places the nearest stays, so that each counts
  // once.
  static void keep_distinct(Alignment& all, double cell) {
    std::ranges::stable_sort(all.matches, {}, &Match::distance2);
    std::set<std::array<int, 4>> known;
    std::erase_if(all.matches, [&](const Match& match) {
      const Keypoint &p = all.a.keypoints[static_cast<std::size_t>(match.a)],
                     &q = all.b.keypoints[static_cast<std::size_t>(match.b)];
      std::array<int, 4> place{};
      std::ranges::transform(std::array{p.x, p.y, q.x, q.y}, place.begin(),
                             [&](float x) { return static_cast<int>(std::floor(x / cell)); });
      return !known.insert(place).second;
    });
    std::ranges::sort(all.matches, {}, &Match::a);
  }

  Extractor& extractor_;
  const TwoViews& views_;
  Matcher matcher_;
};

// Whether more pairs agree than chance gives: a match is anywhere within the radius of its place.
bool is_confirmed(const Alignment& alignment, double radius, double threshold) {
  const RobustModel& model = alignment.homography;
  const auto pairs = static_cast<int>(alignment.matches.size());
  const double chance = std::min(1.0, std::pow(2 * threshold / radius, 2));
  constexpr int fewest = 12;  // inliers; a guess
  return model.found && model.inlier_count >= fewest && model.inlier_count > 8 + chance * pairs &&
         supports_model(pairs, model.inlier_count, 4, chance);
}

// [pixel of the coarser image] How far each inlier is from the place where the homography puts it.
std::vector<double> errors_of_inliers(const Alignment& alignment) {
  const cv::Matx33d h(alignment.homography.b_from_a.data());
  std::vector<double> errors;
  for (std::size_t i = 0; i < alignment.matches.size(); ++i) {
    if (alignment.homography.inliers[i] == 0) continue;
    const Match& match = alignment.matches[i];
    const Keypoint &p = alignment.a.keypoints[static_cast<std::size_t>(match.a)],
                   &q = alignment.b.keypoints[static_cast<std::size_t>(match.b)];
    errors.push_back(coarse_error(h, {p.x, p.y}, {q.x, q.y}));
  }
  return errors;
}

}  // namespace

std::optional<Confirmed> brought_together(Extractor& extractor, const TwoViews& views,
                                          const std::array<double, 9>& b_from_a, const MatchOptions& match,
                                          const DeviceOptions& device, const RobustOptions& robust) {
  MatchOptions plain = match;
  plain.distinct_radius = 0;
  Round round(extractor, views, plain, device);
  std::array<double, 9> h = b_from_a;
  std::optional<Confirmed> best;
  // [threshold] The farther the homography may be off, the farther its matches are sought.
  for (const double thresholds : {14.0, 14.0, 7.0}) {
    const double radius = thresholds * robust.threshold;
    std::optional<Alignment> next = round.run(h, radius, robust);
    if (!next || !is_confirmed(*next, radius, robust.threshold)) break;
    h = next->homography.b_from_a;
    best = Confirmed{*std::move(next), radius};
  }
  if (best && !do_inliers_gather(errors_of_inliers(best->alignment), robust.threshold)) return {};
  return best;
}

}  // namespace octavo
