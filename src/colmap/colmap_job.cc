// The job in two steps: features of the pictures that the database lacks, then matches of the pairs that it lacks. Each
// picture and each pair is one transaction, so a job that is killed goes on from there. Matching takes the features
// from the database, in an order in which few of them are in memory: the pictures are divided into groups of which two
// have room, and the pairs of two groups are done together.

#include "octavo/colmap_job.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "colmap/feature_cache.h"
#include "octavo/batch.h"
#include "octavo/error.h"
#include "octavo/photograph.h"

namespace octavo {
namespace {

using ImagePair = std::pair<std::int64_t, std::int64_t>;

void check(const ColmapJob& job) {
  validate(job.options);
  validate(job.robust);
  validate(job.match);
  const auto refuse = [](const std::string& why) { throw Error(ErrorCode::invalid_argument, why); };
  if (const auto same = same_name(job.pictures)) {
    refuse(fmt::format("{} and {} have the same name in the database, '{}'", same->first.file.string(),
                       same->second.file.string(), same->first.name.string()));
  }
  const std::size_t wanted = parameter_count(job.options.camera_model);
  if (!job.camera_params.empty() && job.camera_params.size() != wanted) {
    refuse(
        fmt::format("there are {} camera parameters, but the camera model has {}", job.camera_params.size(), wanted));
  }
  for (const auto& [a, b] : job.pairs) {
    if (std::max(a, b) >= job.pictures.size() || a == b) refuse("a pair does not name two pictures of the job");
  }
}

// All that determines the content of the database besides pictures and pairs.
std::string settings_of(const ColmapJob& job) {
  ColmapOptions options = job.options;
  options.feature_memory = ColmapOptions().feature_memory;  // changes nothing
  std::string settings =
      fmt::format("{{\"detector\":{},\"match\":{},\"colmap\":{}", json_of(described(job.detector)),
                  json_of(option_table<MatchOptions>(), job.match), json_of(option_table<ColmapOptions>(), options));
  if (options.verify != ColmapOptions::Verify::none) {
    settings += fmt::format(",\"robust\":{}", json_of(option_table<RobustOptions>(), job.robust));
  }
  std::string params;
  for (const double number : job.camera_params) params += fmt::format("{}{}", params.empty() ? "" : ",", number);
  return settings + fmt::format(",\"camera_params\":[{}]}}", params);
}

// What the pictures of one camera have in common; empty: the picture has a camera of its own.
std::string camera_key(const ColmapJob& job, const PictureFile& picture, const CameraFacts& facts, ImageSize size) {
  switch (job.options.cameras) {
    case ColmapOptions::Cameras::one:
      return "all pictures";
    case ColmapOptions::Cameras::folder:
      return fmt::format("folder '{}'", picture.name.parent_path().generic_string());
    case ColmapOptions::Cameras::picture:
      return "";
    case ColmapOptions::Cameras::model:
      break;
  }
  const bool has_length = facts.focal_length || facts.focal_length_in_35mm;
  if (facts.make.empty() || facts.model.empty() || !has_length) return "";
  return fmt::format("{} {}, {} mm ({} mm on film), {} × {}", facts.make, facts.model, facts.focal_length.value_or(0),
                     facts.focal_length_in_35mm.value_or(0), size.width, size.height);
}

class Filling {
 public:
  Filling(const std::filesystem::path& file, const ColmapJob& job) : job_(job), database_(file, settings_of(job)) {}

  ColmapSummary run() {
    extract();
    if (!is_stopped()) match();
    for (const PictureFile& picture : job_.pictures) summary_.pictures += image_of(picture).has_value();
    if (!is_stopped_) {
      database_.finish();
      summary_.is_finished = true;
    }
    return summary_;
  }

 private:
  // Once the job is stopped it stays so.
  bool is_stopped() { return is_stopped_ = is_stopped_ || (job_.stop && job_.stop()); }

  void fail(const std::string& sentence) {
    ++summary_.failed;
    if (job_.fail) job_.fail(sentence);
  }

