#include "video/takes/average_link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace octavo {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

// The definition: joins the two most similar groups until none are similar enough.
Groups by_definition(const std::vector<double>& similarity, std::size_t n, double least) {
  Groups groups;
  for (std::size_t i = 0; i < n; ++i) groups.push_back({i});
  for (;;) {
    double most = -1;
    std::size_t p = 0, q = 0;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        double sum = 0;
        for (const std::size_t i : groups[a]) {
          for (const std::size_t j : groups[b]) sum += similarity[i * n + j];
        }
        const double mean = sum / static_cast<double>(groups[a].size() * groups[b].size());
        if (mean <= most) continue;
        most = mean;
        p = a;
        q = b;
      }
    }
    if (most < least) break;
    groups[p].insert(groups[p].end(), groups[q].begin(), groups[q].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(q));
  }
  for (std::vector<std::size_t>& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  return groups;
}

TEST(AverageLink, GivesTheGroupsOfTheDefinition) {
  std::mt19937_64 random(3);
  for (std::size_t n = 1; n < 14; ++n) {
    for (const double least : {0.3, 0.5, 0.7}) {
      std::vector<double> similarity(n * n, 0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          similarity[i * n + j] = similarity[j * n + i] = static_cast<double>(random() >> 11) * 0x1p-53;
        }
      }
      EXPECT_EQ(average_link(similarity, n, least), by_definition(similarity, n, least)) << n << ' ' << least;
    }
  }
}

TEST(AverageLink, TakesTheMeanOfAllPairs) {
  // 0 and 1 are alike; 2 is like 0 alone: (0.9 + 0.1) / 2.
  const std::vector<double> similarity{0, 1, 0.9, 1, 0, 0.1, 0.9, 0.1, 0};
  EXPECT_EQ(average_link(similarity, 3, 0.45), (Groups{{0, 1, 2}}));
  EXPECT_EQ(average_link(similarity, 3, 0.55), (Groups{{0, 1}, {2}}));
}

TEST(AverageLink, EndsWhereAllAreAlike) {
  EXPECT_EQ(average_link(std::vector<double>(25, 0.5), 5, 0.5), (Groups{{0, 1, 2, 3, 4}}));
  EXPECT_EQ(average_link(std::vector<double>(25, 0), 5, 0.5).size(), 5u);
  EXPECT_TRUE(average_link({}, 0, 0.5).empty());
}

}  // namespace
}  // namespace octavo
