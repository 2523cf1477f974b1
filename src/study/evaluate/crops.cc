// Crops and their photographs: the crop is the centre of the photograph, so a keypoint at (x, y) of the crop belongs to
// (x + left, y + top) of the photograph.

#include "study/evaluate/crops.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

#include "engine/core/check.h"
#include "engine/core/stopwatch.h"
#include "io/images/resize.h"
#include "octavo/error.h"
#include "octavo/io/image_files.h"
#include "study/evaluate/centre.h"
#include "study/evaluate/distort.h"
#include "study/evaluate/distortion.h"

namespace octavo {
namespace {

constexpr int least_side = 16, greatest_side = 65535;  // [pixel]
constexpr std::string_view clean = "clean";

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& reason) {
  throw Error(ErrorCode::invalid_option, InvalidOption{option, value, reason});
}

// "clean" and the distortions in which no point moves.
std::vector<std::string_view> known_changes() {
  std::vector<std::string_view> known{clean};
  for (const Distortion& one : distortions()) {
    if (!one.moves) known.push_back(one.name);
  }
  return known;
}

void check(const CropChange& change) {
  const std::vector<std::string_view> known = known_changes();
  if (std::find(known.begin(), known.end(), change.name) == known.end()) refuse_word("changes", change.name, known);
  for (const Distortion& one : distortions()) {
    if (one.name == change.name) check_range("changes", change.strength, one.least, one.most, change.name);
  }
}

Image changed(const ImageView& crop, const CropChange& change, std::uint64_t noise_seed) {
  if (change.name == clean) return undistorted(crop);
  return distort(crop, change.name, change.strength, noise_seed).image;
}

struct Crop {
  Image image;
  int left = 0, top = 0;  // of its first pixel in the photograph
};

Crop cut(const Image& photograph, const CropCase& one, std::uint64_t noise_seed) {
  if (photograph.width() < one.size.width || photograph.height() < one.size.height) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("an image of {} × {} pixels is smaller than the crop of {} × {}", photograph.width(),
                            photograph.height(), one.size.width, one.size.height));
  }
  const evaluation::Centre centre = evaluation::centre_of(photograph.view(), one.size);
  return {changed(centre.view, one.change, noise_seed), centre.left, centre.top};
}

bool is_correct(const Keypoint& of_crop, const Keypoint& of_photograph, const CroppedPair& pair) {
  return std::abs(double{of_crop.x} + pair.left - of_photograph.x) <= crop_match_within &&
         std::abs(double{of_crop.y} + pair.top - of_photograph.y) <= crop_match_within;
}

struct TimedFeatures {
  Features features;
  double seconds = 0;
};

TimedFeatures timed_features(Pipeline& pipeline, const Image& image, const ImageName& name) {
  const Stopwatch watch;
  Features features = pipeline.features(image.view(), nullptr, name);
  return {std::move(features), watch.milliseconds() / 1000};
}

CropScores score(Pipeline& pipeline, const TimedFeatures& photograph, const TimedFeatures& crop,
                 const CroppedPair& pair) {
  CropScores scores{.keypoints_photograph = static_cast<int>(photograph.features.size()),
                    .keypoints_crop = static_cast<int>(crop.features.size()),
                    .seconds_photograph = photograph.seconds,
                    .seconds_crop = crop.seconds};
  const Stopwatch watch;
  const std::vector<Match> matches = pipeline.matches(crop.features, photograph.features);
  scores.seconds_match = watch.milliseconds() / 1000;
  scores.matches = static_cast<int>(matches.size());
  for (const Match& match : matches) {
    const auto a = static_cast<std::size_t>(match.a), b = static_cast<std::size_t>(match.b);
    if (is_correct(crop.features.keypoints[a], photograph.features.keypoints[b], pair)) ++scores.correct;
  }
  return scores;
}

// The experiment while it runs.
class Experiment {
 public:
  Experiment(std::span<const ImageFile> photographs, std::span<Pipeline> pipelines, const CropOptions& options)
      : photographs_(photographs), pipelines_(pipelines), options_(options) {
    comparison_.cases = crop_cases(options);
  }

  CropComparison run() {
    for (std::size_t i = 0; i < photographs_.size() && !options_.stop.stop_requested(); ++i) {
      const std::string label = fmt::format("'{}'", photographs_[i].file.string());
      done_ = i * (1 + comparison_.cases.size());
      attempt(label, [&] { go_through(i, label); });
    }
    for (const Pipeline& pipeline : pipelines_) {
      if (std::string shortage = pipeline.shortage(); !shortage.empty()) comparison_.warnings.push_back(shortage);
    }
    return std::move(comparison_);
  }

 private:
  void go_through(std::size_t index, const std::string& label) {
    tell(label);
    const Image photograph = photograph_of(photographs_[index], options_);
    if (!is_warm_) warm_up(photograph, label);
    std::vector<TimedFeatures> of_photograph;
    for (Pipeline& pipeline : pipelines_) {
      of_photograph.push_back(timed_features(pipeline, photograph, {photographs_[index].name, label}));
    }
    for (std::size_t c = 0; c < comparison_.cases.size() && !options_.stop.stop_requested(); ++c) {
      const auto& [size, change] = comparison_.cases[c];
      const std::string name = fmt::format("{}, crop {}x{}, {}", label, size.width, size.height, label_of(change));
      tell(name);
      attempt(label, [&] {
        const Crop crop = cut(photograph, comparison_.cases[c], options_.noise_seed);
        CroppedPair pair{.photograph = index,
                         .which_case = c,
                         .photograph_size = {photograph.width(), photograph.height()},
                         .left = crop.left,
                         .top = crop.top};
        for (std::size_t k = 0; k < pipelines_.size(); ++k) {
          const TimedFeatures of_crop = timed_features(pipelines_[k], crop.image, {photographs_[index].name, name});
          pair.scores.push_back(score(pipelines_[k], of_photograph[k], of_crop, pair));
        }
        comparison_.pairs.push_back(std::move(pair));
      });
    }
  }

