// Every number is compared pair by pair. The best configuration of a number is the one with the highest mean.
// Configurations whose difference to it may be chance (mean_difference) are as good.

#include "study/evaluate/conclusion.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "study/evaluate/budgets.h"
#include "study/evaluate/metric_tables.h"
#include "study/evaluate/paired_difference.h"

namespace octavo::evaluation {
namespace {

// A number of a pair, of which a higher one is better.
struct Metric {
  const char* name;
  double factor;  ///< to the unit that is shown
  const char* unit;
  double (*value)(const PairScores&);
  bool of_homographies = false;
};
constexpr Metric metrics[] = {
    {"repeatability", 100, " %", [](const PairScores& s) { return repeatability(s)[at_correct]; }},
    {"matching accuracy (MMA)", 100, " %", [](const PairScores& s) { return matching_accuracy(s)[at_correct]; }},
    {"precision", 100, " %", [](const PairScores& s) { return precision(s)[at_correct]; }},
    {"matching score", 100, " %", [](const PairScores& s) { return matching_score(s); }},
    {"correct matches", 1, "", [](const PairScores& s) { return double(s.correct[at_correct]); }},
    {"homography accuracy", 100, " %", [](const PairScores& s) { return s.corner_error <= correct_within ? 1.0 : 0.0; },
     true},
    {"repeatability of regions", 100, " %", [](const PairScores& s) { return region_repeatability(s)[usual_overlap]; },
     true}};

// The configurations in one number.
struct Ranking {
  const Metric* metric = nullptr;
  std::size_t pairs = 0;  ///< that have this number
  std::vector<double> means;
  std::size_t best = 0;
  std::vector<MeanDifference> behind;  ///< the best minus each configuration

  [[nodiscard]] bool is_known() const {
    return std::all_of(behind.begin(), behind.end(), [](const MeanDifference& one) { return one.is_known(); });
  }
  // The best configuration and those with exactly the same mean.
  [[nodiscard]] std::vector<std::size_t> highest() const {
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < means.size(); ++c) {
      if (means[c] == means[best]) all.push_back(c);
    }
    return all;
  }
  // The best configuration and those that may be as good.
  [[nodiscard]] std::vector<std::size_t> leaders() const {
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < means.size(); ++c) {
      if (c == best || !behind[c].is_sure()) all.push_back(c);
    }
    return all;
  }
};

std::vector<Ranking> rankings(const Comparison& comparison, const AlikePairs& alike, std::size_t configurations) {
  std::vector<Ranking> all;
  for (const Metric& metric : metrics) {
    std::vector<std::vector<double>> values(configurations);
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
      const ComparedPair& pair = comparison.pairs[i];
      if (metric.of_homographies && !pair.scores.front().has_true_homography) continue;
      groups.push_back(alike.groups[i]);
      for (std::size_t c = 0; c < configurations; ++c) values[c].push_back(metric.value(pair.scores[c]));
    }
    if (groups.empty()) continue;
    Ranking ranking{.metric = &metric, .pairs = groups.size(), .means = {}, .behind = {}};
    for (const std::vector<double>& one : values) {
      double sum = 0;
      for (const double value : one) sum += value;
      ranking.means.push_back(sum / static_cast<double>(one.size()));
    }
    ranking.best =
        static_cast<std::size_t>(std::max_element(ranking.means.begin(), ranking.means.end()) - ranking.means.begin());
    for (const std::vector<double>& one : values) {
      std::vector<double> differences;
      for (std::size_t i = 0; i < one.size(); ++i) differences.push_back(values[ranking.best][i] - one[i]);
      ranking.behind.push_back(mean_difference(differences, groups));
    }
    all.push_back(std::move(ranking));
  }
  return all;
}

// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string shown(const Metric& metric, double value) {
  return fmt::format("{:.1f}{}", metric.factor * value, metric.unit);
}

std::vector<std::string> description(const Comparison& comparison, const AlikePairs& alike,
                                     const Configuration& configuration) {
  std::vector<std::string> numbers;
  for (const Ranking& ranking : rankings(comparison, alike, 1)) {
    numbers.push_back(fmt::format("{} {}", ranking.metric->name, shown(*ranking.metric, ranking.means[0])));
  }
  return {
      fmt::format("{}, the mean over {} pairs: {}. With another --configuration, the page says which one is better.",
                  configuration.name, comparison.pairs.size(), listed(numbers))};
}

// The numbers with one best configuration, and the same others that may be as good.
struct Lead {
  std::size_t best = 0;
  std::vector<std::size_t> leaders;
  std::vector<const Ranking*> of;
};

// Fewest leaders first: what is sure comes before what may be chance.
std::vector<Lead> leads_in(const std::vector<Ranking>& all, std::size_t configurations) {
  std::vector<Lead> leads;
  for (const Ranking& ranking : all) {
    const std::vector<std::size_t> leaders = ranking.leaders();
    const auto same = std::find_if(leads.begin(), leads.end(), [&](const Lead& lead) {
      return lead.leaders == leaders && (lead.best == ranking.best || leaders.size() == configurations);
    });
    if (same == leads.end()) {
      leads.push_back({ranking.best, leaders, {&ranking}});
    } else {
      same->of.push_back(&ranking);
    }
  }
  std::stable_sort(leads.begin(), leads.end(),
                   [](const Lead& a, const Lead& b) { return a.leaders.size() < b.leaders.size(); });
  return leads;
}

