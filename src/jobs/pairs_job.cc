// Pairs of a collection: by the order of the names, by likeness (VLADs of features, compared with each other), or by
// the places of EXIF data. A shard makes the VLADs of its images, and the merge of all shards compares them.

#include "octavo/jobs/collection_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "engine/core/stopwatch.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/collected_problems.h"
#include "io/results/part_items.h"
#include "multiview/pairs/merge_vlads.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/image_view.h"
#include "octavo/io/image_formats.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

CollectionVlads vlads_of(const PairsJob& job, std::span<const ImageFile> files, const JobContext& context) {
  DeviceOptions device = job.device;
  device.progress = context.progress;
  return job.of_features ? vlads_of_features(files, device, context)
                         : vlads_of_images(files, job.options.size, job.detector, device, job.read, context);
}

void choose_by_likeness(const PairsJob& job, const JobContext& context, ChosenPairs& chosen) {
  const Stopwatch reading;
  const CollectionVlads vlads = vlads_of(job, job.images, context);
  chosen.extract_seconds = reading.milliseconds() / 1000;
  if (context.stop.stop_requested()) return;
  for (std::size_t i = 0; i < vlads.size(); ++i) {
    if (!vlads[i].empty() && std::ranges::all_of(vlads[i], [](std::int16_t number) { return number == 0; })) {
      chosen.notes.push_back(job.images[i].file.string() + ": the image has no features");
    }
  }
  const Stopwatch searching;
  report_item(context.progress, "comparing images", job.images.size(), job.images.size());
  const std::size_t neighbours = job.options.neighbours;
  chosen.similar = most_similar_images(augmented_vlads(vlads, job.options.augment, job.device),
                                       !job.image.empty() ? vlads.size() : neighbours, job.device);
  auto nearest = chosen.similar;
  for (auto& of_one : nearest) of_one.resize(std::min(of_one.size(), neighbours));
  chosen.pairs = pairs_of_similar(nearest);
  chosen.search_seconds = searching.milliseconds() / 1000;
}

void choose_by_place(const PairsJob& job, const JobContext& context, ChosenPairs& chosen) {
  const Stopwatch reading;
  for (std::size_t i = 0; i < job.images.size() && !context.stop.stop_requested(); ++i) {
    const std::string name = job.images[i].file.string();
    report_item(context.progress, name, i, job.images.size());
    chosen.places.emplace_back();
    try {
      chosen.places.back() = read_camera_facts(job.images[i].file, job.read).place;
      if (!chosen.places.back()) chosen.notes.push_back(name + ": the EXIF data do not tell the place (GPS)");
    } catch (const std::exception& error) {
      report_failure(context, error.what());
    }
  }
  chosen.extract_seconds = reading.milliseconds() / 1000;
  const Stopwatch searching;
  chosen.pairs = pairs_by_place(chosen.places, job.options.neighbours, job.options.metres);
  chosen.search_seconds = searching.milliseconds() / 1000;
}

// Names of the images in lists of pairs.
std::vector<std::string> checked_names(const PairsJob& job) {
  validate(job.options);
  if (job.of_features && job.options.by == PairsBy::gps) {
    throw Error(ErrorCode::invalid_option,
                "`by` gps needs the images, since features do not tell where they were taken");
  }
  if (const auto same = same_name(job.images)) {
    throw Error(ErrorCode::invalid_option,
                fmt::format("{} and {} have the same name, so their pairs cannot be told apart",
                            same->first.file.string(), same->second.file.string()));
  }
  std::vector<std::string> names;
  for (const ImageFile& image : job.images) names.push_back(image.name.generic_string());
  return names;
}

std::string settings_of_part(const PairsJob& job) {
  Json settings = {
      {"neighbours", job.options.neighbours}, {"augment", job.options.augment}, {"of_features", job.of_features}};
  if (!job.of_features) {
    settings["size"] = job.options.size;
    settings["exif_rotation"] = job.read.apply_exif_rotation;
    settings["range"] = range_text(job.read);
    settings["detector"] = parse_json(json_of(job.detector));
  }
  settings["octavo"] = OCTAVO_VERSION;
  return json_text(settings);
}

std::vector<fs::path> files_of(const PairsJob& job) {
  std::vector<fs::path> files;
  for (const ImageFile& image : job.images) files.push_back(image.file);
  return files;
}

void check_outputs(const PairsJob& job) {
  const std::vector<fs::path> read = files_of(job);
  if (!job.output.empty()) {
    const std::array written{job.output};
    require_ending(written, std::array<std::string_view, 1>{".txt"});
    require_writable(written);
    require_not_read(written, read);
  }
  if (!job.image.empty()) {
    if (job.options.by != PairsBy::retrieval) {
      throw Error(ErrorCode::invalid_option, "`image` has no effect without `by` retrieval");
    }
    const std::array drawn{job.image};
    require_writable_images(drawn, true, "image");
    require_not_read(drawn, read, "image");
  }
}

