// Which frames of a pan make a mosaic. The motions from each frame to the next are added up, so that every frame has a
// place, and frames are chosen by the overlap of places, however fast the camera moves.

#include "video/frames/overlapping_views.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "video/frames/frame_motion.h"
#include "video/frames/small_frames.h"

namespace octavo::video {
namespace {

constexpr double least_overlap = 0.5, most_overlap = 0.7;  // of two frames that follow each other; guesses
constexpr double alike = 0.98;                             // the overlap of frames of one place
constexpr double blurred = 0.8;                            // times the sharpness of another; a guess
constexpr double shown_farther = 0.02;                     // [width, height] what an end of the way must show; a guess

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

std::vector<double> times_of_overlapping_views(const std::filesystem::path& file, const VideoOptions& options,
                                               const ProgressSink& progress) {
  FrameMotion motion;
  cv::Point2d at;
  std::vector<double> times;
  std::vector<SeenView> shot;
  const auto end_shot = [&] {
    add_times(times, shot);
    shot.clear();
  };
  read_small_frames(file, options, progress, [&](const cv::Mat& grey, double seconds) {
    const std::optional<double> sharpness = sharpness_of(grey);
    if (!sharpness) {
      motion.forget();
      end_shot();
      return true;
    }
    const std::optional<cv::Point2d> shift = motion.to(grey);
    if (!shift) end_shot();
    at = shift ? at - cv::Point2d(shift->x / grey.cols, shift->y / grey.rows) : cv::Point2d();
    shot.push_back({.seconds = seconds, .x = at.x, .y = at.y, .sharpness = *sharpness});
    return true;
  });
  end_shot();
  return times;
}

}  // namespace octavo::video
