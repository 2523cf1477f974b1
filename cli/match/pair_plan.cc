// From the names on the command line to pictures, and to pairs of them.

#include "cli/match/pair_plan.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "cli/wrong_call.h"
#include "octavo/error.h"
#include "octavo/hloc.h"
#include "octavo/imageio.h"

namespace octavo::cli {
namespace {

namespace fs = std::filesystem;

std::string name_of(const PictureFile& file) {
  fs::path name = file.name;
  if (!is_hloc_file(file.file) && looks_like_features(name)) name.replace_extension();
  return name.string();
}

// The pictures at a place, or, in a folder without pictures, the stored features.
PictureFiles files_at(const std::string& place, bool recursive) {
  if (is_hloc_file(place)) {
    PictureFiles features;
    const HlocFeatures file(place);
    for (const std::string& name : file.names()) features.pictures.push_back({place, name});
    if (features.pictures.empty()) throw Error(ErrorCode::file_error, fmt::format("'{}' contains no features", place));
    return features;
  }
  PictureFiles found = find_pictures(std::array{place}, recursive);
  if (!found.pictures.empty()) return found;
  // find_pictures gives the reason for a place without pictures, which need not apply to features.
  if (!fs::is_directory(place)) throw Error(ErrorCode::file_error, found.problems.front());
  PictureFiles features = find_features(place, recursive);
  if (!features.pictures.empty()) return features;
  if (!features.problems.empty()) throw Error(ErrorCode::file_error, features.problems.front());
  throw Error(ErrorCode::file_error,
              fmt::format("'{}' contains no picture and no features (.npz, or .txt of COLMAP)", place));
}

// Collects the pictures, each once.
class Collector {
 public:
  explicit Collector(PairPlan& plan) : pictures_(plan.pictures), problems_(plan.problems) {}

  // The indices of the pictures at a place.
  std::vector<std::size_t> add(const std::string& place, bool recursive) {
    PictureFiles found = files_at(place, recursive);
    std::vector<std::size_t> indices;
    for (const PictureFile& file : found.pictures) indices.push_back(index_of(file));
    std::ranges::move(found.problems, std::back_inserter(problems_));
    return indices;
  }

 private:
  std::size_t index_of(const PictureFile& file) {
    const std::string name = name_of(file);
    const auto [known, is_new] = known_.emplace(name, pictures_.size());
    if (is_new) {
      pictures_.push_back({.file = file, .name = name});
    } else if (const fs::path& other = pictures_[known->second].file.file; !is_same(other, file.file)) {
      throw WrongCall(fmt::format(
          "{} and {} have the same name, so their matches cannot be told apart; a pattern such as '*.npz' chooses",
          other.string(), file.file.string()));
    }
    return known->second;
  }

  static bool is_same(const fs::path& one, const fs::path& other) {
    std::error_code unknown;  // a file that does not exist has its error where it is read
    return one == other || fs::equivalent(one, other, unknown);
  }

  std::vector<PlannedPicture>& pictures_;
  std::vector<std::string>& problems_;
  std::map<std::string, std::size_t> known_;
};

}  // namespace

bool is_stored(const PlannedPicture& picture) {
  return is_hloc_file(picture.file.file) || looks_like_features(picture.file.file);
}

PairPlan plan_pairs(const MatchCall& call) {
  PairPlan plan;
  Collector collector(plan);
  const std::vector<std::size_t> in_a = collector.add(call.a, call.recursive);
  if (!call.b.empty()) {
    const std::vector<std::size_t> in_b = collector.add(call.b, call.recursive);
    for (const std::size_t a : in_a) {
      for (const std::size_t b : in_b) {
        if (a != b) plan.pairs.emplace_back(a, b);
      }
    }
  } else if (!call.pairs.empty()) {
    std::vector<std::string> names;
    for (const PlannedPicture& picture : plan.pictures) names.push_back(picture.name);
    PairList list = read_pair_list(call.pairs, names);
    plan.pairs = std::move(list.pairs);
    std::ranges::move(list.problems, std::back_inserter(plan.problems));
  } else {
    const std::size_t count = plan.pictures.size();
    plan.pairs = call.sequential > 0 ? sequential_pairs(count, call.sequential) : all_pairs(count);
  }
  return plan;
}

}  // namespace octavo::cli
