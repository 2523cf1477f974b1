// Chooses pairs by precision, and matches them again: a comparison keeps numbers, but neither images nor features.

#include "study/evaluate/match_examples.h"
#include "study/evaluate/known_view.h"

#include <algorithm>
#include <new>
#include <numeric>

#include "engine/scores/truth.h"
#include "io/drawing/page_image.h"
#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/pair_scores.h"

namespace octavo {
namespace {

double mean_precision(const ComparedPair& pair) {
  double sum = 0;
  for (const PairScores& scores : pair.scores) sum += precision(scores)[at_correct];
  return sum / static_cast<double>(pair.scores.size());
}

int correct_matches(const ComparedPair& pair) {
  return std::accumulate(pair.scores.begin(), pair.scores.end(), 0,
                         [](int sum, const PairScores& scores) { return sum + scores.correct[at_correct]; });
}

// The pairs with matches, the most precise first. Among equals, more correct matches are better.
std::vector<std::size_t> by_precision(const Comparison& comparison) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
    const std::vector<PairScores>& scores = comparison.pairs[i].scores;
    if (std::any_of(scores.begin(), scores.end(), [](const PairScores& one) { return one.judged > 0; })) {
      order.push_back(i);
    }
  }
  const auto rank = [&](std::size_t i) {
    return std::pair(mean_precision(comparison.pairs[i]), correct_matches(comparison.pairs[i]));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  return order;
}

std::vector<JudgedMatch> judged(const Features& a, const Features& b, std::span<const Match> matches,
                                const Truth& truth) {
  const PointPairs places = point_pairs(a, b, matches);
  const std::vector<double> errors = evaluation::match_errors(a, b, matches, truth);
  std::vector<JudgedMatch> all;
  for (std::size_t i = 0; i < matches.size(); ++i) all.push_back({places.a[i], places.b[i], errors[i]});
  return all;
}

MatchExample sample_of(const KnownScene& scene, const KnownScene::Other& other, std::span<Pipeline> pipelines,
                       const ExampleOptions& options) {
  const Image first = scene.first();
  const KnownView view = other.view();
  MatchExample example = example_of_images(first, view.image, options.longest_side);
  const Covisible masks = options.covisible_only ? covisible(view.truth, example.size_a, example.size_b) : Covisible{};
  for (Pipeline& pipeline : pipelines) {
    const Features a = pipeline.features(first.view(), masks.a ? &masks.a->view() : nullptr, scene.first_name);
    const Features b = pipeline.features(view.image.view(), masks.b ? &masks.b->view() : nullptr, other.name);
    example.matches.push_back(judged(a, b, pipeline.matches(a, b), view.truth));
  }
  return example;
}

std::vector<std::size_t> spread(std::size_t count, std::size_t of) {
  std::vector<std::size_t> ranks;
  count = std::min(count, of);
  if (count == 1) return {(of - 1) / 2};
  for (std::size_t i = 0; i < count; ++i) ranks.push_back((i * (of - 1) + (count - 1) / 2) / (count - 1));
  return ranks;
}

}  // namespace

MatchExample example_of_images(const Image& a, const Image& b, int longest_side) {
  return {.a = io::reduced(a.view(), longest_side),
          .b = io::reduced(b.view(), longest_side),
          .size_a = {a.width(), a.height()},
          .size_b = {b.width(), b.height()},
          .matches = {}};
}

std::vector<MatchExample> spread_examples(std::span<const std::size_t> order, std::size_t count,
                                          const ExampleMaker& maker) {
  std::vector<MatchExample> examples;
  const std::vector<std::size_t> ranks = spread(count, order.size());
  for (std::size_t done = 0; done < ranks.size(); ++done) {
    const std::size_t rank = ranks[done], pair = order[rank];
    maker.begin(done, ranks.size(), pair);
    try {
      examples.push_back(maker.make(pair));
      examples.back().pair = pair;
      examples.back().rank = rank;
      examples.back().ranked = order.size();
    } catch (const Error&) {
      continue;  // the files have changed since the comparison; its numbers stand without the image
    } catch (const std::bad_alloc&) {
      continue;
    }
  }
  return examples;
}

std::vector<MatchExample> match_examples(const Comparison& comparison, std::span<const KnownScene> scenes,
                                         std::span<Pipeline> pipelines, const ExampleOptions& options) {
  const auto other_of = [&](const ComparedPair& pair) -> const KnownScene::Other& {
    return scenes[pair.scene].others[pair.other];
  };
  const auto begin = [&](std::size_t done, std::size_t total, std::size_t i) {
    const ComparedPair& pair = comparison.pairs[i];
    if (pair.scores.size() != pipelines.size()) {
      throw Error(ErrorCode::invalid_argument, "there are " + std::to_string(pipelines.size()) +
                                                   " pipelines, but the comparison has " +
                                                   std::to_string(pair.scores.size()));
    }
    if (options.progress) options.progress(done, total, other_of(pair).name);
  };
  const auto make = [&](std::size_t i) {
    const ComparedPair& pair = comparison.pairs[i];
    return sample_of(scenes[pair.scene], other_of(pair), pipelines, options);
  };
  return spread_examples(by_precision(comparison), options.examples, {begin, make});
}

}  // namespace octavo
