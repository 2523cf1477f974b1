// A frame is matched where its places are seen again, whatever moved them: turning, walking or zooming. So places are
// followed, by normalised correlation of small patches with those of the frame in which they began, which does not
// drift. What is seen from another side, or from much nearer, looks no longer alike, and neither would its features.
// A camera that goes round a thing sees the same for long, and a model needs more frames of it than their overlap
// tells: so a place that moves otherwise than most has gone too.

#include "video/frames/view_chooser.h"

#include <algorithm>
#include <cstddef>
#include <opencv2/imgproc.hpp>
#include <span>
#include <utility>

namespace octavo::video {
namespace {

constexpr double least_share = 0.6, most_share = 0.8;  // of the places of a frame that the next shows; guesses
constexpr double alike_share = 0.95;                   // of frames of one view
constexpr double clearly = 1.1;                        // times the sharpness of another; a guess
constexpr double least_alike = 0.7;                    // correlation of a patch that is seen again; a guess
constexpr int cells = 12;                              // along each side of the frame
constexpr int patch_side = 15, reach = 8;              // [pixel] how far a place is from where the motion moves it
constexpr double most_parallax = 0.03;  // [longer side] of a place beside the median one; docs/experiments/sfm.md
constexpr std::size_t least_places = 8;
constexpr double least_corner = 1e-4;  // the smaller eigenvalue of grey levels of 0…1 in a patch with texture; a guess

double median_of(std::span<const cv::Point2d> points, double cv::Point2d::*axis) {
  std::vector<double> values;
  for (const cv::Point2d& point : points) values.push_back(point.*axis);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

FollowedView::FollowedView(const cv::Mat& grey) {
  cv::Mat now, corners;
  grey.convertTo(now, CV_32F, 1.0 / 255);
  cv::cornerMinEigenVal(now, corners, 7);
  constexpr int margin = patch_side / 2;
  const cv::Rect inner(margin, margin, grey.cols - 2 * margin, grey.rows - 2 * margin);
  if (inner.width < cells || inner.height < cells) return;
  for (int i = 0; i < cells * cells; ++i) {
    const cv::Point from(i % cells * inner.width / cells, i / cells * inner.height / cells);
    const cv::Point to((i % cells + 1) * inner.width / cells, (i / cells + 1) * inner.height / cells);
    const cv::Rect cell = cv::Rect(from, to) + inner.tl();
    double corner = 0;
    cv::Point best;
    cv::minMaxLoc(corners(cell), nullptr, &corner, nullptr, &best);
    if (corner < least_corner) continue;
    const cv::Point at = cell.tl() + best - cv::Point(margin, margin);
    places_.push_back({grey(cv::Rect(at, cv::Size(patch_side, patch_side))).clone(), at, at});
  }
}

double FollowedView::follow(const cv::Mat& next, const cv::Point2d& motion) {
  std::vector<cv::Point2d> ways;  // of the places that are seen
  cv::Mat likeness;
  for (Place& place : places_) {
    place.at += motion;
    constexpr int side = patch_side + 2 * reach;
    const cv::Rect around =
        cv::Rect(cv::Point(place.at) - cv::Point(reach, reach), cv::Size(side, side)) & cv::Rect({}, next.size());
    if (around.width < patch_side || around.height < patch_side) continue;
    cv::matchTemplate(next(around), place.patch, likeness, cv::TM_CCOEFF_NORMED);
    double most = 0;
    cv::Point best;
    cv::minMaxLoc(likeness, nullptr, &most, nullptr, &best);
    if (!(most >= least_alike)) continue;
    place.at = around.tl() + best;
    ways.push_back(place.at - place.from);
  }
  if (ways.empty()) return 0;
  const cv::Point2d usual(median_of(ways, &cv::Point2d::x), median_of(ways, &cv::Point2d::y));
  const double farthest = most_parallax * std::max(next.cols, next.rows);
  const auto stayed =
      std::ranges::count_if(ways, [&](const cv::Point2d& way) { return cv::norm(way - usual) <= farthest; });
  return static_cast<double>(stayed) / static_cast<double>(places_.size());
}

void MatchableViews::follow(const cv::Mat& grey) {
  const cv::Point2d motion = motion_.to(grey).value_or(cv::Point2d());
  for (std::optional<View>* view : {&chosen_, &next_}) {
    if (*view) (*view)->share = (*view)->places.follow(grey, motion);
  }
}

void MatchableViews::choose(View view) {
  times_.push_back(view.seconds);
  chosen_ = std::move(view);
  next_.reset();
}

void MatchableViews::add(const cv::Mat& grey, double seconds) {
  follow(grey);
  const std::optional<double> sharpness = sharpness_of(grey);
  if (!sharpness) return;
  const auto view = [&] { return View{FollowedView(grey), seconds, *sharpness}; };
  if (chosen_ && chosen_->share < least_share && next_) {
    is_settled_ = true;
    choose(*std::exchange(next_, {}));
  }
  if (!chosen_ || chosen_->share < least_share) {  // the first one, after a cut, or of a fast camera
    View now = view();
    if (now.places.size() < least_places) return;
    is_settled_ = false;
    return choose(std::move(now));
  }
  is_settled_ = is_settled_ || chosen_->share < alike_share;
  if (!is_settled_ && *sharpness > clearly * chosen_->sharpness) {
    times_.pop_back();
    return choose(view());
  }
  if (chosen_->share <= most_share && (!next_ || *sharpness > next_->sharpness)) next_ = view();
}

std::vector<double> MatchableViews::finish() {
  if (next_) choose(*std::exchange(next_, {}));
  return std::move(times_);
}

}  // namespace octavo::video
