// How good features and matches are: configurations, compared.

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "jobs/bindings.h"
#include "jobs/job_options.h"
#include "jobs/record.h"
#include "jobs/work.h"
#include "octavo/error.h"
#include "octavo/jobs/evaluate_jobs.h"

namespace nb = nanobind;

namespace octavo::python {

namespace {

namespace fs = std::filesystem;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// "descriptor='rootsift', layers=4": as a person writes it.
std::string arguments_of(const nb::dict& options) {
  std::string text;
  for (const auto [name, value] : options) {
    text += (text.empty() ? "" : ", ") + nb::cast<std::string>(name) + "=" + nb::cast<std::string>(nb::repr(value));
  }
  return text;
}

// What the keyword arguments of a call set, and what its configurations change of it. One is a dictionary of options or
// the path of a folder of features.
class Given {
 public:
  Given(const char* call, const nb::dict& options, EvaluationSettings& settings, DetectorOptions detector)
      : keywords(call, options), settings_(settings), detector_(std::move(detector)) {
    set_read(settings.read, keywords);
    set_detector(detector_, keywords, false);
    keywords.set(settings.device);
  }

  void compare(const nb::dict& configurations, bool are_matched = true) {
    if (are_matched) keywords.set(match_);
    keywords.finish();
    std::set<std::string_view> unused = given_of(detector_of(detector_).options, keywords);
    unused.merge(given_of(option_table<MatchOptions>().options, keywords));
    for (const auto [name, value] : configurations) {
      Configuration one{.name = nb::cast<std::string>(name), .detector = detector_, .match = match_};
      if (nb::isinstance<nb::dict>(value)) {
        const Keywords own = set(one, nb::cast<nb::dict>(value), are_matched);
        std::erase_if(unused, [&](std::string_view option) { return !own.was_given(option) && knows(one, option); });
      } else {
        one.features = nb::cast<fs::path>(value);
        std::erase_if(unused,
                      [](std::string_view option) { return option == "max_features" || is_of_matching(option); });
      }
      settings_.configurations.push_back(std::move(one));
    }
    if (configurations.size() > 0 && !unused.empty()) {
      throw Error(ErrorCode::invalid_argument,
                  std::string(*unused.begin()) + " has no effect: no configuration uses this value");
    }
    if (settings_.configurations.empty()) {
      settings_.configurations.push_back({.name = "octavo", .detector = detector_, .match = match_});
    }
  }

  Keywords keywords;

 private:
  template <class Options>
  static std::set<std::string_view> given_of(const Options& options, const Keywords& keywords) {
    std::set<std::string_view> given;
    for (const auto& option : options) {
      if (keywords.was_given(option.name)) given.insert(option.name);
    }
    return given;
  }

  static bool is_of_matching(std::string_view option) { return option_table<MatchOptions>().find(option) != nullptr; }

  static bool knows(const Configuration& one, std::string_view option) {
    return is_of_matching(option) || detector_of(one.detector).find(option) != nullptr;
  }

  Keywords set(Configuration& one, const nb::dict& options, bool are_matched) const {
    one.arguments = arguments_of(options);
    Keywords own("configuration '" + one.name + "'", options);
    set_detector(one.detector, own, false);
    // A preset sets the budget too, but all configurations are compared at one budget.
    if (!own.was_given("max_features")) set_budget(one, max_features_of(detector_));
    if (are_matched) own.set(one.match);
    own.finish();
    return own;
  }

