// Parts are databases of COLMAP themselves, so a shard that is killed goes on as a whole job does. Who shares a camera
// is known only when all images are there. So in a part each image has a camera of its own, and a note has the key.

#include "multiview/colmap/colmap_shards.h"

#include <fmt/core.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/results/collected_problems.h"
#include "multiview/colmap/colmap_part.h"
#include "multiview/colmap/feature_source.h"
#include "multiview/colmap/filling.h"
#include "multiview/colmap/job_settings.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

PartInputs inputs_of_pairs(const std::set<colmap::IdPair>& pairs) {
  std::vector<std::string> names;
  for (const auto& [a, b] : pairs) names.push_back(fmt::format("{} {}", a, b));
  return inputs_of(names);
}

// A merge takes the images that have a place: those of this run, and not those of an earlier one that are gone.
void note_places(ColmapDatabase& database, std::span<const std::string> names, const Shard& shard) {
  std::map<std::string, std::size_t> places;
  for (std::size_t place = 0; place < names.size(); ++place) {
    if (has_item(shard, names[place])) places.emplace(colmap::place_note(names[place]), place);
  }
  for (const std::string& note : database.note_names(colmap::place_note(""))) {
    if (!places.contains(note)) database.note(note, "");
  }
  for (const auto& [note, place] : places) database.note(note, std::to_string(place));
}

}  // namespace

ColmapSummary extract_colmap_shard(const fs::path& part, const ColmapJob& job, const Shard& shard,
                                   const JobContext& context) {
  colmap::check(job);
  std::vector<std::string> names, problems;
  std::vector<ImageFile> images;
  for (const ImageFile& image : job.images) {
    names.push_back(image.name.generic_string());
    if (has_item(shard, names.back())) images.push_back(image);
  }
  const JobContext kept = shards::collecting(context, problems);
  const std::string settings = colmap::settings_of(job);
  ColmapDatabase database(part, colmap::part_settings("features", shard, settings));
  colmap::Filling filling(job, database, kept);
  filling.extract(images, colmap::Filling::Cameras::noted);
  if (!filling.is_stopped()) {
    note_places(database, names, shard);
    database.note(colmap::part_note_name, json_of(PartNote{.kind = PartKind::colmap_features,
                                                           .shard = shard,
                                                           .settings = settings,
                                                           .inputs = inputs_of(names),
                                                           .items = images.size(),
                                                           .problems = problems}));
  }
  return filling.finish();
}

ColmapSummary match_colmap_shard(const fs::path& part, const fs::path& features, const ColmapJob& job,
                                 const Shard& shard, const JobContext& context) {
  colmap::check(job);
  ColmapFeatures stored(features);
  const std::string has = stored.settings(),
                    settings = colmap::settings_of(job, colmap::features_rule_in(colmap::job_settings_in(has)));
  if (has != settings) {
    const bool is_part = !has.empty() && colmap::job_settings_in(has) != has;
    throw Error(ErrorCode::file_error,
                fmt::format("cannot use the features of '{}': {}", features.string(),
                            is_part ? "it is a part; merge the parts of all shards first"
                                    : "it was made with other options of features, matches or cameras"));
  }
  const std::string digest = stored.digest();
  std::vector<std::string> problems;
  const JobContext kept = shards::collecting(context, problems);
  ColmapDatabase database(part, colmap::part_settings("matches of " + digest, shard, settings));
  colmap::Filling filling(job, database, kept);
  const colmap::FeatureSource source = colmap::features_in(stored);
  const std::set<colmap::IdPair> all = filling.pairs_in(source);
  std::set<colmap::IdPair> pairs;
  for (const colmap::IdPair& pair : all) {
    if (has_item(shard, filling.name_of(pair.first))) pairs.insert(pair);
  }
  filling.match(pairs, source);
  if (!filling.is_stopped()) {
    database.note(colmap::part_note_name,
                  json_of(PartNote{.kind = PartKind::colmap_matches,
                                   .shard = shard,
                                   .settings = fmt::format("{{\"job\":{},\"features\":\"{}\"}}", settings, digest),
                                   .inputs = inputs_of_pairs(all),
                                   .items = pairs.size(),
                                   .problems = problems}));
  }
  return filling.finish();
}

}  // namespace octavo