  // The first work of a pipeline allocates memory, and builds the kernels of a GPU. It is not timed.
  void warm_up(const Image& photograph, const std::string& label) {
    const evaluation::Centre centre = evaluation::centre_of(photograph.view(), options_.crop_sizes.front());
    const Image crop = undistorted(centre.view);
    for (Pipeline& pipeline : pipelines_) pipeline.warm_up(crop.view(), {{}, label});
    is_warm_ = true;
  }

  void tell(const std::string& next) {
    const std::size_t all = photographs_.size() * (1 + comparison_.cases.size());
    if (options_.progress) options_.progress(done_, all, next);
    ++done_;
  }

  // Runs a step. If it fails, adds a problem that names the photograph, once.
  template <class Step>
  void attempt(const std::string& label, const Step& step) {
    std::string problem;
    try {
      step();
      return;
    } catch (const Error& error) {
      const bool is_named = error.code() == ErrorCode::file_error;
      problem = is_named ? error.what() : fmt::format("cannot use {}: {}", label, error.what());
    } catch (const std::bad_alloc&) {
      problem = fmt::format("cannot use {}: out of memory", label);
    }
    std::vector<std::string>& problems = comparison_.problems;
    if (std::find(problems.begin(), problems.end(), problem) == problems.end()) problems.push_back(problem);
  }

  std::span<const ImageFile> photographs_;
  std::span<Pipeline> pipelines_;
  const CropOptions& options_;
  CropComparison comparison_;
  std::size_t done_ = 0;
  bool is_warm_ = false;
};

}  // namespace

std::string label_of(const CropChange& change) {
  return change.name == clean ? change.name : fmt::format("{} {:g}", change.name, change.strength);
}

CropChange crop_change(std::string_view word) {
  const std::size_t colon = std::min(word.find(':'), word.size());
  CropChange change{.name = std::string(word.substr(0, colon))};
  if (change.name == clean && colon == word.size()) return change;
  const std::string_view number = word.substr(std::min(colon + 1, word.size()));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), change.strength);
  const std::vector<std::string_view> known = known_changes();
  if (std::find(known.begin(), known.end(), change.name) == known.end()) refuse_word("changes", change.name, known);
  if (change.name == clean || error != std::errc() || end != number.data() + number.size()) {
    refuse("changes", fmt::format("\"{}\"", word), "must be clean or NAME:STRENGTH, such as noise:15");
  }
  check(change);
  return change;
}

std::vector<CropChange> default_crop_changes() {
  return {{"clean", 0}, {"noise", 15}, {"contrast", 0.5}, {"contrast", 1.5}, {"contrast", 2}, {"jpeg", 50}};
}

void validate(const CropOptions& options) {
  if (options.crop_sizes.empty()) refuse("crop_sizes", "empty", "must have a size");
  if (options.changes.empty()) refuse("changes", "empty", "must have a change");
  for (const ImageSize& size : options.crop_sizes) {
    for (const int side : {size.width, size.height}) {
      if (side >= least_side && side <= greatest_side) continue;
      refuse("crop_sizes", fmt::format("\"{}x{}\"", size.width, size.height),
             fmt::format("must have sides of {} to {} pixels", least_side, greatest_side));
    }
  }
  for (const CropChange& change : options.changes) check(change);
  if (options.size != 0) check_range("size", options.size, least_side, greatest_side);
  validate(options.read);
}

std::vector<CropCase> crop_cases(const CropOptions& options) {
  std::vector<CropCase> cases;
  for (const ImageSize& size : options.crop_sizes) {
    for (const CropChange& change : options.changes) cases.push_back({size, change});
  }
  return cases;
}

CropComparison compare_crops(std::span<const ImageFile> photographs, std::span<Pipeline> pipelines,
                             const CropOptions& options) {
  validate(options);
  return Experiment(photographs, pipelines, options).run();
}

Image photograph_of(const ImageFile& photograph, const CropOptions& options) {
  Image image = undistorted(read_image(photograph.file, options.read).view());
  const int longer = std::max(image.width(), image.height());
  if (options.size == 0 || longer <= options.size) return image;
  const auto reduced = [&](int side) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(side) * options.size / longer)));
  };
  return resize_and_crop(image.view(), {reduced(image.width()), reduced(image.height())});
}

Image crop_of(const ImageFile& photograph, const CropCase& one, const CropOptions& options) {
  return cut(photograph_of(photograph, options), one, options.noise_seed).image;
}

CropTotals crop_totals(const CropComparison& comparison, std::size_t pipeline, std::size_t which_case) {
  CropTotals totals;
  for (const CroppedPair& pair : comparison.pairs) {
    if (pair.which_case != which_case) continue;
    const CropScores& scores = pair.scores[pipeline];
    ++totals.photographs;
    totals.keypoints_photograph += scores.keypoints_photograph;
    totals.keypoints_crop += scores.keypoints_crop;
    totals.matches += scores.matches;
    totals.correct += scores.correct;
    totals.seconds += scores.seconds_photograph + scores.seconds_crop + scores.seconds_match;
  }
  return totals;
}

double precision(const CropTotals& totals) {
  return totals.matches > 0 ? static_cast<double>(totals.correct) / static_cast<double>(totals.matches) : 0;
}

}  // namespace octavo