  void tell(std::string_view stage, std::string_view name, std::size_t done, std::size_t total) {
    if (job_.progress) job_.progress({stage, name, done, total});
  }

  std::optional<std::int64_t> image_of(const PictureFile& picture) {
    return database_.image_of(picture.name.generic_string());
  }

  [[nodiscard]] ColmapPicture row_of(const PictureFile& picture, const Photograph& facts, ImageSize size) const {
    ColmapCamera camera = initial_camera(job_.options.camera_model, size, facts.focal_length);
    if (!job_.camera_params.empty()) camera.params = job_.camera_params, camera.prior_focal_length = true;
    return {.name = picture.name.generic_string(),
            .camera = std::move(camera),
            .camera_key = camera_key(job_, picture, facts.camera, size),
            .place = facts.camera.place};
  }

  void extract() {
    std::vector<const PictureFile*> missing;
    for (const PictureFile& picture : job_.pictures) {
      if (!image_of(picture)) missing.push_back(&picture);
    }
    if (missing.empty()) return;
    Extractor extractor = make_extractor(described(job_.detector), job_.device);
    std::vector<Photograph> facts(missing.size());  // without their pixels
    std::vector<BatchImage> images;
    for (std::size_t i = 0; i < missing.size(); ++i) {
      images.push_back({missing[i]->file.string(), [&file = missing[i]->file, &known = facts[i], this] {
                          Photograph photograph =
                              read_photograph(file, {.apply_exif_rotation = false, .max_pixels = job_.max_pixels});
                          known.focal_length = photograph.focal_length;
                          known.camera = std::move(photograph.camera);
                          return LoadedImage{std::move(photograph.image)};
                        }});
    }
    Batch batch(extractor, std::move(images));
    for (std::size_t i = 0; i < missing.size() && !is_stopped(); ++i) {
      const std::string file = missing[i]->file.string();
      tell("extracting", file, i, missing.size());
      const BatchResult result = batch.next().value();
      if (result.failure) {
        fail(result.problem);
        continue;
      }
      try {
        database_.add(row_of(*missing[i], facts[i], {result.image.width(), result.image.height()}), result.features);
        ++summary_.extracted;
        summary_.keypoints += result.features.size();
      } catch (const Error& error) {
        if (error.code() == ErrorCode::file_error) throw;  // the database cannot be written
        fail(fmt::format("{}: {}", file, error.what()));
      }
    }
  }

  [[nodiscard]] bool verifies() const { return job_.options.verify != ColmapOptions::Verify::none; }
  [[nodiscard]] std::uint64_t memory() const { return std::uint64_t{job_.options.feature_memory} << 20; }

  bool is_done(const ImagePair& pair) {
    return database_.has_matches(pair.first, pair.second) &&
           (!verifies() || database_.has_geometry(pair.first, pair.second));
  }

  // The pairs that are to be matched, those of two groups of pictures after each other. Counts the others as done.
  std::vector<ImagePair> missing_pairs() {
    std::map<std::size_t, std::optional<std::int64_t>> images;
    const auto image = [&](std::size_t index) {
      const auto [known, is_new] = images.try_emplace(index);
      if (is_new) known->second = image_of(job_.pictures[index]);
      return known->second;
    };
    std::set<ImagePair> pairs;
    std::uint64_t largest = 1;
    for (const auto& [a, b] : job_.pairs) {
      const auto in_a = image(a), in_b = image(b);
      if (in_a && in_b) pairs.insert(std::minmax(*in_a, *in_b));
    }
    for (const auto& [index, number] : images) {
      if (number) largest = std::max(largest, database_.feature_bytes(*number));
    }
    names_.clear();
    for (const auto& [index, number] : images) {
      if (number) names_.emplace(*number, job_.pictures[index].name.string());
    }
    std::vector<ImagePair> missing;
    for (const ImagePair& pair : pairs) {
      if (is_done(pair)) {
        ++summary_.pairs;
      } else {
        missing.push_back(pair);
      }
    }
    const auto group = static_cast<std::int64_t>(std::max<std::uint64_t>(1, memory() / largest / 2));
    std::sort(missing.begin(), missing.end(), [&](const ImagePair& one, const ImagePair& other) {
      const auto place = [&](const ImagePair& pair) {
        return std::tuple(pair.first / group, pair.second / group, pair.first, pair.second);
      };
      return place(one) < place(other);
    });
    return missing;
  }

