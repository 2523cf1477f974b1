// Features come from an extractor or from files; from there on all settings are treated alike.

#include "cli/evaluate/contender.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo::cli {
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

// The features whose nearest pixel is not 0 in the mask.
Features inside(const Features& features, const Image& mask) {
  const auto nearest = [](float x, int length) { return std::clamp(static_cast<int>(std::lround(x)), 0, length - 1); };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Keypoint& k = features.keypoints[i];
    if (mask.row(nearest(k.y, mask.height()))[nearest(k.x, mask.width())] != std::byte{0}) order.push_back(i);
  }
  return picked(features, order);
}

// The `budget` features of strongest response, in their order; the first among equals.
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

}  // namespace

Contender::Contender(const Setting& setting, const DeviceOptions& device)
    : setting_(setting), mutual_({.ratio = 1}, device), matcher_(setting.match, device) {
  if (setting.features.empty()) extractor_ = make_extractor(setting.detector, device);
}

Features Contender::features(const Image& image, const std::optional<Image>& mask, const ImageName& name) {
  Features found =
      extractor_ ? extractor_->extract(image.view(), mask ? &mask->view() : nullptr) : read_features(image, mask, name);
  const auto [known, is_new] = found_.emplace(name.told, found.size());
  known->second = std::min(known->second, found.size());
  return found;
}

Features Contender::read_features(const Image& image, const std::optional<Image>& mask, const ImageName& name) const {
  std::filesystem::path file = setting_.features / name.path;
  file += ".npz";
  Features found = read_npz_features(file);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Keypoint& k = found.keypoints[i];
    if (k.x >= -0.5f && k.y >= -0.5f && k.x <= static_cast<float>(image.width()) - 0.5f &&
        k.y <= static_cast<float>(image.height()) - 0.5f) {
      continue;
    }
    throw Error(
        ErrorCode::file_error,
        fmt::format("cannot use '{}': the sizes disagree: keypoint {} lies at ({}, {}), outside {}, which is {} "
                    "× {} pixels",
                    file.string(), i, k.x, k.y, name.told, image.width(), image.height()));
  }
  if (mask) found = inside(found, *mask);
  const auto budget = static_cast<std::size_t>(setting_.detector.sift.max_features);
  return budget > 0 && found.size() > budget ? strongest(found, budget) : found;
}

PairScores Contender::score(const Features& a, const Features& b, const Truth& truth, ImageSize size_a,
                            ImageSize size_b, const RobustOptions& robust) {
  const auto undescribed = [](const Features& f) { return f.descriptors.empty() && f.size() > 0; };
  if (undescribed(a) || undescribed(b)) return score_pair(a, b, {}, {}, truth, size_a, size_b, robust);
  return score_pair(a, b, mutual_.match(a, b), matcher_.match(a, b), truth, size_a, size_b, robust);
}

std::string Contender::shortage() const {
  const auto budget = static_cast<std::size_t>(setting_.detector.sift.max_features);
  const auto too_few =
      std::count_if(found_.begin(), found_.end(), [&](const auto& one) { return one.second < budget; });
  if (too_few == 0) return {};
  const auto fewest = std::min_element(found_.begin(), found_.end(),
                                       [](const auto& one, const auto& other) { return one.second < other.second; });
  return fmt::format("setting '{}': {} of {} images have fewer than {} keypoints, the fewest are {} in {}",
                     setting_.name, too_few, found_.size(), budget, fewest->second, fewest->first);
}

}  // namespace octavo::cli
