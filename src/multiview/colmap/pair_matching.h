#pragma once

// Pairs of images that are matched and verified. The two stages take turns at different hardware: one thread matches
// pairs on the device, in the order in which they are given, while others verify those before them. Few pairs are in
// work at a time, so that few are lost when the process is killed.

#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "multiview/colmap/image_cache.h"
#include "multiview/colmap/work_queue.h"
#include "octavo/extractor.h"
#include "octavo/matcher.h"
#include "octavo/multiview/colmap_job.h"
#include "octavo/multiview/geometry.h"

namespace octavo::colmap {

using FeaturesPointer = std::shared_ptr<const Features>;

/// An image of the database.
struct PairImage {
  std::int64_t image = 0;
  FeaturesPointer features;
};

struct MatchedPair {
  PairImage a, b;
  std::vector<Match> matches;
  std::optional<RobustModel> model;  ///< if the job verifies
  std::vector<Match> verified;       ///< those of the model, with its inliers marked
  std::exception_ptr failure;        ///< what stopped the work on the pair
};

class PairMatching {
 public:
  /// Keeps a reference to the job. Throws as Matcher.
  PairMatching(const ColmapJob& job, const DeviceOptions& device);

  /// Whether `begin` is to be called rather than `next`: too few pairs are in work.
  [[nodiscard]] bool has_room() const { return in_work_ < most_in_work_; }
  [[nodiscard]] bool has_work() const { return in_work_ > 0; }

  void begin(PairImage a, PairImage b);

  /// Waits for a pair that is done, in no order. Pairs must be in work.
  MatchedPair next();

 private:
  void match(const std::stop_token& stop);
  std::vector<Match> match(const MatchedPair& pair);
  DeviceFeatures on_gpu(const PairImage& image);
  void verify(const std::stop_token& stop);
  void verify(MatchedPair& pair);

  const ColmapJob& job_;
  Matcher matcher_;
  ImageCache<DeviceFeatures> gpu_features_;
  std::mutex guided_use_;
  std::optional<Matcher> guided_matcher_;  // its own, as matcher_ is at work on later pairs
  int most_in_work_ = 0, in_work_ = 0;
  WorkQueue<MatchedPair> to_match_, to_verify_, done_;
  std::vector<std::jthread> threads_;  // they end first
};

}  // namespace octavo::colmap
