// Images that plain features do not align: views of both propose homographies, and the pixels decide.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "io/images/mask.h"
#include "io/opencv/cv_mat.h"
#include "multiview/align/brought_together.h"
#include "multiview/align/choice.h"
#include "multiview/align/mirrored.h"
#include "multiview/align/proposals.h"
#include "multiview/align/rivals.h"
#include "multiview/align/seen_doubts.h"
#include "multiview/align/seen_parallax.h"
#include "multiview/geometry/visible_part.h"
#include "octavo/image.h"
#include "octavo/multiview/align.h"

namespace octavo {

namespace {

using Kind = AlignmentWarning::Kind;

class Anew {
 public:
  Anew(const Alignment& plain, const ImageView& image_a, const ImageView& image_b, const AlignTools& tools,
       const RobustOptions& robust)
      : plain_(plain),
        images_{image_a, image_b, plain.a, plain.b},
        tools_(tools),
        robust_(robust),
        extractor_(make_extractor(with_views(tools.detector, Views::none), tools.device)) {}

  // What a homography leads to, with its warnings. What the pixels confirm may have any perspective.
  std::optional<Alignment> of_homography(const std::array<double, 9>& b_from_a) {
    std::optional<Confirmed> confirmed =
        brought_together(extractor_, images_, b_from_a, tools_.match, tools_.device, robust_);
    if (!confirmed) return {};
    Alignment& found = confirmed->alignment;
    found.retried = true;
    const ImageView &a = images_.image_a, &b = images_.image_b;
    const PointPairs pairs = point_pairs(found.a, found.b, found.matches);
    found.warnings =
        warnings_of(found.homography, pairs, {a.width, a.height}, {b.width, b.height}, robust_, confirmed->radius);
    keep_seen_parallax(found.warnings, found.homography, pairs, a, b, robust_, confirmed->radius);
    std::erase_if(found.warnings, [](const AlignmentWarning& one) { return one.kind == Kind::extreme_perspective; });
    add_parallax(found);
    add_seen_doubts(images_, found, robust_.threshold);
    // So few in so small a part also agree in images that have nothing in common.
    if (has_warning(found, {Kind::few_inliers}) && has_warning(found, {Kind::local})) return {};
    add_rival(found);
    return std::move(found);
  }

  // The first proposal of views that the pixels confirm well; else the best that they confirm.
  std::optional<Alignment> of_views(Views views) {
    constexpr std::size_t most_proposals = 6;  // of each set of views: it bounds the time; not tuned
    std::optional<Alignment> best;
    for (const Proposal& proposal : proposals_of(views, most_proposals)) {
      std::optional<Alignment> found = of_homography(proposal.b_from_a);
      if (!found || (best && !is_better(*found, *best))) continue;
      best = std::move(found);
      best->views = views;
      if (ends_search(*best)) break;
    }
    return best;
  }

  // Warns where another homography that was confirmed fits nearly as well. Lines of a pattern that repeats look like
  // depth: what is doubted for that alone may be wrong too.
  void add_known_rival(Alignment& found) const {
    if (!may_be_wrong(found)) add_rival_among(fits_, found);
  }

 private:
  std::vector<Proposal> proposals_of(Views views, std::size_t most) const {
    const int most_features = views == Views::few ? 3500 : 2500;  // the time of matching grows with the square
    DetectorOptions detector = with_views(tools_.detector, views);
    const int budget = max_features_of(detector);
    if (budget == 0 || budget > most_features) set_option(detector, "max_features", std::int64_t{most_features});
    Extractor extractor = make_extractor(detector, tools_.device);
    // Proposals need few right matches among many wrong ones: a lax ratio brings three times as many right ones.
    MatchOptions match = for_views(tools_.match, views);
    match.ratio = std::max(match.ratio, 0.9);
    Matcher matcher(match, tools_.device);
    const Features a = extract_shown(extractor, images_.image_a), b = extract_shown(extractor, images_.image_b);
    return propose_homographies(a, b, matcher.match(a, b), robust_.threshold, most);
  }

