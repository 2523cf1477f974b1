// Candidates by likeness (VLADs), of which geometry decides.

#include "jobs/place_links.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/device/cpu_pool.h"
#include "octavo/matcher.h"
#include "octavo/multiview/choose_pairs.h"
#include "octavo/retrieval.h"

namespace octavo::jobs {
namespace {

constexpr std::size_t augmenting = 3;  // as of PairOptions

// The most frames that a member has.
std::size_t most_frames(const std::vector<PlaceFrame>& frames) {
  std::map<std::size_t, std::size_t> counts;
  std::size_t most = 0;
  for (const PlaceFrame& frame : frames) most = std::max(most, ++counts[frame.member]);
  return most;
}

// Frames of one member look most alike, and are of one place anyway.
std::vector<ImagePair> likely_pairs(const std::vector<PlaceFrame>& frames, const PlaceJob& job) {
  std::vector<std::vector<std::int16_t>> vlads;
  for (const PlaceFrame& frame : frames) vlads.push_back(frame.vlad);
  auto similar = most_similar_images(augmented_vlads(vlads, augmenting, job.device),
                                     job.options.neighbours + most_frames(frames), job.device);
  for (std::size_t i = 0; i < similar.size(); ++i) {
    std::erase_if(similar[i],
                  [&](const SimilarImage& other) { return frames[other.image].member == frames[i].member; });
    similar[i].resize(std::min(similar[i].size(), job.options.neighbours));
  }
  return pairs_of_similar(similar);
}

}  // namespace

std::vector<PlaceLink> links_of(const std::vector<PlaceFrame>& frames, const PlaceJob& job, const JobContext& context) {
  report_item(context.progress, "comparing frames");
  const std::vector<ImagePair> pairs = likely_pairs(frames, job);
  Matcher matcher({}, job.device);
  CpuPool pool(job.device.threads);
  std::vector<PlaceLink> links;
  for (auto first = pairs.begin(); first != pairs.end() && !context.stop.stop_requested();) {
    report_item(context.progress, "matching frames", static_cast<std::size_t>(first - pairs.begin()), pairs.size());
    const auto end =
        std::find_if(first, pairs.end(), [&](const ImagePair& pair) { return pair.first != first->first; });
    const PlaceFrame& a = frames[first->first];
    std::vector<const Features*> others;
    for (auto pair = first; pair != end; ++pair) others.push_back(&frames[pair->second].features);
    const std::vector<std::vector<Match>> matches = matcher.match(a.features, others);
    std::vector<places::PlaceEvidence> evidence(others.size());
    pool.parallel_for(static_cast<int>(others.size()), [&](int index, int) {
      const auto i = static_cast<std::size_t>(index);
      const PlaceFrame& b = frames[first[index].second];
      evidence[i] = places::same_place({a.features, a.size}, {b.features, b.size}, matches[i]);
    });
    for (std::size_t i = 0; i < evidence.size(); ++i, ++first) {
      if (evidence[i].is_same) links.push_back({first->first, first->second, std::move(evidence[i])});
    }
  }
  return links;
}

}  // namespace octavo::jobs
