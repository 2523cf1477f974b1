// Chooses crops by the number of right matches, and matches them again: a comparison keeps numbers alone.

#include "study/evaluate/crop_examples.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "octavo/image.h"

namespace octavo {
namespace {

constexpr int longest_side = 640;  // [pixel] of an image on the page

int right_matches(const CroppedPair& pair) {
  return std::accumulate(pair.scores.begin(), pair.scores.end(), 0,
                         [](int sum, const CropScores& scores) { return sum + scores.correct; });
}

// The pairs of a case with matches, those with the most right ones first.
std::vector<std::size_t> by_right_matches(const CropComparison& comparison, std::size_t which_case) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const CroppedPair& pair = comparison.pairs[i];
    const auto has_matches = [](const CropScores& scores) { return scores.matches > 0; };
    if (pair.which_case == which_case && std::ranges::any_of(pair.scores, has_matches)) order.push_back(i);
  }
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return right_matches(comparison.pairs[i]); });
  return order;
}

std::vector<JudgedMatch> judged_in_crop(const Features& crop, const Features& photograph,
                                        std::span<const Match> matches, const CroppedPair& pair) {
  const PointPairs places = point_pairs(crop, photograph, matches);
  std::vector<JudgedMatch> all;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Point a = places.a[i], b = places.b[i];
    all.push_back({a, b, std::max(std::abs(a.x + pair.left - b.x), std::abs(a.y + pair.top - b.y))});
  }
  return all;
}

MatchExample example_of(const ImageFile& file, const CropCase& one, const CroppedPair& pair,
                        std::span<Pipeline> pipelines, const CropOptions& options) {
  const Image crop = crop_of(file, one, options), photograph = photograph_of(file, options);
  MatchExample example = example_of_images(crop, photograph, longest_side);
  for (Pipeline& pipeline : pipelines) {
    const Features a = pipeline.features(crop.view(), nullptr, {file.name, {}});
    const Features b = pipeline.features(photograph.view(), nullptr, {file.name, {}});
    example.matches.push_back(judged_in_crop(a, b, pipeline.matches(a, b), pair));
  }
  return example;
}

}  // namespace

std::vector<MatchExample> crop_examples(const CropComparison& comparison, std::span<const ImageFile> photographs,
                                        std::span<Pipeline> pipelines, const CropOptions& options, std::size_t count) {
  std::vector<MatchExample> examples;
  for (std::size_t c = 0; c < comparison.cases.size(); ++c) {
    const auto file_of = [&](std::size_t i) -> const ImageFile& { return photographs[comparison.pairs[i].photograph]; };
    const auto begin = [&](std::size_t, std::size_t, std::size_t i) {
      if (options.progress) options.progress(c, comparison.cases.size(), "image of " + file_of(i).name.string());
    };
    const auto make = [&](std::size_t i) {
      return example_of(file_of(i), comparison.cases[c], comparison.pairs[i], pipelines, options);
    };
    std::ranges::move(spread_examples(by_right_matches(comparison, c), count, {begin, make}),
                      std::back_inserter(examples));
  }
  return examples;
}

}  // namespace octavo
