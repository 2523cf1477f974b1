// Features come from an extractor or from files; from there on all settings are treated alike.

#include "cli/evaluate/contender.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "octavo/error.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

// The `budget` features of strongest response, in their order; the first among equals.
Features strongest(const Features& features, std::size_t budget) {
  std::vector<std::size_t> order(features.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return features.keypoints[i].response > features.keypoints[j].response;
  });
  order.resize(budget);
  std::sort(order.begin(), order.end());
  Features kept;
  for (const std::size_t i : order) {
    kept.keypoints.push_back(features.keypoints[i]);
    const auto descriptor = features.descriptor(i);
    kept.descriptors.insert(kept.descriptors.end(), descriptor.begin(), descriptor.end());
  }
  return kept;
}

}  // namespace

Contender::Contender(const Setting& setting, const DeviceOptions& device)
    : setting_(setting), mutual_({.ratio = 1}, device), matcher_(setting.match, device) {
  if (setting.features.empty()) extractor_.emplace(setting.sift, device);
}

Features Contender::features(const Image& image, const std::filesystem::path& name) {
  Features found = extractor_ ? extractor_->extract(image.view()) : read_features(image, name);
  const auto budget = static_cast<std::size_t>(setting_.sift.max_features);
  ++images_;
  if (found.size() < budget) {
    if (short_images_++ == 0 || found.size() < fewest_) {
      fewest_ = found.size();
      fewest_of_ = name.string();
    }
  }
  return found;
}

Features Contender::read_features(const Image& image, const std::filesystem::path& name) const {
  std::filesystem::path file = setting_.features / name;
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
                    file.string(), i, k.x, k.y, name.string(), image.width(), image.height()));
  }
  const auto budget = static_cast<std::size_t>(setting_.sift.max_features);
  return budget > 0 && found.size() > budget ? strongest(found, budget) : found;
}

PairScores Contender::score(const Features& a, const Features& b, const Truth& truth, ImageSize size_a,
                            ImageSize size_b, const RobustOptions& robust) {
  return score_pair(a, b, mutual_.match(a, b), matcher_.match(a, b), truth, size_a, size_b, robust);
}

std::string Contender::shortage() const {
  if (short_images_ == 0) return {};
  return fmt::format("{}: {} of {} images have fewer than {} keypoints, the fewest are {} in {}", setting_.name,
                     short_images_, images_, setting_.sift.max_features, fewest_, fewest_of_);
}

}  // namespace octavo::cli
