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

#include "engine/core/ellipse.h"
#include "io/images/mask.h"
#include "io/opencv/cv_mat.h"
#include "multiview/geometry/support.h"
#include "multiview/geometry/visible_part.h"
#include "octavo/multiview/refine.h"

namespace octavo {

namespace {

using planes::Polygon;

double area_of(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) twice += polygon[i].cross(polygon[(i + 1) % polygon.size()]);
  return std::abs(twice) / 2;
}

cv::Size size_of(const ImageView& image) { return {image.width, image.height}; }

cv::Mat grey_of(const ImageView& image) {
  cv::Mat grey = io::to_mat(image);
  if (grey.channels() >= 3) cv::cvtColor(grey, grey, grey.channels() == 3 ? cv::COLOR_RGB2GRAY : cv::COLOR_RGBA2GRAY);
  if (grey.channels() == 2) cv::extractChannel(grey, grey, 0);
  grey.convertTo(grey, CV_32F,
                 image.type == PixelType::u8    ? 1.0 / 255
                 : image.type == PixelType::u16 ? 1.0 / 65535
                                                : 1);
  return grey;
}

// A homography between two images and where they meet.
struct Meeting {
  cv::Matx33d to_from;             // from the image that is drawn to the other
  Polygon drawn_part, other_part;  // the part of each image that the other shows
};

// Empty parts if the images do not meet, or are seen from behind.
Meeting meeting_of(const cv::Matx33d& b_from_a, cv::Size a, cv::Size b) {
  // The middle of what is visible decides in front of which side of the horizon A lies.
  for (const double sign : {1.0, -1.0}) {
    const cv::Matx33d h = sign * b_from_a;
    const Polygon in_a = planes::visible_part(h, b, cv::Rect({0, 0}, a));
    if (in_a.size() < 3 || !(cv::determinant(h) > 0)) continue;
    Polygon in_b;
    for (const cv::Point2d& p : in_a) in_b.push_back(planes::mapped(h, p).place);
    return {h, in_a, in_b};
  }
  return {};
}

// The image in the frame of the other, `size`: the mean of samples at a third of a pixel. In strips, since these are
// nine times as many.
cv::Mat drawn(const cv::Mat& grey, const cv::Matx33d& to_from, cv::Size size) {
  constexpr int finer = 3, strip = 128;
  cv::Mat result(size, CV_32F);
  for (int y = 0; y < size.height; y += strip) {
    const int rows = std::min(strip, size.height - y);
    const cv::Matx33d fine(finer, 0, (finer - 1) / 2.0, 0, finer, (finer - 1) / 2.0 - finer * y, 0, 0, 1);
    cv::Mat samples;
    cv::warpPerspective(grey, samples, fine * to_from, {size.width * finer, rows * finer}, cv::INTER_LINEAR,
                        cv::BORDER_REPLICATE);
    cv::resize(samples, result.rowRange(y, y + rows), {size.width, rows}, 0, 0, cv::INTER_AREA);
  }
  cv::min(cv::max(result, 0), 1, result);
  return result;
}

cv::Mat mask_of(const Polygon& part, cv::Size size) {
  cv::Mat mask(size, CV_8U, cv::Scalar(0));
  std::vector<cv::Point> corners;
  for (const cv::Point2d& p : part) corners.emplace_back(cvRound(p.x), cvRound(p.y));
  cv::fillConvexPoly(mask, corners, 255);
  return mask;
}

// The part and what descriptors see around it.
cv::Rect box_of(const Polygon& part, cv::Size size) {
  constexpr int margin = 16;
  const std::vector<cv::Point2f> corners(part.begin(), part.end());
  const cv::Rect box = cv::boundingRect(corners);
  return cv::Rect(box.x - margin, box.y - margin, box.width + 2 * margin, box.height + 2 * margin) &
         cv::Rect({0, 0}, size);
}

// Keypoints of the drawn image, in the image that was drawn.
void bring_back(std::vector<Keypoint>& keypoints, const cv::Matx33d& from_to) {
  for (Keypoint& k : keypoints) {
    const cv::Vec3d p = from_to * cv::Vec3d(k.x, k.y, 1);
    const cv::Point2d place(p[0] / p[2], p[1] / p[2]);
    const cv::Matx22d jacobian(
        (from_to(0, 0) - place.x * from_to(2, 0)) / p[2], (from_to(0, 1) - place.x * from_to(2, 1)) / p[2],
        (from_to(1, 0) - place.y * from_to(2, 0)) / p[2], (from_to(1, 1) - place.y * from_to(2, 1)) / p[2]);
    const cv::Matx22d frame = jacobian * cv::Matx22d(affine_matrix(k).data());
    k.x = static_cast<float>(place.x);
    k.y = static_cast<float>(place.y);
    set_ellipse(k, {static_cast<float>(frame(0, 0)), static_cast<float>(frame(0, 1)), static_cast<float>(frame(1, 0)),
                    static_cast<float>(frame(1, 1))});
  }
}

// The two images of one round, in which one is drawn in the frame of the other.
class Round {
 public:
  Round(Extractor& extractor, const TwoViews& views, const MatchOptions& match, const DeviceOptions& device)
      : extractor_(extractor), views_(views), matcher_(match, device) {}