  static Fit fit_of(const Alignment& found) { return {found.homography.b_from_a, found.homography.inlier_count}; }

  [[nodiscard]] Meeting meeting_by(const Alignment& found) const {
    return meeting_of(cv::Matx33d(found.homography.b_from_a.data()), images_.image_a, images_.image_b);
  }

  // Warns where one of these homographies fits nearly as well.
  bool add_rival_among(std::span<const Fit> others, Alignment& found) const {
    const Fit own = fit_of(found);
    const Meeting meeting = meeting_by(found);
    const auto rival = std::ranges::find_if(
        others, [&](const Fit& other) { return is_rival(own, other, meeting, robust_.threshold); });
    if (rival == others.end()) return false;
    found.warnings.push_back(
        {Kind::undecidable,
         fmt::format("{} matches agree with another homography, {} with this one: a pattern repeats, "
                     "perhaps, so that nothing decides",
                     rival->inliers, own.inliers)});
    return true;
  }

  // The same for homographies that lie a period of a pattern away.
  void add_rival_by_period(Alignment& found) {
    for (const std::array<double, 9>& h : periods_away(images_, meeting_by(found))) {
      const auto other = brought_together(extractor_, images_, h, tools_.match, tools_.device, robust_);
      if (!other) continue;
      fits_.push_back(fit_of(other->alignment));
      if (add_rival_among(std::span(fits_).last(1), found)) return;
    }
  }

  void add_rival(Alignment& found) {
    const Fit own = fit_of(found);
    if (ends_search(found) && !add_rival_among(fits_, found)) add_rival_by_period(found);
    fits_.push_back(own);
  }

  // Depth beyond the radius within which matches are sought anew is seen in the plain ones alone.
  void add_parallax(Alignment& found) const {
    const auto is_parallax = [](const AlignmentWarning& one) { return one.kind == Kind::parallax; };
    if (std::ranges::any_of(found.warnings, is_parallax)) return;
    const PointPairs pairs = point_pairs(plain_.a, plain_.b, plain_.matches);
    const cv::Matx33d h(found.homography.b_from_a.data());
    RobustModel of_plain;
    of_plain.found = true;
    of_plain.b_from_a = found.homography.b_from_a;
    for (std::size_t i = 0; i < pairs.a.size(); ++i) {
      const cv::Point2d place = planes::mapped(h, {pairs.a[i].x, pairs.a[i].y}).place;
      const bool agrees = std::hypot(place.x - pairs.b[i].x, place.y - pairs.b[i].y) <= robust_.threshold;
      of_plain.inliers.push_back(agrees ? 1 : 0);
      of_plain.inlier_count += agrees ? 1 : 0;
    }
    const ImageView &a = images_.image_a, &b = images_.image_b;
    std::vector<AlignmentWarning> warnings =
        warnings_of(of_plain, pairs, {a.width, a.height}, {b.width, b.height}, robust_);
    keep_seen_parallax(warnings, of_plain, pairs, a, b, robust_);
    for (const AlignmentWarning& one : warnings) {
      if (is_parallax(one)) found.warnings.push_back(one);
    }
  }

  const Alignment& plain_;
  TwoViews images_;
  const AlignTools& tools_;
  const RobustOptions& robust_;
  Extractor extractor_;
  std::vector<Fit> fits_;  // all that were confirmed
};

// A smaller copy of a large image. Views of it are enough to find a homography, in a time that does not grow.
struct Reduced {
  explicit Reduced(const ImageView& full) {
    constexpr double most_pixels = 1.5e6;  // it bounds the time; not tuned
    const double factor = std::sqrt(most_pixels / (static_cast<double>(full.width) * full.height));
    cv::Mat small = io::to_mat(full);
    cv::resize(small, small, {}, std::min(1.0, factor), std::min(1.0, factor), cv::INTER_AREA);
    image = io::to_image(small);
    const double x = static_cast<double>(small.cols) / full.width, y = static_cast<double>(small.rows) / full.height;
    from_full = {x, 0, (x - 1) / 2, 0, y, (y - 1) / 2, 0, 0, 1};
  }
  static bool is_large(const ImageView& image) { return std::int64_t{image.width} * image.height > 2'000'000; }

