// Views of one panorama have one centre, so no point is seen from two places, and they are not paired.

#include <algorithm>
#include <set>

#include "jobs/panorama_images.h"

namespace octavo::jobs {
namespace {

// The images of each photograph.
std::vector<std::vector<std::size_t>> images_of_photographs(const ModelImages& images) {
  std::vector<std::vector<std::size_t>> of(images.photographs.size());
  for (std::size_t i = 0; i < images.images.size(); ++i) of[images.photograph_of[i]].push_back(i);
  return of;
}

}  // namespace

PairList pairs_of_views(const std::string& text, const ModelImages& images, PairsJob job, const JobContext& context) {
  const auto of_photograph = images_of_photographs(images);
  std::set<ImagePair> chosen;
  const auto take_photographs = [&](const std::vector<ImagePair>& pairs) {
    for (const auto& [one, other] : pairs) {
      for (const std::size_t a : of_photograph[one]) {
        for (const std::size_t b : of_photograph[other]) chosen.insert(std::minmax(a, b));
      }
    }
  };
  const std::vector<PairOptions> all = pair_options_of(text);
  PairList list;
  if (all.empty()) {
    job.images = images.photographs;
    list = pairs_by_text(text, job, context);
    take_photographs(list.pairs);
  }
  const JobContext quiet{.progress = context.progress, .stop = context.stop};  // as pairs_by_text is
  for (const PairOptions& options : all) {
    job.options = options;
    const bool is_by_likeness = options.by == PairsBy::retrieval;
    job.images = is_by_likeness ? images.images : images.photographs;
    if (!is_by_likeness) {
      take_photographs(choose_pairs(job, quiet).pairs);
      continue;
    }
    // Those of its own panorama may be the ones that look most alike.
    const auto most = std::ranges::max_element(of_photograph, {}, &std::vector<std::size_t>::size);
    if (most != of_photograph.end()) job.options.neighbours += most->size() - 1;
    for (const ImagePair& pair : choose_pairs(job, quiet).pairs) {
      if (images.photograph_of[pair.first] != images.photograph_of[pair.second]) chosen.insert(pair);
    }
  }
  list.pairs.assign(chosen.begin(), chosen.end());
  return list;
}

}  // namespace octavo::jobs