  // The matches at most `radius` pixels from where the homography puts them, and the homography of these.
  std::optional<Alignment> run(const std::array<double, 9>& b_from_a, double radius, const RobustOptions& robust) {
    const cv::Size a = size_of(views_.image_a), b = size_of(views_.image_b);
    const Meeting meeting = meeting_of(cv::Matx33d(b_from_a.data()), a, b);
    constexpr double least_area = 400;  // [pixel²]
    if (!(area_of(meeting.drawn_part) > least_area) || !(area_of(meeting.other_part) > least_area)) return {};
    Alignment result;
    result.a = views_.features_a;
    result.b = views_.features_b;
    add(result, draw(views_.image_a, meeting.to_from, b, meeting.other_part, views_.features_b, radius), false);
    add(result, draw(views_.image_b, meeting.to_from.inv(), a, meeting.drawn_part, views_.features_a, radius), true);
    refine_matches(views_.image_a, result.a, views_.image_b, result.b, result.matches);
    result.homography = estimate_homography(result.a, result.b, result.matches, robust);
    return result;
  }

 private:
  // An image in the frame of the other: its features, back in the image, and their matches with those of the other.
  struct Drawn {
    Features features;
    std::vector<Match> matches;
  };

  Drawn draw(const ImageView& image, const cv::Matx33d& to_from, cv::Size size, const Polygon& part,
             const Features& other, double radius) {
    const cv::Rect box = box_of(part, size);
    const cv::Matx33d to_box(1, 0, -box.x, 0, 1, -box.y, 0, 0, 1);
    const cv::Mat pixels = drawn(grey_of(image), to_box * to_from, box.size());
    cv::Mat mask = mask_of(part, size)(box).clone();
    if (const auto shown = mask_of_alpha(image)) {
      cv::Mat there;
      cv::warpPerspective(io::to_mat(shown->view()), there, to_box * to_from, box.size(), cv::INTER_NEAREST);
      mask.setTo(0, there == 0);
    }
    const ImageView mask_view = io::view_of(mask);
    Drawn result{extractor_.extract(io::view_of(pixels), &mask_view), {}};
    for (Keypoint& k : result.features.keypoints) {
      k.x += static_cast<float>(box.x);
      k.y += static_cast<float>(box.y);
    }
    result.matches = matcher_.match(result.features, other, Guide{.radius = radius});
    bring_back(result.features.keypoints, to_from.inv());
    return result;
  }

  // Adds the features behind those of their image. `is_b`: B was drawn.
  static void add(Alignment& all, const Drawn& more, bool is_b) {
    Features& features = is_b ? all.b : all.a;
    const auto first = static_cast<std::int32_t>(features.size());
    features.keypoints.insert(features.keypoints.end(), more.features.keypoints.begin(), more.features.keypoints.end());
    features.descriptors.insert(features.descriptors.end(), more.features.descriptors.begin(),
                                more.features.descriptors.end());
    for (const Match& match : more.matches) {
      all.matches.push_back(is_b ? Match{match.b, first + match.a, match.distance2}
                                 : Match{first + match.a, match.b, match.distance2});
    }
    std::ranges::sort(all.matches, {}, &Match::a);
  }

  Extractor& extractor_;
  const TwoViews& views_;
  Matcher matcher_;
};

// The places of an image: cells with at least four keypoints in the part that the other image shows too.
class Places {
 public:
  Places(const ImageView& image, const Features& features, const Polygon& part)
      : cell_(static_cast<float>(std::max(image.width, image.height)) / 16) {
    const std::vector<cv::Point2f> corners(part.begin(), part.end());
    for (const Keypoint& k : features.keypoints) {
      if (cv::pointPolygonTest(corners, {k.x, k.y}, false) >= 0) ++keypoints_[cell_of(k)];
    }
    std::erase_if(keypoints_, [](const auto& cell) { return cell.second < 4; });
  }

  void add_inlier(const Keypoint& k) {
    if (keypoints_.contains(cell_of(k))) with_inliers_.insert(cell_of(k));
  }

  // Of the places, those with an inlier.
  [[nodiscard]] double share() const {
    return static_cast<double>(with_inliers_.size()) / std::max(1.0, static_cast<double>(keypoints_.size()));
  }

 private:
  using Cell = std::pair<int, int>;
  [[nodiscard]] Cell cell_of(const Keypoint& k) const {
    return {static_cast<int>(k.x / cell_), static_cast<int>(k.y / cell_)};
  }

  float cell_;  // [pixel]
  std::map<Cell, int> keypoints_;
  std::set<Cell> with_inliers_;
};

// Whether more pairs agree than chance gives: a match is anywhere within the radius of its place.
bool is_confirmed(const Alignment& alignment, double radius, double threshold) {
  const RobustModel& model = alignment.homography;
  const auto pairs = static_cast<int>(alignment.matches.size());
  const double chance = std::min(1.0, std::pow(2 * threshold / radius, 2));
  constexpr int fewest = 12;
  return model.found && model.inlier_count >= fewest && model.inlier_count > 8 + chance * pairs &&
         supports_model(pairs, model.inlier_count, 4, chance);
}

}  // namespace

double share_with_inliers(const TwoViews& views, const Alignment& found) {
  const Meeting meeting =
      meeting_of(cv::Matx33d(found.homography.b_from_a.data()), size_of(views.image_a), size_of(views.image_b));
  Places in_a(views.image_a, views.features_a, meeting.drawn_part),
      in_b(views.image_b, views.features_b, meeting.other_part);
  for (std::size_t i = 0; i < found.matches.size(); ++i) {
    if (found.homography.inliers[i] == 0) continue;
    in_a.add_inlier(found.a.keypoints[static_cast<std::size_t>(found.matches[i].a)]);
    in_b.add_inlier(found.b.keypoints[static_cast<std::size_t>(found.matches[i].b)]);
  }
  return std::max(in_a.share(), in_b.share());
}

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
  return best;
}

}  // namespace octavo
