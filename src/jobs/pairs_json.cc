// Chosen pairs as JSON.

#include "io/json/json.h"
#include "octavo/jobs/collection_jobs.h"

namespace octavo {
namespace {

// The similarity of a pair, which one of both has among its similar ones.
double similarity_of(const ChosenPairs& chosen, const ImagePair& pair) {
  for (const auto& [one, other] : {pair, ImagePair(pair.second, pair.first)}) {
    for (const SimilarImage& similar : chosen.similar[one]) {
      if (similar.image == other) return static_cast<double>(similar.product) / vlad_length / vlad_length;
    }
  }
  return 0;
}

}  // namespace

std::string json_of(const PairsJob& job, const ChosenPairs& chosen, const std::vector<std::string>& problems) {
  const Option<PairOptions>& by = *option_table<PairOptions>().find("by");
  const auto name = [&](std::size_t image) { return job.images[image].name.generic_string(); };
  Json pairs = Json::array(), unpaired = Json::array();
  std::vector<bool> is_paired(job.images.size());
  for (const ImagePair& pair : chosen.pairs) {
    const auto& [i, j] = pair;
    is_paired[i] = is_paired[j] = true;
    Json& one = pairs.push_back({{"image_a", name(i)}, {"image_b", name(j)}});
    if (job.options.by == PairsBy::retrieval) one["cosine"] = similarity_of(chosen, pair);
    if (job.options.by == PairsBy::gps) one["metres"] = distance_of(*chosen.places[i], *chosen.places[j]);
  }
  for (std::size_t i = 0; i < is_paired.size(); ++i) {
    if (!is_paired[i]) unpaired.push_back(name(i));
  }
  return json_text({{"by", option_text(by.read(job.options, by))},
                    {"image_count", job.images.size()},
                    {"pairs", std::move(pairs)},
                    {"unpaired", std::move(unpaired)},
                    {"extract_seconds", chosen.extract_seconds},
                    {"search_seconds", chosen.search_seconds},
                    {"problems", problems},
                    {"warnings", chosen.notes}});
}

}  // namespace octavo