std::string sentence_of(const Lead& lead, std::span<const Configuration> configurations) {
  std::vector<std::string> others, numbers, names;
  for (const std::size_t c : lead.leaders) {
    if (c != lead.best) others.push_back(configurations[c].name);
  }
  for (const Ranking* ranking : lead.of) {
    names.emplace_back(ranking->metric->name);
    numbers.push_back(
        fmt::format("{} ({})", ranking->metric->name, shown(*ranking->metric, ranking->means[lead.best])));
  }
  const std::string& best = configurations[lead.best].name;
  if (others.empty()) return fmt::format("{} is best in {}.", best, listed(numbers));
  if (lead.leaders.size() == configurations.size()) {
    return fmt::format("In {} no configuration is better than the others by more than chance.", listed(names));
  }
  return fmt::format("{} is first in {}, where {} may be as good.", best, listed(numbers), listed(others));
}

// What is said of numbers of too few pairs, which are all numbers or `some` of them.
std::string sentence_of_few(const std::vector<Ranking>& unknown, bool some,
                            std::span<const Configuration> configurations) {
  std::vector<std::string> numbers, highest;
  std::size_t pairs = 0;
  for (const Ranking& ranking : unknown) {
    std::vector<std::string> names;
    for (const std::size_t c : ranking.highest()) names.push_back(configurations[c].name);
    numbers.emplace_back(ranking.metric->name);
    highest.push_back(fmt::format("{} ({}, {})", ranking.metric->name, listed(names),
                                  shown(*ranking.metric, ranking.means[ranking.best])));
    pairs = std::max(pairs, ranking.pairs);
  }
  return fmt::format(
      "{} {} too few to tell which configuration is better{}. The highest numbers, which may be chance: {}.", pairs,
      pairs == 1 ? "pair is" : "pairs are", some ? " in " + listed(numbers) : "", listed(highest));
}

// A difference with its sign. Zero has none.
std::string signed_number(double value) {
  std::string text = fmt::format("{:.1f}", std::abs(value));
  if (text == "0.0") return text;
  return (value < 0 ? "−" : "+") + text;
}

}  // namespace

AlikePairs alike_by_scene(const Comparison& comparison, std::string name) {
  AlikePairs alike{.name = std::move(name), .groups = {}};
  for (const ComparedPair& pair : comparison.pairs) alike.groups.push_back(pair.scene);
  return alike;
}

std::vector<std::string> conclusions_of(const Comparison& comparison, const AlikePairs& alike,
                                        std::span<const Configuration> configurations) {
  if (comparison.pairs.empty()) return {"No pair was evaluated."};
  if (configurations.size() == 1) return description(comparison, alike, configurations[0]);
  const std::vector<double> keypoints = mean_keypoints(comparison, configurations.size());
  std::vector<std::string> names;
  for (const Configuration& configuration : configurations) names.push_back(configuration.name);
  if (std::string warning = warning_of_budgets(keypoints, names); !warning.empty()) {
    warning.front() = 'T';
    return {warning + "."};
  }
  const std::vector<Ranking> all = rankings(comparison, alike, configurations.size());
  // Few of the pairs may have a true homography.
  std::vector<Ranking> known, unknown;
  for (const Ranking& ranking : all) (ranking.is_known() ? known : unknown).push_back(ranking);
  std::vector<std::string> sentences;
  for (const Lead& lead : leads_in(known, configurations.size()))
    sentences.push_back(sentence_of(lead, configurations));
  if (!unknown.empty()) sentences.push_back(sentence_of_few(unknown, !known.empty(), configurations));
  return {fmt::format("{}", fmt::join(sentences, " "))};
}

Table difference_table(const Comparison& comparison, const AlikePairs& alike,
                       std::span<const Configuration> configurations) {
  Table table{.title = "Difference to the highest mean", .header = {"at 3 px"}, .rows = {}};
  for (const Configuration& configuration : configurations) table.header.push_back(configuration.name);
  if (configurations.size() < 2 || comparison.pairs.empty()) return table;
  const bool uneven = are_uneven(mean_keypoints(comparison, configurations.size()));
  const std::vector<Ranking> all = rankings(comparison, alike, configurations.size());
  if (std::ranges::any_of(all, &Ranking::is_known)) table.title += ", with the interval of 95 %";
  for (const Ranking& ranking : all) {
    const Metric& metric = *ranking.metric;
    std::vector<std::string> row{metric.name};
    for (std::size_t c = 0; c < configurations.size(); ++c) {
      const MeanDifference& behind = ranking.behind[c];
      if (c == ranking.best) {
        if (!uneven && ranking.highest().size() < configurations.size())
          table.best.push_back({table.rows.size(), c + 1});
        row.push_back(shown(metric, ranking.means[c]));
      } else if (!behind.is_known()) {
        row.push_back(signed_number(-metric.factor * behind.mean));
      } else {
        row.push_back(
            fmt::format("{}{} ({} to {})", behind.is_sure() ? "" : "= ", signed_number(-metric.factor * behind.mean),
                        signed_number(-metric.factor * behind.high), signed_number(-metric.factor * behind.low)));
      }
    }
    table.rows.push_back(row);
  }
  return table;
}

std::string method_of(const AlikePairs& alike) {
  const std::set<std::size_t> groups(alike.groups.begin(), alike.groups.end());
  const bool are_drawn = groups.size() >= MeanDifference::least_groups && groups.size() < alike.groups.size();
  if (alike.groups.size() < MeanDifference::least_units) {
    return fmt::format("Intervals need at least {} pairs.", MeanDifference::least_units);
  }
  return fmt::format(
      "Two configurations are called equally good (=) if the interval of their difference includes 0. The interval is "
      "that "
      "of the bootstrap: {} are drawn at random, 2000 times, and the means of 95 % of the draws lie in it. It says "
      "nothing about images of another kind. Of twenty differences about one is beyond its interval by chance.",
      are_drawn ? "whole " + alike.name : "pairs");
}

}  // namespace octavo::evaluation
