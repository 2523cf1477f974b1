// From features to pairs of images: by few features, by all where few agree poorly, and by those of copies of even
// contrast where images are connected with no other. Images that add nothing are left out on the way.

#include "multiview/mosaic/find_pairs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "multiview/mosaic/by_hand.h"
#include "multiview/mosaic/even_contrast.h"
#include "multiview/mosaic/lens_of_pairs.h"
#include "multiview/mosaic/match_pairs.h"
#include "multiview/mosaic/redundant.h"
#include "multiview/mosaic/refine.h"
#include "multiview/mosaic/repetition.h"

namespace octavo::mosaic {
namespace {

constexpr std::size_t few_images = 4;    // all of whose features are matched at once: it bounds the time; not tuned
constexpr std::size_t many_images = 30;  // of which the likely pairs alone are matched; the same
// The features that tell whether a pair is likely: first, and of images that are outside of the largest group then.
// They bound the time; not tuned.
constexpr std::size_t first_of_each = 200, more_of_each = 400;

bool is_any(std::size_t, std::size_t) { return true; }

std::set<std::pair<std::size_t, std::size_t>> listed_pairs(const MosaicOptions& options) {
  std::set<std::pair<std::size_t, std::size_t>> listed;
  if (!options.pairs) return listed;
  for (const auto& [a, b] : *options.pairs) listed.insert(std::minmax(a, b));
  return listed;
}

// Exact places of pairs, by their intensities.
void align_all(std::vector<VerifiedPair>& pairs, const std::vector<GreyImage>& greys, double threshold,
               const ProgressSink& progress) {
  report(progress, "comparing intensities");
  cv::parallel_for_(cv::Range(0, static_cast<int>(pairs.size())), [&](const cv::Range& range) {
    for (int k = range.start; k < range.end; ++k) {
      VerifiedPair& pair = pairs[static_cast<std::size_t>(k)];
      if (pair.report.inliers == 0 || pair.report.status == MosaicPairStatus::watermark) continue;
      align(pair, greys[static_cast<std::size_t>(pair.report.a)], greys[static_cast<std::size_t>(pair.report.b)],
            threshold);
    }
  });
}

// The pairs that are trusted before anything is adjusted: those that agree, but for weak ones that the way through the
// tree does not confirm.
std::vector<const VerifiedPair*> trusted_pairs(const std::vector<VerifiedPair>& pairs,
                                               const std::vector<ImageSize>& sizes, double threshold) {
  constexpr double thresholds = 2;  // of an inlier: homographies one after the other are less exact than one; a guess
  const std::vector<int> group = groups(static_cast<int>(sizes.size()), pairs);
  const std::vector<std::size_t> weak = weak_pairs(pairs, group);
  const Tree tree = strongest_tree(group, 0, pairs);
  const Frames of_homographies{};  // no model is known yet
  std::vector<const VerifiedPair*> list;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!agrees(pairs[i].report)) continue;
    const bool is_weak = std::ranges::binary_search(weak, i);
    if (!is_weak || loop_error(tree, i, pairs, of_homographies, sizes) <= thresholds * threshold)
      list.push_back(&pairs[i]);
  }
  return list;
}

// What patterns that repeat make of pairs: places that nothing decides, and depth that is none.
void judge_repetition(std::vector<VerifiedPair>& pairs, const std::vector<GreyImage>& greys, double threshold) {
  cv::parallel_for_(cv::Range(0, static_cast<int>(pairs.size())), [&](const cv::Range& range) {
    for (int k = range.start; k < range.end; ++k) {
      VerifiedPair& pair = pairs[static_cast<std::size_t>(k)];
      if (pair.report.status != MosaicPairStatus::used || pair.report.by_hand) continue;
      const auto a = static_cast<std::size_t>(pair.report.a), b = static_cast<std::size_t>(pair.report.b);
      if (is_undecidable(pair, greys[a], greys[b], threshold)) pair.report.status = MosaicPairStatus::undecidable;
      pair.parallax = true_parallax(pair, greys[a], greys[b], threshold);
    }
  });
}

class PairFinder {
 public:
  PairFinder(const Images& images, const std::vector<GreyImage>& greys, Matcher& matcher, const RobustOptions& robust,
             const MosaicOptions& options, const ProgressSink& progress)
      : images_(images),
        greys_(greys),
        matcher_(matcher),
        robust_(robust),
        are_listed_(options.pairs.has_value()),
        listed_(listed_pairs(options)),
        progress_(progress) {}

  // The pairs of wanted images, by few features.
  std::vector<VerifiedPair> by_few(const std::vector<Features>& features) const {
    const std::vector<Features> few = few_features(features);
    std::vector<VerifiedPair> pairs = matched(few, likely(features, first_of_each, is_any));
    if (features.size() <= many_images) return pairs;
    const std::vector<int> group = group_of(pairs);
    const auto is_outside = [&](std::size_t a, std::size_t b) { return group[a] != 0 || group[b] != 0; };
    add_pairs(pairs, matched(few, likely(features, more_of_each, is_outside)));
    return pairs;
  }

  // Whether one of its images is not wanted any more.
  [[nodiscard]] bool is_left_out(const VerifiedPair& pair) const {
    return !is_matched(static_cast<std::size_t>(pair.report.a)) || !is_matched(static_cast<std::size_t>(pair.report.b));
  }
  void leave_out(std::vector<VerifiedPair>& pairs) const {
    std::erase_if(pairs, [&](const VerifiedPair& pair) { return is_left_out(pair); });
  }