  Image image;
  cv::Matx33d from_full;  // pixels of the image to those of the copy
};

// Whether views would find nothing better.
bool is_settled(const Alignment& found, const Alignment& plain) {
  return ends_search(found) && is_strong(found) && replaces(found, plain);
}

// Whether more views are for nothing: they find no more of a pattern that repeats.
bool has_views_enough(const Alignment& found) {
  return !may_be_wrong(found) || has_warning(found, {Kind::undecidable});
}

// What views of both images find; none if nothing better than `plain` is confirmed.
std::optional<Alignment> align_by_views(const Alignment& plain, const ImageView& image_a, const ImageView& image_b,
                                        const AlignTools& tools, const RobustOptions& robust,
                                        const ProgressSink& progress) {
  Anew anew(plain, image_a, image_b, tools, robust);
  std::optional<Alignment> best;
  const auto keep_better = [&](std::optional<Alignment> found) {
    if (found && (!best || is_better(*found, *best))) best = std::move(found);
  };
  if (plain.homography.found) {
    report(progress, "images brought together");
    keep_better(anew.of_homography(plain.homography.b_from_a));
    if (best && is_settled(*best, plain)) return best;
  }
  for (const Views views : {Views::few, Views::many}) {
    report(progress, views == Views::few ? "few views" : "many views");
    keep_better(anew.of_views(views));
    if (best && has_views_enough(*best)) break;
  }
  if (best) anew.add_known_rival(*best);
  if (best && !replaces(*best, plain)) best.reset();
  return best;
}

// Of large images smaller copies are aligned. What is found there is brought together at full size.
std::optional<Alignment> align_reduced(const Alignment& plain, const ImageView& image_a, const ImageView& image_b,
                                       const AlignTools& tools, const RobustOptions& robust,
                                       const ProgressSink& progress) {
  const Reduced a(image_a), b(image_b);
  Extractor extractor = make_extractor(tools.detector, tools.device);
  Matcher matcher(for_views(tools.match, views_of(tools.detector)), tools.device);
  const ImageView small_a = a.image.view(), small_b = b.image.view();
  Alignment small = align(extractor, matcher, small_a, small_b, robust, progress);
  if (is_doubted(small)) {
    if (auto found = align_by_views(small, small_a, small_b, tools, robust, progress)) small = *std::move(found);
  }
  if (!small.homography.found) return {};
  report(progress, "images brought together");
  const cv::Matx33d h = b.from_full.inv() * cv::Matx33d(small.homography.b_from_a.data()) * a.from_full;
  std::array<double, 9> b_from_a{};
  std::copy_n(h.val, 9, b_from_a.begin());
  std::optional<Alignment> found = Anew(plain, image_a, image_b, tools, robust).of_homography(b_from_a);
  if (!found || !replaces(*found, plain)) return {};
  found->views = small.views;
  return found;
}

}  // namespace

Alignment align_anew(Alignment plain, const ImageView& image_a, const ImageView& image_b, const AlignTools& tools,
                     const RobustOptions& robust, const ProgressSink& progress) {
  if (detector_of(tools.detector).find("views") == nullptr || !is_doubted(plain)) return plain;
  std::optional<Alignment> mirrored = align_mirrored(plain, image_a, image_b, tools, robust, progress);
  if (mirrored && is_strong(*mirrored)) return *std::move(mirrored);
  const bool is_large = Reduced::is_large(image_a) || Reduced::is_large(image_b);
  std::optional<Alignment> best =
      (is_large ? align_reduced : align_by_views)(plain, image_a, image_b, tools, robust, progress);
  // What is symmetric agrees with its mirror image too, so that views must have found less.
  if (mirrored && (!best || is_better(*mirrored, *best))) best = std::move(mirrored);
  return best ? *std::move(best) : plain;
}

}  // namespace octavo
