// Tells what kind of parts there are, checks that they make a whole, and passes them to the merge of their kind.

#include "io/files/one_line.h"
#include "octavo/jobs/image_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "io/features/hloc.h"
#include "io/files/output_file.h"
#include "io/json/json.h"
#include "io/results/part_items.h"
#include "io/results/result_folder.h"
#include "jobs/figures_text.h"
#include "multiview/colmap/colmap_database.h"
#include "multiview/colmap/colmap_shards.h"
#include "multiview/pairs/merge_vlads.h"
#include "octavo/error.h"
#include "octavo/video/video_archive.h"
#include "video/archive/merge_archives.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorCode::file_error, sentence); }

[[noreturn]] void refuse_base(const fs::path& file) {
  refuse(fmt::format("cannot merge '{}': it is no part of a shard", file.string()));
}

// The parts of a call.
struct Parts {
  std::vector<Part> all;              // a folder may have been written by several shards
  std::optional<fs::path> base = {};  // the database with the features of matches
  std::vector<fs::path> places = {};  // each once
};

bool holds_features_alone(const fs::path& file) { return !ColmapFeatures(file).settings().starts_with("part "); }

Parts parts_in(std::span<const fs::path> places) {
  Parts parts;
  for (const fs::path& place : places) {
    std::error_code unknown;
    if (!fs::exists(place, unknown)) refuse(fmt::format("cannot merge '{}': there is no such part", place.string()));
    if (fs::is_directory(place, unknown)) {
      std::vector<Part> notes = part_notes_in(place);
      if (notes.empty()) refuse(fmt::format("cannot merge '{}': no shard has finished in it", place.string()));
      std::ranges::move(notes, std::back_inserter(parts.all));
    } else if (is_colmap_database(place)) {
      if (holds_features_alone(place)) {
        if (parts.base) {
          refuse(fmt::format("cannot merge '{}' and '{}': both are whole databases", parts.base->string(),
                             place.string()));
        }
        parts.base = place;
        continue;
      }
      parts.all.push_back(colmap_part(place));
    } else {
      parts.all.push_back(part_in_file(place));
    }
    if (std::ranges::find(parts.places, place) == parts.places.end()) parts.places.push_back(place);
  }
  return parts;
}

void require_fitting_base(const Parts& parts, PartKind kind) {
  if (kind == PartKind::colmap_matches && !parts.base) {
    refuse("cannot merge matches without the database of their features: name it too");
  }
  if (kind != PartKind::colmap_matches && parts.base) refuse_base(*parts.base);
}

MergeSummary merge_with_losses(const fs::path& to, std::span<const fs::path> places, MergeSummary summary) {
  merge_archives(to, places,
                 [&](const ArchivedClip&, const std::string& sentence) { summary.problems.push_back(sentence); });
  return summary;
}

// Whether no shard made the parts, so that none can be missing.
bool are_whole_archives(std::span<const fs::path> places) {
  return !places.empty() && std::ranges::all_of(places, [](const fs::path& place) {
    return VideoArchive::exists(place) && !is_of_shards(place);
  });
}

MergeSummary merge_whole_archives(const fs::path& to, std::span<const fs::path> places) {
  const std::set<fs::path> each(places.begin(), places.end());
  MergeSummary summary{.kind = PartKind::archive};
  for (const fs::path& place : each) summary.items += VideoArchive(place).files().size();
  return merge_with_losses(to, places, std::move(summary));
}

// Writes what one process prints: an array of all queries in their order, or the one of a list of one.
void merge_found_clips(const fs::path& to, std::span<const Part> parts) {
  const PartItems found = items_in(parts);
  std::string all;
  for (const auto& [name, json] : found) {
    try {
      parse_json(json);
    } catch (const Json::exception&) {
      refuse_part(parts.front().place);
    }
    all += (all.empty() ? "" : ",") + json;
  }
  const bool is_one = parts.front().note.inputs.count == 1 && found.size() == 1;
  write_file(to, is_one ? all + "\n" : "[" + all + "]\n");
}

}  // namespace

MergeSummary merge_parts(const fs::path& to, std::span<const fs::path> places) {
  require_not_read(std::span(&to, 1), places);
  if (are_whole_archives(places)) return merge_whole_archives(to, places);
  const Parts parts = parts_in(places);
  if (parts.all.empty() && parts.base) refuse_base(*parts.base);
  const PartNote whole = note_of_whole(parts.all);
  require_fitting_base(parts, whole.kind);
  MergeSummary summary{.kind = whole.kind,
                       .shards = parts.all.front().note.shard.count,
                       .items = whole.items,
                       .problems = whole.problems};
  switch (whole.kind) {
    case PartKind::features:
      merge_results(to, parts.places);
      break;
    case PartKind::hloc_features:
      require_ending(std::span(&to, 1), std::array<std::string_view, 2>{".h5", ".hdf5"});
      merge_hloc_features(to, parts.places);
      break;
    case PartKind::archive:
      return merge_with_losses(to, parts.places, std::move(summary));
    case PartKind::colmap_features:
      merge_colmap_features(to, parts.all, [&](const std::string& problem) { summary.problems.push_back(problem); });
      break;
    case PartKind::colmap_matches:
      merge_colmap_matches(to, *parts.base, parts.all);
      break;
    case PartKind::found_clips:
      merge_found_clips(to, parts.all);
      break;
    case PartKind::clip_pairs:
      write_part(to, whole, items_in(parts.all));
      break;
    case PartKind::vlads:
      merge_vlads(to, parts.all);
      break;
  }
  return summary;
}

std::string json_of(const std::filesystem::path& to, const MergeSummary& summary) {
  return json_text(Json{{"output", to.string()},
                        {"kind", name_of(summary.kind)},
                        {"shard_count", summary.shards},
                        {"item_count", summary.items},
                        {"problems", summary.problems}});
}

std::string text_of(const std::filesystem::path& to, const MergeSummary& summary) {
  const std::string shards = summary.shards > 0 ? " of " + count_text(summary.shards, "shard") : "";
  return fmt::format("{}: {}{}, {}\n", io::on_one_line(to.string()), name_of(summary.kind), shards,
                     count_text(summary.items, "item"));
}

}  // namespace octavo