  EvaluationSettings& settings_;
  DetectorOptions detector_;
  MatchOptions match_;
};

DetectorOptions without_budget() { return SiftOptions{.max_features = 0}; }

// A result with the configurations that it is about.
template <class Result>
struct Evaluated : Result {
  std::vector<Configuration> configurations;
};

// Of the pairs of one configuration.
struct PairsOfOne {
  std::string name, arguments;
  std::vector<PairScores> scores;
};

// A thing by its name, in the order of things.
template <class Thing>
using Named = std::vector<std::pair<std::string, Thing>>;

template <class Thing>
nb::dict dict_of_named(const Named<Thing>& things) {
  nb::dict dict;
  for (const auto& [name, thing] : things) dict[text_of(name)] = nb::cast(thing);
  return dict;
}

struct DatasetNumbers : PairsOfOne {
  Named<Summary> means, sequences;
};

struct RobustnessNumbers : PairsOfOne {
  Named<std::vector<Summary>> curves;
};

// The scores of one configuration.
template <class Pairs>
auto scores_of(const Pairs& pairs, std::size_t configuration) {
  std::remove_cvref_t<decltype(pairs.front().scores)> scores;
  for (const auto& pair : pairs) scores.push_back(pair.scores[configuration]);
  return scores;
}

// By the names of the configurations what a function gives for the index of one.
template <class Result, class One>
nb::dict by_configuration(const Evaluated<Result>& result, const One& one) {
  nb::dict dict;
  for (std::size_t c = 0; c < result.configurations.size(); ++c) {
    dict[text_of(result.configurations[c].name)] = nb::cast(one(c));
  }
  return dict;
}

// k numbers of each pair.
template <class Numbers>
auto of_pairs(std::size_t k, Numbers numbers) {
  return [=](const PairsOfOne& one) { return table_of(one.scores, k, numbers); };
}

// N numbers of N things.
template <class Things, class Number>
auto column_of(const Things& things, const Number& number) {
  std::vector<std::decay_t<decltype(number(things.front()))>> all;
  for (const auto& one : things) all.push_back(number(one));
  const std::size_t n = all.size();
  return numpy_of(std::move(all), {n});
}

// A number of each pair.
template <class Number>
auto of_each_pair(Number number) {
  return [=](const PairsOfOne& one) { return column_of(one.scores, number); };
}

std::array<double, 9> homography_of(const PairScores& scores) {
  std::array<double, 9> none{};
  none.fill(unknown);
  return scores.homography.value_or(none);
}

nb::object homographies_of(const PairsOfOne& one) {
  return nb::cast(table_of(one.scores, 9, homography_of)).attr("reshape")(one.scores.size(), 3, 3);
}

// Means over no pairs are no numbers.
template <class Member>
auto mean(Member member, bool of_homographies = false) {
  return [=](const Summary& s) -> nb::object {
    const bool is_known = of_homographies ? s.homographies > 0 : s.pairs > 0;
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(s.*member)>>) {
      return is_known ? nb::cast(s.*member) : nb::float_(unknown);
    } else {
      auto numbers = s.*member;
      if (!is_known) numbers.fill(unknown);
      return nb::cast(vector_of(numbers));
    }
  };
}

void bind_means(nb::module_& m) {
  Record<Summary>(m, "EvaluationMeans", "Means over pairs. Entry i of an array is for i + 1 pixels; without pairs NaN.")
      .with("pairs", &Summary::pairs, "Their number.")
      .with("keypoints", mean(&Summary::keypoints), "Of an image.")
      .with("repeatability", mean(&Summary::repeatability), "10 in float64: the share of points found again.")
      .with("correspondence_share", mean(&Summary::correspondence_share), "The same one to one, at 3 pixels.")
      .with("matching_accuracy", mean(&Summary::matching_accuracy), "10 in float64: mutual neighbours that are right.")
      .with("matches", mean(&Summary::matches), "Of a pair.")
      .with("correct", mean(&Summary::correct), "10 in float64: right matches of a pair.")
      .with("precision", mean(&Summary::precision), "10 in float64: the share of matches that are right.")
      .with("matching_score", mean(&Summary::matching_score), "Right matches a keypoint in common.")
      .with("homographies", &Summary::homographies, "Pairs whose truth is one, of which the following are.")
      .with("homography_accuracy", mean(&Summary::homography_accuracy, true),
            "10 in float64: the share of pairs whose corner error is at most the threshold.")
      .with("homography_auc", mean(&Summary::homography_area, true), "10 in float64: the area under that curve.")
      .with("regions", mean(&Summary::regions, true), "Of an image, in common.")
      .with("region_repeatability", mean(&Summary::region_repeatability, true),
            "6 in float64: by overlap errors of 0.1 to 0.6.")
      .with("corresponding_regions", mean(&Summary::corresponding_regions, true), "6 in float64.");
}

// What configurations of both kinds have: the numbers of their pairs.
template <class Numbers>
void add_pairs(Record<Numbers>& record) {
  record.with("name", &PairsOfOne::name, "Of the configuration.")
      .with("arguments", &PairsOfOne::arguments, "The options that distinguish it.")
      .with("keypoints",
            of_pairs(2,
                     [](const PairScores& s) {
                       return std::array{s.keypoints_a, s.keypoints_b};
                     }),
            "P x 2 in int32, of P pairs: keypoints of both images.")
      .with("common",
            of_pairs(2,
                     [](const PairScores& s) {
                       return std::array{s.common_a, s.common_b};
                     }),
            "P x 2 in int32: keypoints that the truth sends into the other image.")
      .with("repeatability", of_pairs(10, [](const PairScores& s) { return repeatability(s); }),
            "P x 10 in float64: the share of points found again, within 1 to 10 pixels.")
      .with("correspondence_share", of_each_pair([](const PairScores& s) { return correspondence_share(s); }),
            "P in float64: the same one to one, at 3 pixels.")
      .with("matching_accuracy", of_pairs(10, [](const PairScores& s) { return matching_accuracy(s); }),
            "P x 10 in float64: the share of mutual nearest neighbours that are right.")
      .with("matches", of_each_pair([](const PairScores& s) { return s.matches; }), "P in int32.")
      .with("correct", of_pairs(10, [](const PairScores& s) { return s.correct; }), "P x 10 in int32: right matches.")
      .with("precision", of_pairs(10, [](const PairScores& s) { return precision(s); }),
            "P x 10 in float64: the share of matches that are right.")
      .with("matching_score", of_each_pair([](const PairScores& s) { return matching_score(s); }),
            "P in float64: right matches a keypoint in common.")
      .with("region_repeatability", of_pairs(6, [](const PairScores& s) { return region_repeatability(s); }),
            "P x 6 in float64: by overlap errors of 0.1 to 0.6; 0 where the truth is no homography.")
      .with("homographies", &homographies_of, "P x 3 x 3 in float64: as estimated from the matches; NaN: none.")
      .with("corner_errors",
            of_each_pair([](const PairScores& s) { return s.has_true_homography ? s.corner_error : unknown; }),
            "P in float64: [pixel] of these; infinite: none was found; NaN: the truth is no homography.");
}

template <class Result>
void add_report(Record<Told<Evaluated<Result>>>& record) {
  record
      .with(
          "json", [](const Result& r) { return r.json; }, "All numbers, as the program prints them with --json.")
      .with(
          "tables", [](const Result& r) { return r.tables; }, "Lines for people, as the program prints them.");
  add_told(record);
}

// Does the job, and keeps the configurations.
template <class Job, class Result>
Told<Evaluated<Result>> evaluate_by(const Job& job, Result (*evaluate)(const Job&, const JobContext&),
                                    nb::object progress) {
  return Work(std::move(progress)).tell([&](const JobContext& context) {
    return Evaluated<Result>{evaluate(job, context), job.configurations};
  });
}

using Evaluation = Evaluated<EvaluateResult>;

Told<Evaluation> evaluate(const fs::path& root, const nb::dict& configurations, bool refine, bool covisible_only,
                          std::size_t examples, const std::optional<fs::path>& page, const nb::dict& options,
                          nb::object progress) {
  EvaluateJob job;
  job.root = root;
  job.covisible_only = covisible_only;
  job.examples = examples;
  job.page = page.value_or("");
  Given given("evaluate", options, job, without_budget());
  given.keywords.set(job.robust);
  given.compare(configurations);
  for (Configuration& one : job.configurations) one.refine = refine;
  return evaluate_by(job, &evaluate_dataset, std::move(progress));
}

void bind_dataset(nb::module_& m) {
  Record<EvaluatedPair>(m, "EvaluatedPair", "A pair of images of a data set.")
      .with("sequence", &EvaluatedPair::sequence, "Its name.")
      .with("image_a", &EvaluatedPair::image_a, "Path, below the root.")
      .with("image_b", &EvaluatedPair::image_b, "Path, below the root.");
  Record<DatasetNumbers> one(m, "EvaluatedConfiguration",
                             "The numbers of a configuration: of P pairs, and their means.");
  add_pairs(one);
  one.with(
         "means", [](const DatasetNumbers& o) { return dict_of_named(o.means); },
         "dict[str, EvaluationMeans]: of \"all\", and of HPatches' \"illumination\" and \"viewpoint\".")
      .with(
          "sequences", [](const DatasetNumbers& o) { return dict_of_named(o.sequences); },
          "dict[str, EvaluationMeans]: of each sequence.");
  Record<Told<Evaluation>> evaluation(m, "Evaluation", "Configurations, compared on a data set.");
  evaluation
      .with(
          "pairs", [](const EvaluateResult& e) { return e.pairs; },
          "list[EvaluatedPair]: those that all configurations went through.")
      .with(
          "configurations",
          [](const Evaluation& e) {
            return by_configuration(e, [&](std::size_t c) {
              const Configuration& of = e.configurations[c];
              DatasetNumbers numbers{{of.name, of.arguments, scores_of(e.pairs, c)}, {}, {}};
              for (const EvaluatedGroup& group : e.groups) numbers.means.emplace_back(group.name, group.means[c]);
              for (const EvaluatedGroup& group : e.sequences) {
                numbers.sequences.emplace_back(group.name, group.means[c]);
              }
              return numbers;
            });
          },
          "dict[str, EvaluatedConfiguration]: by their names.");
  add_report(evaluation);
  m.def("evaluate", &evaluate, nb::arg("root"), nb::arg("configurations"), nb::arg("refine"), nb::arg("covisible_only"),
        nb::arg("examples"), nb::arg("page").none(), nb::arg("options"), nb::arg("progress").none());
}

using Robustness = Evaluated<RobustnessResult>;

Told<Robustness> robustness(const std::vector<fs::path>& images, const nb::dict& configurations, bool refine,
                            const std::vector<std::string>& kinds, std::uint64_t noise_seed,
                            const std::optional<fs::path>& made, const std::optional<fs::path>& page,
                            const nb::dict& options, nb::object progress) {
  RobustnessJob job;
  job.photographs = names_of(images);
  job.kinds = kinds;
  job.noise_seed = noise_seed;
  job.made = made.value_or("");
  job.page = page.value_or("");
  Given given("evaluate_robustness", options, job, without_budget());
  given.keywords.set(job.robust);
  given.compare(configurations);
  for (Configuration& one : job.configurations) one.refine = refine;
  return evaluate_by(job, &evaluate_robustness, std::move(progress));
}

void bind_robustness(nb::module_& m) {
  Record<ChangedPair>(m, "ChangedPair", "A photograph, and an image that was made of it.")
      .with("image_a", &ChangedPair::image_a, "Path, in the folder of the images.")
      .with("image_b", &ChangedPair::image_b, "Path, in the folder of the images.")
      .with("photograph", &ChangedPair::photograph, "Path.")
      .with("kind", &ChangedPair::kind, "Of the change: rotation, ...")
      .with("strength", &ChangedPair::strength, "Of the change.");
  Record<RobustnessNumbers> one(m, "ConfigurationUnderChanges",
                                "The numbers of a configuration: of P pairs, and how their means fall.");
  add_pairs(one);
  one.with(
      "curves", [](const RobustnessNumbers& o) { return dict_of_named(o.curves); },
      "dict[str, list[EvaluationMeans]]: of each kind of change, at each of its strengths.");
  Record<Told<Robustness>> robust(m, "Robustness", "Configurations, compared on photographs that change.");
  robust
      .with(
          "pairs", [](const RobustnessResult& r) { return r.pairs; },
          "list[ChangedPair]: those that all configurations went through.")
      .with(
          "strengths",
          [](const RobustnessResult& r) {
            Named<std::vector<double>> strengths;
            for (const RobustnessCurve& curve : r.curves) strengths.emplace_back(curve.kind, curve.strengths);
            return dict_of_named(strengths);
          },
          "dict[str, list[float]]: of each kind of change.")
      .with(
          "configurations",
          [](const Robustness& r) {
            return by_configuration(r, [&](std::size_t c) {
              const Configuration& of = r.configurations[c];
              RobustnessNumbers numbers{{of.name, of.arguments, scores_of(r.pairs, c)}, {}};
              for (const RobustnessCurve& curve : r.curves) numbers.curves.emplace_back(curve.kind, curve.means[c]);
              return numbers;
            });
          },
          "dict[str, ConfigurationUnderChanges]: by their names.");
  add_report(robust);
  m.def("evaluate_robustness", &robustness, nb::arg("images"), nb::arg("configurations"), nb::arg("refine"),
        nb::arg("kinds"), nb::arg("noise_seed"), nb::arg("made").none(), nb::arg("page").none(), nb::arg("options"),
        nb::arg("progress").none());
}

using Crops = Evaluated<CropResult>;

struct CropNumbers {
  std::string name, arguments;
  std::vector<CropScores> scores;
  std::vector<CropTotals> totals;
};

Told<Crops> crops(const std::vector<fs::path>& images, const nb::dict& configurations,
                  const std::vector<std::pair<int, int>>& sizes, const std::vector<std::string>& changes,
                  std::uint64_t noise_seed, int size, std::size_t examples, const std::optional<fs::path>& page,
                  const nb::dict& options, nb::object progress) {
  CropJob job;
  job.photographs = names_of(images);
  job.crop_sizes.clear();
  for (const auto& [width, height] : sizes) job.crop_sizes.push_back({width, height});
  job.changes = changes;
  job.noise_seed = noise_seed;
  job.size = size;
  job.examples = examples;
  job.page = page.value_or("");
  Given("evaluate_crops", options, job, without_budget()).compare(configurations);
  return evaluate_by(job, &evaluate_crops, std::move(progress));
}

void bind_crops(nb::module_& m) {
  Record<CropCase>(m, "CropCase", "A size and a change of crops.")
      .with(
          "size", [](const CropCase& c) { return nb::make_tuple(c.size.width, c.size.height); },
          "[pixel] Width and height.")
      .with(
          "change", [](const CropCase& c) { return c.change.name; }, "clean, noise, contrast, ...")
      .with(
          "strength", [](const CropCase& c) { return c.change.strength; }, "Of the change; of clean 0.");
  Record<CroppedPhotograph>(m, "CroppedPhotograph", "A photograph, and a crop of it.")
      .with("photograph", &CroppedPhotograph::photograph, "Path.")
      .with("case", &CroppedPhotograph::which_case, "The index of its case.")
      .with("left", &CroppedPhotograph::left, "[pixel] Where the crop is in the photograph.")
      .with("top", &CroppedPhotograph::top, "[pixel]");
  Record<CropNumbers>(m, "ConfigurationOnCrops", "The numbers of a configuration: of P pairs, and sums in C cases.")
      .with("name", &CropNumbers::name, "Of the configuration.")
      .with("arguments", &CropNumbers::arguments, "The options that distinguish it.")
      .with(
          "keypoints",
          [](const CropNumbers& n) {
            return table_of(n.scores, 2, [](const CropScores& s) {
              return std::array{s.keypoints_photograph, s.keypoints_crop};
            });
          },
          "P x 2 in int32: of photograph and crop.")
      .with(
          "matches",
          [](const CropNumbers& n) { return column_of(n.scores, [](const CropScores& s) { return s.matches; }); },
          "P in int32.")
      .with(
          "correct",
          [](const CropNumbers& n) { return column_of(n.scores, [](const CropScores& s) { return s.correct; }); },
          "P in int32: those within 4 pixels of the true place, in x and in y.")
      .with(
          "seconds",
          [](const CropNumbers& n) {
            return table_of(n.scores, 3, [](const CropScores& s) {
              return std::array{s.seconds_photograph, s.seconds_crop, s.seconds_match};
            });
          },
          "P x 3 in float64: [second] of the keypoints of photograph and crop, and of the matching.")
      .with(
          "total_correct",
          [](const CropNumbers& n) { return column_of(n.totals, [](const CropTotals& t) { return t.correct; }); },
          "C in int64: right matches, over the photographs.")
      .with(
          "total_matches",
          [](const CropNumbers& n) { return column_of(n.totals, [](const CropTotals& t) { return t.matches; }); },
          "C in int64.")
      .with(
          "precision",
          [](const CropNumbers& n) { return column_of(n.totals, [](const CropTotals& t) { return precision(t); }); },
          "C in float64: right over all matches.");
  Record<Told<Crops>> cropped(m, "Crops", "Configurations, compared on photographs and crops of them.");
  cropped
      .with(
          "cases", [](const CropResult& r) { return r.cases; }, "list[CropCase].")
      .with(
          "pairs", [](const CropResult& r) { return r.pairs; },
          "list[CroppedPhotograph]: those that all configurations went through.")
      .with(
          "configurations",
          [](const Crops& r) {
            return by_configuration(r, [&](std::size_t c) {
              const Configuration& of = r.configurations[c];
              return CropNumbers{of.name, of.arguments, scores_of(r.pairs, c), r.totals[c]};
            });
          },
          "dict[str, ConfigurationOnCrops]: by their names.");
  add_report(cropped);
  m.def("evaluate_crops", &crops, nb::arg("images"), nb::arg("configurations"), nb::arg("sizes"), nb::arg("changes"),
        nb::arg("noise_seed"), nb::arg("size"), nb::arg("examples"), nb::arg("page").none(), nb::arg("options"),
        nb::arg("progress").none());
}

using Corners = Evaluated<CornerResult>;

struct CornerNumbers {
  std::string name, arguments;
  CornerScores total;
  std::vector<CornerScores> images;
};

Told<Corners> corners(const fs::path& root, const nb::dict& configurations, double tolerance,
                      const std::optional<fs::path>& page, const nb::dict& options, nb::object progress) {
  CornerJob job;
  job.root = root;
  job.tolerance = tolerance;
  job.page = page.value_or("");
  Given("evaluate_corners", options, job, {}).compare(configurations, false);
  return evaluate_by(job, &evaluate_corners, std::move(progress));
}

void bind_corners(nb::module_& m) {
  Record<CornerScores>(m, "CornerScores", "What was counted of corners.")
      .with("labelled", &CornerScores::labelled, "By a person.")
      .with("detected", &CornerScores::detected, "By the configuration.")
      .with("matched", &CornerScores::matched, "Pairs of both, one to one.")
      .with("precision", &CornerScores::precision, "Matched over detected; None without any.")
      .with("recall", &CornerScores::recall, "Matched over labelled; None without any.")
      .with("localisation_error", &CornerScores::localisation_error,
            "[pixel] The root of the mean squared distance of the pairs; None without any.");
  Record<CornerNumbers>(m, "ConfigurationOnCorners", "The numbers of a configuration.")
      .with("name", &CornerNumbers::name, "Of the configuration.")
      .with("arguments", &CornerNumbers::arguments, "The options that distinguish it.")
      .with("total", &CornerNumbers::total, "CornerScores: of all images.")
      .with("images", &CornerNumbers::images, "list[CornerScores]: of each image.");
  Record<Told<Corners>> found(m, "Corners", "Configurations, compared on labelled corners.");
  found
      .with(
          "images",
          [](const CornerResult& r) {
            std::vector<fs::path> images;
            for (const EvaluatedCorners& one : r.images) images.push_back(one.image);
            return images;
          },
          "list[Path]: below the root, those that could be evaluated.")
      .with(
          "configurations",
          [](const Corners& r) {
            return by_configuration(r, [&](std::size_t c) {
              const Configuration& of = r.configurations[c];
              return CornerNumbers{of.name, of.arguments, r.totals[c], scores_of(r.images, c)};
            });
          },
          "dict[str, ConfigurationOnCorners]: by their names.");
  add_report(found);
  m.def("evaluate_corners", &corners, nb::arg("root"), nb::arg("configurations"), nb::arg("tolerance"),
        nb::arg("page").none(), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace

void bind_evaluation(nb::module_& m) {
  bind_means(m);
  bind_dataset(m);
  bind_robustness(m);
  bind_crops(m);
  bind_corners(m);
}

}  // namespace octavo::python