  // The pairs of wanted images, of which those that were found by few features have few matches, by all features.
  void complete(std::vector<VerifiedPair>& pairs, const std::vector<Features>& features) const {
    std::set<std::pair<std::size_t, std::size_t>> again;
    std::erase_if(pairs, [&](const VerifiedPair& pair) {
      const std::pair of(static_cast<std::size_t>(pair.report.a), static_cast<std::size_t>(pair.report.b));
      if (has_enough(pair.report)) return false;
      if (pair.report.inliers > 0) again.insert(of);
      return true;
    });
    add_pairs(pairs, matched(features, [&](std::size_t a, std::size_t b) { return again.count({a, b}) > 0; }));
  }

  // Adds what copies of even contrast show of images that are outside of the largest group.
  void add_even_contrast(std::vector<VerifiedPair>& pairs, std::vector<Features> features, Extractor& extractor) const {
    const std::vector<int> group = group_of(pairs);
    std::vector<bool> is_outside;
    for (std::size_t i = 0; i < group.size(); ++i) is_outside.push_back(is_matched(i) && group[i] != 0);
    if (std::find(is_outside.begin(), is_outside.end(), true) == is_outside.end()) return;
    for (std::size_t i = 0; i < greys_.size(); ++i) {
      report(progress_, "features of even contrast", i, greys_.size());
      if (is_matched(i)) features[i] = features_of_even_contrast(greys_[i], extractor);
    }
    const auto is_tried = [&](std::size_t a, std::size_t b) { return is_outside[a] || is_outside[b]; };
    std::vector<VerifiedPair> even = matched(features, likely(features, more_of_each, is_tried), true);
    align_all(even, greys_, robust_.threshold, progress_);
    std::erase_if(even, [](const VerifiedPair& pair) { return pair.report.status != MosaicPairStatus::used; });
    add_pairs(pairs, std::move(even));
  }

  std::vector<VerifiedPair> matched(const std::vector<Features>& features, const IsPairWanted& is_tried,
                                    bool even_contrast = false) const {
    return match_pairs(source(features, is_tried, even_contrast), matcher_, robust_, progress_);
  }

 private:
  // Of many images the pairs that are likely by so many features of each; of few all that are tried.
  [[nodiscard]] IsPairWanted likely(const std::vector<Features>& features, std::size_t of_each,
                                    const IsPairWanted& is_tried) const {
    if (features.size() <= many_images) return is_tried;
    return
        [list = likely_pairs(source(features, is_tried), of_each, matcher_, progress_)](std::size_t a, std::size_t b) {
          return list.contains({a, b});
        };
  }

  [[nodiscard]] bool is_matched(std::size_t i) const { return is_wanted(images_.told[i]); }

  [[nodiscard]] PairSource source(const std::vector<Features>& features, const IsPairWanted& is_tried,
                                  bool even_contrast = false) const {
    const auto both = [this, is_tried](std::size_t a, std::size_t b) {
      return is_matched(a) && is_matched(b) && (!are_listed_ || listed_.contains({a, b})) && is_tried(a, b);
    };
    return {features, images_.sizes, greys_, both, even_contrast};
  }

  [[nodiscard]] std::vector<int> group_of(const std::vector<VerifiedPair>& pairs) const {
    return groups(static_cast<int>(images_.sizes.size()), pairs);
  }

  const Images& images_;
  const std::vector<GreyImage>& greys_;
  Matcher& matcher_;
  const RobustOptions& robust_;
  bool are_listed_;  // the pairs that are matched
  std::set<std::pair<std::size_t, std::size_t>> listed_;
  const ProgressSink& progress_;
};

}  // namespace

std::vector<VerifiedPair> find_pairs(Images& images, std::vector<Features> features,
                                     const std::vector<GreyImage>& greys, Extractor& extractor, Matcher& matcher,
                                     const RobustOptions& robust, const MosaicOptions& options,
                                     const ProgressSink& progress) {
  const PairFinder finder(images, greys, matcher, robust, options, progress);
  const bool is_by_few = features.size() > few_images;
  std::vector<VerifiedPair> pairs = is_by_few ? finder.by_few(features) : finder.matched(features, is_any);
  std::vector<VerifiedPair> of_left_out;  // they tell still what shows the images that are left out
  const auto leave_out_redundant = [&] {
    const std::vector<const VerifiedPair*> trusted = trusted_pairs(pairs, images.sizes, robust.threshold);
    std::vector<const VerifiedPair*> all = trusted;
    for (const VerifiedPair& pair : of_left_out) all.push_back(&pair);
    if (!options.keep_redundant) images.told = with_redundant(images, all);
    for (const VerifiedPair* const pair : trusted) {
      if (finder.is_left_out(*pair)) of_left_out.push_back(*pair);
    }
    finder.leave_out(pairs);
  };
  leave_out_redundant();
  if (is_by_few) {
    finder.complete(pairs, features);
    leave_out_redundant();  // badly exposed images have few good features
  }
  verify_with_lens(pairs, features, images.sizes, robust);
  add_by_hand(pairs, pairs_by_hand(options.points, images.told));
  align_all(pairs, greys, robust.threshold, progress);
  finder.add_even_contrast(pairs, std::move(features), extractor);
  report(progress, "patterns that repeat");
  judge_repetition(pairs, greys, robust.threshold);
  return pairs;
}

}  // namespace octavo::mosaic