void choose(const PairsJob& job, const std::vector<std::string>& names, const JobContext& context,
            ChosenPairs& chosen) {
  switch (job.options.by) {
    case PairsBy::exhaustive:
      chosen.pairs = all_pairs(job.images.size());
      break;
    case PairsBy::sequential:
      chosen.pairs = pairs_by_name(names, job.options.overlap, job.options.quadratic);
      break;
    case PairsBy::retrieval:
      choose_by_likeness(job, context, chosen);
      break;
    case PairsBy::gps:
      choose_by_place(job, context, chosen);
      break;
  }
}

void warn_of_quotes(std::span<const std::string> names, std::span<const ImagePair> pairs, const JobContext& context) {
  std::vector<ImagePair> plain(pairs.begin(), pairs.end());
  if (const auto lacks = take_out_unlistable(plain, names, NamesInList::plain); !lacks.empty()) {
    report_warning(context, fmt::format("{} of {} pairs have names in quotes, which COLMAP and hloc do not read: {}",
                                        pairs.size() - plain.size(), pairs.size(), lacks.front()));
  }
}

std::string why_no_pairs(const PairsJob& job, const ChosenPairs& chosen) {
  const std::size_t images = job.images.size();
  if (images < 2) return fmt::format("there are no pairs: a pair needs two images, and there is {}", images);
  if (job.options.by != PairsBy::gps)
    return fmt::format("there are no pairs: fewer than two of the {} images have features", images);
  const auto placed = std::ranges::count_if(chosen.places, [](const auto& place) { return place.has_value(); });
  if (placed == 0) return fmt::format("there are no pairs: none of the {} images tells its place (GPS)", images);
  return fmt::format("there are no pairs: {} of the {} images tell their places (GPS), and no two are within {} metres",
                     placed, images, job.options.metres);
}

// Takes out the pairs that a list cannot hold.
void keep_listable(ChosenPairs& chosen, const std::vector<std::string>& names, const JobContext& context) {
  for (const std::string& problem : take_out_unlistable(chosen.pairs, names, NamesInList::quoted)) {
    report_failure(context, problem);
  }
  warn_of_quotes(names, chosen.pairs, context);
}

}  // namespace

ChosenPairs choose_pairs(const PairsJob& job, const JobContext& context) {
  const std::vector<std::string> names = checked_names(job);
  check_outputs(job);
  ChosenPairs chosen;
  choose(job, names, context, chosen);
  if (context.stop.stop_requested()) return chosen;
  chosen.is_finished = true;
  for (const std::string& note : chosen.notes) report_warning(context, note);
  if (chosen.pairs.empty()) report_failure(context, why_no_pairs(job, chosen));
  if (job.are_listed || !job.output.empty()) keep_listable(chosen, names, context);
  if (chosen.pairs.empty()) return chosen;  // earlier outputs stay
  if (!job.image.empty()) write_image(job.image, draw_similarities(chosen.similar, chosen.pairs).view());
  if (!job.output.empty()) write_file(job.output, pair_list(names, chosen.pairs));
  return chosen;
}

std::optional<std::size_t> write_pairs_shard(const std::filesystem::path& part, const PairsJob& job, const Shard& shard,
                                             const std::vector<std::string>& problems, const JobContext& context) {
  if (job.options.by != PairsBy::retrieval) {
    throw Error(ErrorCode::invalid_option, "`shard` needs `by` retrieval: the other ways read no images");
  }
  const std::vector<std::string> names = checked_names(job);
  require_not_read(std::array{part}, files_of(job));
  require_writable(std::array{part});
  std::vector<ImageFile> images;
  std::vector<std::size_t> places;  // of each, among all
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!has_item(shard, names[i])) continue;
    images.push_back(job.images[i]);
    places.push_back(i);
  }
  PartNote note{.kind = PartKind::vlads,
                .shard = shard,
                .settings = settings_of_part(job),
                .inputs = inputs_of(names),
                .items = places.size(),
                .problems = problems};
  const CollectionVlads found = vlads_of(job, images, shards::collecting(context, note.problems));
  if (context.stop.stop_requested()) return std::nullopt;
  PartItems vlads;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!found[i].empty()) vlads.emplace(placed_name(places[i], names[places[i]]), bytes_of_vlad(found[i]));
  }
  write_part(part, note, vlads);
  return places.size();
}

}  // namespace octavo
