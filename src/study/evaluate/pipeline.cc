// Features come from an extractor, from files or from the caller. All later steps are the same for all pipelines.

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "engine/core/check.h"
#include "engine/extract/selection.h"
#include "octavo/error.h"
#include "octavo/io/feature_files.h"
#include "octavo/multiview/geometry.h"
#include "study/evaluate/comparison.h"

namespace octavo {
namespace {

Features picked(const Features& features, std::span<const std::size_t> order) {
  Features kept;
  for (const std::size_t i : order) {
    kept.keypoints.push_back(features.keypoints[i]);
    if (features.descriptors.empty()) continue;
    const auto descriptor = features.descriptor(i);
    kept.descriptors.insert(kept.descriptors.end(), descriptor.begin(), descriptor.end());
  }
  return kept;
}

Features masked(const Features& features, const ImageView& mask) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (inside(mask, features.keypoints[i].x, features.keypoints[i].y)) order.push_back(i);
  }
  return order.size() == features.size() ? features : picked(features, order);
}

// The `budget` features of strongest response, in their order. Of equal responses the first are kept.
Features strongest(const Features& features, std::size_t budget) {
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return features.keypoints[i].response > features.keypoints[j].response;
  });
  order.resize(budget);
  std::sort(order.begin(), order.end());
  return picked(features, order);
}

bool are_described(const Features& a, const Features& b) {
  const auto is_undescribed = [](const Features& f) { return f.descriptors.empty() && f.size() > 0; };
  return !is_undescribed(a) && !is_undescribed(b);
}

// What is told of matches. How keypoints repeat stays that of the detector.
void take_matches(PairScores& scores, const PairScores& from) {
  scores.mutual_judged = from.mutual_judged;
  scores.mutual_correct = from.mutual_correct;
  scores.judged = from.judged;
  scores.correct = from.correct;
  scores.homography = from.homography;
  scores.corner_error = from.corner_error;
}

Features read_features(const std::filesystem::path& folder, const ImageView& image, const ImageName& name) {
  std::filesystem::path file = folder / name.path;
  file += ".npz";
  Features found = read_npz_features(file);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Keypoint& k = found.keypoints[i];
    if (k.x >= -0.5f && k.y >= -0.5f && k.x <= static_cast<float>(image.width) - 0.5f &&
        k.y <= static_cast<float>(image.height) - 0.5f) {
      continue;
    }
    throw Error(
        ErrorCode::file_error,
        fmt::format("cannot use '{}': the sizes disagree: keypoint {} lies at ({}, {}), outside {}, which is {} "
                    "× {} pixels",
                    file.string(), i, k.x, k.y, name.label, image.width, image.height));
  }
  return found;
}

}  // namespace

FindFeatures features_by(Extractor extractor) {
  // std::function must be copyable, but an extractor is not.
  return [shared = std::make_shared<Extractor>(std::move(extractor))](
             const ImageView& image, const ImageView* mask, const ImageName&) { return shared->extract(image, mask); };
}

FindFeatures features_in(std::filesystem::path folder) {
  return [folder = std::move(folder)](const ImageView& image, const ImageView*, const ImageName& name) {
    return read_features(folder, image, name);
  };
}

Pipeline::Pipeline(std::string name, FindFeatures find, int max_features, const MatchOptions& match,
                   const DeviceOptions& device, bool refine)
    : name_(std::move(name)),
      find_(std::move(find)),
      max_features_(static_cast<std::size_t>(max_features)),
      mutual_({.ratio = 1}, device),
      matcher_(match, device),
      refine_(refine) {
  check_range("max_features", max_features, 0, std::numeric_limits<int>::max());
}

Features Pipeline::features_that_count(const ImageView& image, const ImageView* mask, const ImageName& name) {
  Features found = find_(image, mask, name);
  if (mask) found = masked(found, *mask);
  if (max_features_ > 0 && found.size() > max_features_) found = strongest(found, max_features_);
  return found;
}

Features Pipeline::features(const ImageView& image, const ImageView* mask, const ImageName& name) {
  Features found = features_that_count(image, mask, name);
  const auto [known, is_new] = found_.emplace(name.label, found.size());
  known->second = std::min(known->second, found.size());
  return found;
}

void Pipeline::warm_up(const ImageView& image, const ImageName& name) {
  const Features found = features_that_count(image, nullptr, name);
  matches(found, found);
}

std::vector<Match> Pipeline::matches(const Features& a, const Features& b) {
  return are_described(a, b) ? matcher_.match(a, b) : std::vector<Match>{};
}

PairScores Pipeline::score(const ImageView& image_a, const Features& a, const ImageView& image_b, const Features& b,
                           const Truth& truth, const RobustOptions& robust) {
  const ImageSize size_a{image_a.width, image_a.height}, size_b{image_b.width, image_b.height};
  const std::vector<Match> mutual = are_described(a, b) ? mutual_.match(a, b) : std::vector<Match>{};
  const std::vector<Match> judged = matches(a, b);
  if (!refine_) return score_pair(a, b, mutual, judged, truth, size_a, size_b, robust);
  Features refined = b;
  refine_matches(image_a, a, image_b, refined, mutual);
  PairScores scores = count_pair(a, b, mutual, judged, truth, size_a, size_b);
  take_matches(scores, score_pair(a, refined, mutual, judged, truth, size_a, size_b, robust));
  return scores;
}

std::string Pipeline::shortage() const {
  const auto too_few =
      std::count_if(found_.begin(), found_.end(), [&](const auto& one) { return one.second < max_features_; });
  if (too_few == 0) return {};
  const auto fewest = std::min_element(found_.begin(), found_.end(),
                                       [](const auto& one, const auto& other) { return one.second < other.second; });
  return fmt::format("configuration '{}': {} of {} images have fewer than {} keypoints, the fewest are {} in {}", name_,
                     too_few, found_.size(), max_features_, fewest->second, fewest->first);
}

}  // namespace octavo
