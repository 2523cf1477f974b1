#include "colmap/pair_matching.h"

#include <algorithm>
#include <utility>

namespace octavo::colmap {
namespace {

// The epipolar lines of a fundamental matrix.
Guide guide_of(const RobustModel& model, double radius) {
  Guide lines{.model = Guide::Model::fundamental, .radius = radius};
  std::copy(model.b_from_a.begin(), model.b_from_a.end(), lines.b_from_a);
  return lines;
}

}  // namespace

PairMatching::PairMatching(const ColmapJob& job)
    : job_(job), matcher_(job.match, job.device), pool_(job.device.threads) {
  if (job.options.guided) guided_matcher_.emplace(job.match, job.device);
}

std::future<MatchedBlock> PairMatching::begin(FeaturesPointer a, std::vector<FeaturesPointer> partners) {
  return std::async(std::launch::async, [this, block = MatchedBlock{std::move(a), std::move(partners), {}}]() mutable {
    std::vector<const Features*> collection;
    for (const FeaturesPointer& partner : block.partners) collection.push_back(partner.get());
    for (std::vector<Match>& matches : matcher_.match(*block.a, collection)) {
      block.pairs.push_back({.matches = std::move(matches), .model = {}, .verified = {}});
    }
    return std::move(block);
  });
}

void PairMatching::verify(MatchedBlock& block) {
  if (job_.options.verify == ColmapOptions::Verify::none) return;
  const Features& a = *block.a;
  const int count = static_cast<int>(block.pairs.size());
  pool_.parallel_for(count, [&](int i, int) {
    MatchedPair& pair = block.pairs[i];
    pair.verified = pair.matches;
    pair.model = estimate_fundamental(a, *block.partners[i], pair.verified, job_.robust);
  });
  if (!guided_matcher_) return;
  // The matches near the epipolar lines replace the first ones if their model has more inliers.
  std::vector<std::vector<Match>> guided(count);
  for (int i = 0; i < count; ++i) {
    const RobustModel& model = *block.pairs[i].model;
    if (model.found) guided[i] = guided_matcher_->match(a, *block.partners[i], guide_of(model, job_.robust.threshold));
  }
  pool_.parallel_for(count, [&](int i, int) {
    MatchedPair& pair = block.pairs[i];
    if (!pair.model->found) return;
    RobustModel better = estimate_fundamental(a, *block.partners[i], guided[i], job_.robust);
    if (!better.found || better.inlier_count <= pair.model->inlier_count) return;
    pair.verified = std::move(guided[i]);
    pair.model = std::move(better);
  });
}

}  // namespace octavo::colmap
