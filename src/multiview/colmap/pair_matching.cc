#include "multiview/colmap/pair_matching.h"

#include <algorithm>
#include <utility>

#include "engine/device/cpu_pool.h"
#include "octavo/error.h"

namespace octavo::colmap {
namespace {

// The epipolar lines of a fundamental matrix.
Guide guide_of(const RobustModel& model, double radius) {
  Guide lines{.model = Guide::Model::fundamental, .radius = radius};
  std::copy(model.b_from_a.begin(), model.b_from_a.end(), lines.b_from_a);
  return lines;
}

// Does a step of a pair that has not failed, and keeps its failure.
template <class Step>
void attempt(MatchedPair& pair, const Step& step) {
  if (pair.failure) return;
  try {
    step();
  } catch (...) {
    pair.failure = std::current_exception();
  }
}

}  // namespace

PairMatching::PairMatching(const ColmapJob& job, const DeviceOptions& device)
    : job_(job),
      matcher_(for_views(job.match, views_of(job.detector)), device),
      gpu_features_(std::uint64_t{job.options.gpu_feature_memory} << 20) {
  if (job.options.guided) guided_matcher_.emplace(job.match, device);
  const bool verifies = job.options.verify != ColmapOptions::Verify::none;
  const int verifiers = verifies ? CpuPool(device.threads).threads() : 0;
  most_in_work_ = verifiers + 2;  // the device is at one, and finds another when it is done
  threads_.emplace_back([this](const std::stop_token& stop) { match(stop); });
  for (int i = 0; i < verifiers; ++i) {
    threads_.emplace_back([this](const std::stop_token& stop) { verify(stop); });
  }
}

void PairMatching::begin(PairImage a, PairImage b) {
  ++in_work_;
  MatchedPair pair;
  pair.a = std::move(a);
  pair.b = std::move(b);
  to_match_.push(std::move(pair));
}

MatchedPair PairMatching::next() {
  MatchedPair pair = *done_.pop();
  --in_work_;
  return pair;
}

void PairMatching::match(const std::stop_token& stop) {
  WorkQueue<MatchedPair>& after = job_.options.verify == ColmapOptions::Verify::none ? done_ : to_verify_;
  while (std::optional<MatchedPair> pair = to_match_.pop(stop)) {
    attempt(*pair, [&] { pair->matches = match(*pair); });
    after.push(std::move(*pair));
  }
}

std::vector<Match> PairMatching::match(const MatchedPair& pair) {
  const bool has_gpu = matcher_.isa() == "cuda" || matcher_.isa() == "opencl";
  if (!has_gpu) return matcher_.match(*pair.a.features, *pair.b.features);
  const auto matched = [&] { return matcher_.match(on_gpu(pair.a), on_gpu(pair.b)); };
  try {
    return matched();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::out_of_memory) throw;
    gpu_features_.clear();  // the GPU has less memory than the option allows
    return matched();
  }
}

DeviceFeatures PairMatching::on_gpu(const PairImage& image) {
  const Features& features = *image.features;
  return gpu_features_.get(
      image.image, [&] { return features.size() * (sizeof(Keypoint) + descriptor_length); },
      [&] { return matcher_.upload(features); });
}

void PairMatching::verify(const std::stop_token& stop) {
  while (std::optional<MatchedPair> pair = to_verify_.pop(stop)) {
    attempt(*pair, [&] { verify(*pair); });
    done_.push(std::move(*pair));
  }
}

void PairMatching::verify(MatchedPair& pair) {
  const Features &a = *pair.a.features, &b = *pair.b.features;
  pair.verified = pair.matches;
  pair.model = estimate_fundamental(a, b, pair.verified, job_.robust);
  if (!guided_matcher_ || !pair.model->found) return;
  // The matches near the epipolar lines replace the first ones if their model has more inliers.
  std::vector<Match> guided;
  {
    const std::lock_guard lock(guided_use_);
    guided = guided_matcher_->match(a, b, guide_of(*pair.model, job_.robust.threshold));
  }
  RobustModel better = estimate_fundamental(a, b, guided, job_.robust);
  if (!better.found || better.inlier_count <= pair.model->inlier_count) return;
  pair.verified = std::move(guided);
  pair.model = std::move(better);
}

}  // namespace octavo::colmap
