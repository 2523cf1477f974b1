// Which frames of a pan make a mosaic. The motion from each frame to the next is found by phase correlation of small
// grey images (Kuglin and Hines, 1975), which also tells a cut: no shift makes the two alike. Motions are added up, so
// that every frame has a place, and frames are chosen by the overlap of places, however fast the camera moves.

#include "video/frames/overlapping_views.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "io/opencv/cv_mat.h"

namespace octavo::video {
namespace {

constexpr double least_overlap = 0.5, most_overlap = 0.7;
constexpr double alike = 0.98;             // the overlap of frames of one place
constexpr double blurred = 0.8;            // times the sharpness of another; a guess
constexpr double shown_farther = 0.02;     // [width, height] what an end of the way must show; a guess
constexpr double least_correlation = 0.5;  // of the parts of two successive frames that overlap; a guess
constexpr double least_deviation = 2;      // [grey level] of a frame that shows something

double overlap(const SeenView& a, const SeenView& b) {
  return std::max(0.0, 1 - std::abs(a.x - b.x)) * std::max(0.0, 1 - std::abs(a.y - b.y));
}

// The nearest view of the same place that is not clearly less sharp than the others there.
std::size_t sharp_view_near(std::span<const SeenView> shot, std::size_t wanted) {
  const auto nearness = [&](std::size_t i) { return overlap(shot[i], shot[wanted]); };
  double sharpest = 0;
  for (std::size_t i = 0; i < shot.size(); ++i) {
    if (nearness(i) >= alike) sharpest = std::max(sharpest, shot[i].sharpness);
  }
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < shot.size(); ++i) {
    if (nearness(i) < alike || shot[i].sharpness < blurred * sharpest) continue;
    if (!best || nearness(i) > nearness(*best)) best = i;
  }
  return best.value_or(wanted);
}

// Adds the ends of the way along an axis, if no chosen view is near.
void add_ends(std::span<const SeenView> shot, double SeenView::*axis, std::vector<std::size_t>& chosen) {
  const auto [first, last] = std::ranges::minmax_element(shot, {}, axis);
  for (const auto& end : {first, last}) {
    const auto is_near = [&](std::size_t i) { return std::abs(shot[i].*axis - (*end).*axis) <= shown_farther; };
    if (std::ranges::any_of(chosen, is_near)) continue;
    chosen.push_back(sharp_view_near(shot, static_cast<std::size_t>(end - shot.begin())));
  }
}

// How alike two images are where the second one, moved by −shift, overlaps the first: −1…1.
double correlation(const cv::Mat& a, const cv::Mat& b, const cv::Point2d& shift) {
  const cv::Rect whole({}, a.size());
  const cv::Point moved(cvRound(shift.x), cvRound(shift.y));
  const cv::Rect in_b = whole & (whole + moved);
  if (in_b.empty()) return 0;
  cv::Mat result;
  cv::matchTemplate(a(in_b - moved), b(in_b), result, cv::TM_CCOEFF_NORMED);
  return result.at<float>(0);
}

// Looks at one frame after the other.
class ViewTracker {
 public:
  // Returns whether the frame begins a new shot. `place` gets its place and sharpness; none for one that shows nothing.
  bool add(const cv::Mat& frame, std::optional<SeenView>& place) {
    cv::Scalar mean, deviation;
    cv::meanStdDev(frame, mean, deviation);
    if (deviation[0] < least_deviation) {
      last_.release();
      place.reset();
      return true;
    }
    cv::Mat now, edges;
    frame.convertTo(now, CV_32F);
    const std::optional<cv::Point2d> shift = motion_to(now);
    at_ = shift ? at_ - cv::Point2d(shift->x / now.cols, shift->y / now.rows) : cv::Point2d();
    cv::Laplacian(now, edges, CV_32F);
    cv::meanStdDev(edges, mean, deviation);
    place = SeenView{.x = at_.x, .y = at_.y, .sharpness = deviation[0]};
    last_ = now;
    return !shift.has_value();
  }

 private:
  // [pixel] how far the content moves from the last frame to this one; none if they show different things.
  std::optional<cv::Point2d> motion_to(const cv::Mat& now) {
    if (last_.size() != now.size()) return {};
    if (window_.size() != now.size()) cv::createHanningWindow(window_, now.size(), CV_32F);
    // Copies, since OpenCV 4 multiplies the images by the window where they are.
    const cv::Point2d found = cv::phaseCorrelate(last_.clone(), now.clone(), window_);
    for (const cv::Point2d& shift : {found, cv::Point2d()}) {
      if (correlation(last_, now, shift) >= least_correlation) return shift;
    }
    return {};
  }

  cv::Mat last_, window_;
  cv::Point2d at_;
};

void add_times(std::vector<double>& times, std::span<const SeenView> shot) {
  for (const std::size_t i : choose_views(shot)) times.push_back(shot[i].seconds);
}

}  // namespace

std::vector<std::size_t> choose_views(std::span<const SeenView> shot) {
  if (shot.empty()) return {};
  std::vector<std::size_t> chosen{sharp_view_near(shot, 0)};
  const auto shown = [&](std::size_t i) {
    double most = 0;
    for (const std::size_t other : chosen) most = std::max(most, overlap(shot[i], shot[other]));
    return most;
  };
  std::optional<std::size_t> best;
  std::size_t last = 0;
  for (std::size_t i = 1; i < shot.size(); ++i) {
    const double share = shown(i);
    if (share >= least_overlap) {
      if (share <= most_overlap && (!best || shot[i].sharpness > shot[*best].sharpness)) best = i;
      continue;
    }
    last = best ? *best : std::max(last + 1, i - 1);  // a camera so fast that no frame lies in between
    chosen.push_back(last);
    best.reset();
    i = last;
  }
  add_ends(shot, &SeenView::x, chosen);
  add_ends(shot, &SeenView::y, chosen);
  std::ranges::sort(chosen);
  return chosen;
}

std::vector<double> times_of_overlapping_views(const std::filesystem::path& file, VideoOptions options,
                                               const ProgressSink& progress) {
  options.every = 1;
  options.size = 480;
  options.colour = false;
  options.ascending = true;
  Video video(file, options);
  ViewTracker tracker;
  std::vector<double> times;
  std::vector<SeenView> shot;
  std::optional<double> first;
  while (const std::optional<VideoFrame> frame = video.next()) {
    if (!first) first = frame->seconds;
    std::optional<SeenView> place;
    if (tracker.add(io::to_mat(frame->grey.view()), place)) {
      add_times(times, shot);
      shot.clear();
    }
    if (place) {
      place->seconds = frame->seconds - *first;
      shot.push_back(*place);
    }
    report(progress, "frames", static_cast<std::size_t>(video.decoded()),
           static_cast<std::size_t>(std::max<std::int64_t>(0, video.facts().declared_frames)));
  }
  add_times(times, shot);
  return times;
}

}  // namespace octavo::video