  void match() {
    const std::vector<ImagePair> missing = missing_pairs();
    if (missing.empty()) return;
    Matcher matcher(job_.match, job_.device);
    colmap::FeatureCache cache(database_, memory());
    for (std::span<const ImagePair> rest = missing; !rest.empty() && !is_stopped();) {
      const std::span<const ImagePair> block = first_block(rest);
      tell("matching", names_[block.front().first], missing.size() - rest.size(), missing.size());
      match_block(matcher, cache, block);
      rest = rest.subspan(block.size());
    }
  }

  // The first pairs that have their first picture in common: the matcher takes them in one submission.
  static std::span<const ImagePair> first_block(std::span<const ImagePair> pairs) {
    constexpr std::size_t most = 16;
    std::size_t count = 1;
    while (count < std::min(most, pairs.size()) && pairs[count].first == pairs.front().first) ++count;
    return pairs.first(count);
  }

  void match_block(Matcher& matcher, colmap::FeatureCache& cache, std::span<const ImagePair> block) {
    const std::shared_ptr<const Features> a = cache.get(block.front().first);
    std::vector<std::shared_ptr<const Features>> partners;
    std::vector<const Features*> collection;
    for (const ImagePair& pair : block) {
      partners.push_back(cache.get(pair.second));
      collection.push_back(partners.back().get());
    }
    std::vector<std::vector<Match>> matches;
    try {
      matches = matcher.match(*a, collection);
    } catch (const Error& error) {
      fail(fmt::format("{}: {}", names_[block.front().first], error.what()));
      return;
    }
    for (std::size_t i = 0; i < block.size() && !is_stopped(); ++i) {
      add(matcher, block[i], *a, *partners[i], matches[i]);
    }
  }

  void add(Matcher& matcher, const ImagePair& pair, const Features& a, const Features& b,
           std::span<const Match> matches) {
    const auto [first, second] = pair;
    std::optional<RobustModel> model;
    std::vector<Match> verified;
    if (verifies()) {
      verified.assign(matches.begin(), matches.end());
      model = estimate_fundamental(a, b, verified, job_.robust);
      if (model->found && job_.options.guided) guide(matcher, a, b, verified, *model);
    }
    database_.add_matches(first, second, matches, model ? &*model : nullptr, verified);
    ++summary_.pairs;
    ++summary_.matched;
    summary_.matches += matches.size();
    if (!model || !model->found) return;
    ++summary_.verified;
    summary_.inliers += static_cast<std::uint64_t>(model->inlier_count);
  }

  // Replaces the matches by those near the epipolar lines, and the model by theirs, if that has more inliers.
  void guide(Matcher& matcher, const Features& a, const Features& b, std::vector<Match>& matches,
             RobustModel& model) const {
    Guide lines{.model = Guide::Model::fundamental, .radius = job_.robust.threshold};
    std::copy(model.b_from_a.begin(), model.b_from_a.end(), lines.b_from_a);
    std::vector<Match> guided = matcher.match(a, b, lines);
    RobustModel better = estimate_fundamental(a, b, guided, job_.robust);
    if (!better.found || better.inlier_count <= model.inlier_count) return;
    matches = std::move(guided);
    model = std::move(better);
  }

  const ColmapJob& job_;
  ColmapDatabase database_;
  ColmapSummary summary_;
  std::map<std::int64_t, std::string> names_;  // of the pictures that are matched
  bool is_stopped_ = false;
};

}  // namespace

ColmapSummary fill_colmap_database(const std::filesystem::path& database, const ColmapJob& job) {
  check(job);
  return Filling(database, job).run();
}

}  // namespace octavo
