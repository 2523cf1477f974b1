// Pairs of many pictures. The features of all of them are computed or read once and stay in memory, within a limit.
// Then each picture is matched with all its partners in one submission. A picture or pair that fails is reported, and
// the others are matched.

#include <fmt/core.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/complaint.h"
#include "cli/json_text.h"
#include "cli/match/match_call.h"
#include "cli/match/verification.h"
#include "cli/progress.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/extractor.h"
#include "octavo/imageio.h"
#include "octavo/output_file.h"
#include "octavo/picture_pairs.h"
#include "octavo/pictures.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t bytes_per_keypoint = sizeof(Keypoint) + descriptor_length;

struct Entry {
  PictureFile file;  ///< a picture, or stored features
  std::string name;  ///< in lists of pairs and outputs: that of the picture
  std::optional<ImageSize> size;
  std::optional<Features> features;  ///< none: not needed, or failed
};

std::string name_of(const PictureFile& file) {
  std::string name = file.name.string();
  if (is_features_file(name)) name.resize(name.size() - 4);
  return name;
}

// The stored features in a folder, sorted by name.
std::vector<PictureFile> stored_features(const fs::path& folder, bool recursive) {
  std::vector<PictureFile> files;
  const auto add = [&](const fs::directory_entry& entry) {
    if (entry.is_regular_file() && is_features_file(entry.path().string())) {
      files.push_back({entry.path(), entry.path().lexically_relative(folder)});
    }
  };
  if (recursive) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) add(entry);
  } else {
    for (const auto& entry : fs::directory_iterator(folder)) add(entry);
  }
  std::sort(files.begin(), files.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
  return files;
}

// The pictures at a place, or, in a folder without pictures, the stored features.
std::vector<PictureFile> files_at(const std::string& place, bool recursive) {
  if (fs::is_directory(place)) {
    // find_pictures gives the reason for a folder without pictures, which need not apply here.
    PictureFiles found = find_pictures(std::array{place}, recursive);
    if (found.pictures.empty()) found.pictures = stored_features(place, recursive);
    if (!found.pictures.empty()) return found.pictures;
    throw Error(ErrorCode::file_error, fmt::format("'{}' contains no picture and no features (.npz)", place));
  }
  const PictureFiles found = find_pictures(std::array{place}, recursive);
  if (found.pictures.empty()) throw Error(ErrorCode::file_error, found.problems.front());
  return found.pictures;
}

// The pictures, and which of them are paired.
struct Plan {
  std::vector<Entry> entries;
  std::vector<PicturePair> pairs;  ///< by ascending first index
};

std::size_t entry_of(Plan& plan, std::map<std::string, std::size_t>& known, const PictureFile& file) {
  const std::string name = name_of(file);
  const auto [place, is_new] = known.emplace(name, plan.entries.size());
  if (is_new) {
    plan.entries.push_back({file, name, {}, {}});
  } else if (!fs::equivalent(plan.entries[place->second].file.file, file.file)) {
    throw CLI::ValidationError(fmt::format("{} and {} have the same name, so their matches cannot be told apart",
                                           plan.entries[place->second].file.file.string(), file.file.string()));
  }
  return place->second;
}

Plan plan_of(const MatchCall& call, std::vector<std::string>& problems) {
  Plan plan;
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> in_a;
  for (const PictureFile& file : files_at(call.a, call.recursive)) in_a.push_back(entry_of(plan, known, file));
  if (!call.b.empty()) {
    std::vector<std::size_t> in_b;
    for (const PictureFile& file : files_at(call.b, call.recursive)) in_b.push_back(entry_of(plan, known, file));
    for (const std::size_t a : in_a) {
      for (const std::size_t b : in_b) {
        if (a != b) plan.pairs.emplace_back(a, b);
      }
    }
  } else if (!call.pairs.empty()) {
    std::vector<std::string> names;
    for (const Entry& entry : plan.entries) names.push_back(entry.name);
    PairList list = read_pair_list(call.pairs, names);
    plan.pairs = std::move(list.pairs);
    problems = std::move(list.problems);
  } else {
    const std::size_t count = plan.entries.size();
    plan.pairs = call.sequential > 0 ? sequential_pairs(count, call.sequential) : all_pairs(count);
  }
  return plan;
}

// Writes the matches of the pairs as they come.
class Results {
 public:
  explicit Results(const MatchCall& call) : call_(call) {
    if (call_.json) fmt::print("[");
  }

  void add(const Entry& a, const Entry& b, std::span<const Match> matches, const std::optional<EssentialModel>& model) {
    if (!call_.output.empty()) {
      text_ += colmap_matches(a.name, b.name, matches, model ? model->inliers : std::vector<std::uint8_t>());
    }
    matches_ += matches.size();
    if (call_.json) {
      nlohmann::ordered_json json = {{"image_a", a.name},
                                     {"image_b", b.name},
                                     {"keypoints_a", a.features->size()},
                                     {"keypoints_b", b.features->size()}};
      if (model) json["verification"] = verification_json(call_.verify, *model);
      json["matches"] = matches_json(*a.features, *b.features, matches, model);
      fmt::print("{}{}", pairs_ == 0 ? "\n" : ",\n", json_text(json));
    } else if (model) {
      fmt::print("{} {}  {} matches  {} inliers\n", a.name, b.name, matches.size(), model->inlier_count);
    } else {
      fmt::print("{} {}  {} matches\n", a.name, b.name, matches.size());
    }
    ++pairs_;
  }

  void finish() {
    if (!call_.output.empty()) write_file(call_.output, text_);
    if (call_.json) {
      fmt::print("\n]\n");
      return;
    }
    fmt::print("pairs        {}\nmatches      {}\n", pairs_, matches_);
    if (!call_.output.empty()) fmt::print("file         {}\n", call_.output);
  }

