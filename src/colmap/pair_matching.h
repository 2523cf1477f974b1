// Matches one picture with some others, and verifies the matches. The two stages take turns at different hardware:
// while the device matches one block of pairs, the cores of the processor verify the block before it.

#pragma once

#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "device/cpu_pool.h"
#include "octavo/colmap_job.h"
#include "octavo/geometry.h"
#include "octavo/matcher.h"

namespace octavo::colmap {

using FeaturesPointer = std::shared_ptr<const Features>;

struct MatchedPair {
  std::vector<Match> matches;
  std::optional<RobustModel> model;  // if the job verifies
  std::vector<Match> verified;       // those of the model, with its inliers marked
};

// A picture with its partners, and the matches with each of them.
struct MatchedBlock {
  FeaturesPointer a;
  std::vector<FeaturesPointer> partners;
  std::vector<MatchedPair> pairs;
};

class PairMatching {
 public:
  // Keeps a reference to the job. Throws as Matcher.
  explicit PairMatching(const ColmapJob& job);

  // Matches on another thread. The block before it must have been waited for. What Matcher throws comes with the
  // result.
  std::future<MatchedBlock> begin(FeaturesPointer a, std::vector<FeaturesPointer> partners);

  // Fills models and verified matches, if the job verifies. May be called while the next block is matched.
  void verify(MatchedBlock& block);

 private:
  const ColmapJob& job_;
  Matcher matcher_;
  std::optional<Matcher> guided_matcher_;  // its own, as matcher_ is at work on the next block
  CpuPool pool_;
};

}  // namespace octavo::colmap