 private:
  const MatchCall& call_;
  std::string text_;
  std::size_t pairs_ = 0, matches_ = 0;
};

// Refuses options without effect, and an output that cannot be made, before the work.
void check(const MatchCall& call, const Plan& plan) {
  const auto is_stored = [](const Entry& entry) { return is_features_file(entry.file.file.string()); };
  const bool all_stored = std::all_of(plan.entries.begin(), plan.entries.end(), is_stored);
  const bool any_stored = std::any_of(plan.entries.begin(), plan.entries.end(), is_stored);
  require_principal_points(call, !any_stored);
  if (all_stored && call.detector_given) {
    throw CLI::ValidationError("options of detectors have no effect on stored features (.npz)");
  }
  if (call.output.empty()) return;
  const std::array<fs::path, 1> written{call.output};
  require_ending(written, std::array<std::string_view, 1>{".txt"});
  std::vector<fs::path> read{call.pairs};
  for (const Entry& entry : plan.entries) {
    read.push_back(entry.file.file);
    colmap_matches(entry.name, entry.name, {});  // throws for a name that the file cannot hold
  }
  require_not_read(written, read);
  require_writable(written);
}

// Computes or reads the features of the entries that a pair needs. Calls `fail` with each problem.
void load_features(const MatchCall& call, const DeviceOptions& device, Plan& plan, Progress& progress,
                   const std::function<void(const std::string&)>& fail) {
  std::vector<bool> needed(plan.entries.size());
  for (const auto& [a, b] : plan.pairs) needed[a] = needed[b] = true;
  std::vector<std::size_t> pictures, stored;
  std::vector<PictureFile> files;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    if (!needed[i]) continue;
    const PictureFile& file = plan.entries[i].file;
    (is_features_file(file.file.string()) ? stored : pictures).push_back(i);
    if (pictures.size() > files.size()) files.push_back(file);
  }

  std::size_t done = 0, bytes = 0;
  const std::size_t total = pictures.size() + stored.size();
  const auto keep = [&](Entry& entry, Features features) {
    bytes += features.size() * bytes_per_keypoint;
    if (bytes > call.feature_memory) {
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("the features of {} of {} pictures take more than {} MiB: allow more with "
                              "--feature-memory, keep fewer with --max-features, or match a part of the pairs",
                              done + 1, total, call.feature_memory >> 20));
    }
    entry.features = std::move(features);
  };
  if (!pictures.empty()) {
    Extractor extractor = make_extractor(call.detector, device);
    Batch batch(extractor, batch_of(files, call.read));
    for (const std::size_t i : pictures) {
      Entry& entry = plan.entries[i];
      progress.show(entry.file.file.string(), done, total);
      BatchResult result = batch.next().value();
      if (result.failure) {
        fail(result.problem);
      } else {
        entry.size = ImageSize{result.image.width(), result.image.height()};
        keep(entry, std::move(result.features));
      }
      ++done;
    }
  }
  for (const std::size_t i : stored) {
    Entry& entry = plan.entries[i];
    progress.show(entry.file.file.string(), done, total);
    std::optional<Features> features;
    try {
      features = read_npz_features(entry.file.file);
    } catch (const std::exception& error) {
      fail(error.what());
    }
    if (features) keep(entry, *std::move(features));
    ++done;
  }
}

}  // namespace

int match_many_pairs(const MatchCall& call) {
  if (!call.image_a.empty() || !call.image_b.empty()) {
    throw CLI::ValidationError("--image-a and --image-b have no effect with many pictures");
  }
  if (call.camera_b) throw CLI::ValidationError("--camera-b has no effect with many pictures, which have one camera");
  std::vector<std::string> problems;
  Plan plan = plan_of(call, problems);
  check(call, plan);
  Progress progress;
  DeviceOptions device = call.device;
  device.progress = progress.sink();
  bool failed = false;
  const auto fail = [&](const std::string& sentence) {
    failed = true;
    progress.clear();
    complain(sentence);
  };
  for (const std::string& problem : problems) fail(problem);
  progress.show("starting");
  Matcher matcher(call.match, device);
  load_features(call, device, plan, progress, fail);

  Results results(call);
  for (auto first = plan.pairs.begin(); first != plan.pairs.end();) {
    const auto next =
        std::find_if(first, plan.pairs.end(), [&](const PicturePair& p) { return p.first != first->first; });
    const Entry& a = plan.entries[first->first];
    std::vector<const Entry*> partners;
    for (auto pair = first; pair != next; ++pair) {
      const Entry& b = plan.entries[pair->second];
      if (a.features && b.features) partners.push_back(&b);
    }
    progress.show("matching " + a.name, static_cast<std::size_t>(first - plan.pairs.begin()), plan.pairs.size());
    first = next;
    if (partners.empty()) continue;
    try {
      std::vector<const Features*> collection;
      for (const Entry* b : partners) collection.push_back(&*b->features);
      const std::vector<std::vector<Match>> matches = matcher.match(*a.features, collection);
      for (std::size_t k = 0; k < partners.size(); ++k) {
        const Entry& b = *partners[k];
        const auto model = verified(call, *a.features, a.size, *b.features, b.size, matches[k]);
        progress.clear();
        results.add(a, b, matches[k], model);
        progress.show("matching " + a.name, static_cast<std::size_t>(first - plan.pairs.begin()), plan.pairs.size());
      }
    } catch (const std::exception& error) {
      fail(fmt::format("{}: {}", a.file.file.string(), error.what()));
    }
  }
  progress.clear();
  results.finish();
  return failed ? exit_failed : exit_done;
}

}  // namespace octavo::cli
