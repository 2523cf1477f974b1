// Pairs of similar and of near images, and their list.

#include "octavo/multiview/choose_pairs.h"

#include <gtest/gtest.h>

#include <tuple>

#include "octavo/error.h"
#include "octavo/image.h"
#include "octavo/retrieval.h"

namespace octavo {
namespace {

using Pairs = std::vector<ImagePair>;

// A new member of the struct must have a row, or it would be neither checked nor settable.
TEST(ChoosePairs, EveryOptionHasARow) {
  const PairOptions other{
      .by = PairsBy::gps, .neighbours = 3, .overlap = 4, .quadratic = true, .metres = 5.5, .size = 800, .augment = 7};
  const OptionTable<PairOptions>& table = option_table<PairOptions>();
  PairOptions copy;
  for (const auto& option : table.options) {
    EXPECT_NE(option.read(copy, option), option.read(other, option)) << option.name;
    table.set(copy, option, option.read(other, option));
  }
  const auto members = [](const PairOptions& o) {
    return std::tuple(o.by, o.neighbours, o.overlap, o.quadratic, o.metres, o.size, o.augment);
  };
  EXPECT_EQ(members(copy), members(other));
  EXPECT_THROW(validate(PairOptions{.neighbours = 0}), Error);
  EXPECT_THROW(validate(PairOptions{.metres = -1}), Error);
  EXPECT_NO_THROW(validate(PairOptions{.size = 0}));
}

TEST(ChoosePairs, APairOfSimilarImagesIsOnePairFromEitherSide) {
  const std::vector<std::vector<SimilarImage>> similar{{{2, 9}}, {{0, 5}, {2, 4}}, {{0, 9}}, {}};
  EXPECT_EQ(pairs_of_similar(similar), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(pairs_of_similar({}), Pairs{});
}

TEST(ChoosePairs, NextOnesByNameAreCounted) {
  const std::vector<std::string> names{"1.png", "10.png", "2.png", "9.png"};
  EXPECT_EQ(pairs_by_name(names, 1), (std::vector<ImagePair>{{0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(pairs_by_name(names, 2, true), (std::vector<ImagePair>{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
}

TEST(ChoosePairs, DistancesOfPlaces) {
  // A degree of the meridian at the equator and at the pole (WGS 84): 110.574 and 111.694 km; of the equator 111.319
  // km.
  EXPECT_NEAR(distance_of({-0.5, 9}, {0.5, 9}), 110574, 3);
  EXPECT_NEAR(distance_of({89, 0}, {90, 0}), 111693, 3);
  EXPECT_NEAR(distance_of({0, 179.5}, {0, -179.5}), 111319, 3);
  EXPECT_EQ(distance_of({47, 11}, {47, 11, 2962}), 0);
}

TEST(ChoosePairs, NearPlacesArePairs) {
  // Along a meridian, about 11 m apart.
  std::vector<std::optional<GpsPlace>> places;
  for (int i = 0; i < 5; ++i) places.push_back(GpsPlace{47 + 1e-4 * i, 11});
  places[3].reset();
  EXPECT_EQ(pairs_by_place(places, 10, 12), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(pairs_by_place(places, 10, 23), (Pairs{{0, 1}, {0, 2}, {1, 2}, {2, 4}}));
  EXPECT_EQ(pairs_by_place(places, 1, 1e6), (Pairs{{0, 1}, {1, 2}, {2, 4}}));
}

TEST(ChoosePairs, AListHasAPairALine) {
  const std::vector<std::string> names{"a.jpg", "below/b.jpg", "c d.jpg"};
  EXPECT_EQ(pair_list(names, Pairs{{0, 1}, {1, 0}}), "a.jpg below/b.jpg\nbelow/b.jpg a.jpg\n");
  EXPECT_EQ(pair_list(names, {}), "");
  EXPECT_EQ(pair_list(names, Pairs{{0, 2}}), "a.jpg \"c d.jpg\"\n");
  EXPECT_THROW(pair_list(std::vector<std::string>{"a.jpg", "b\n.jpg"}, Pairs{{0, 1}}), Error);
  const std::vector<std::string> comments{"#1.jpg", "a.jpg", "#2.jpg"};
  EXPECT_EQ(pair_list(comments, Pairs{{0, 1}, {1, 2}}), "a.jpg #1.jpg\na.jpg #2.jpg\n");
  EXPECT_EQ(pair_list(comments, Pairs{{0, 2}}), "\"#1.jpg\" \"#2.jpg\"\n");
}

TEST(ChoosePairs, TheImageOfSimilaritiesShowsThePairsAboveTheDiagonal) {
  const std::int64_t equal = std::int64_t{vlad_length} * vlad_length;
  const std::vector<std::vector<SimilarImage>> similar{
      {{1, equal}, {2, equal}}, {{0, equal}, {2, 0}}, {{0, equal}, {1, 0}}};
  const Image image = draw_similarities(similar, Pairs{{0, 1}});
  ASSERT_EQ(image.width(), 36);
  const auto green = [&](int row, int column) {
    return static_cast<int>(image.view().row(12 * row + 6)[3 * (12 * column + 6) + 1]);
  };
  EXPECT_EQ(green(0, 1), green(1, 1));
  EXPECT_EQ(green(2, 0), green(1, 1));
  EXPECT_NE(green(0, 2), green(1, 1));
  EXPECT_EQ(green(0, 2), green(1, 2));
  EXPECT_THROW(draw_similarities({}, {}), Error);
}

TEST(ChoosePairs, AnImageThatFailsHasNoVlad) {
  const std::vector<ImageFile> files{{"no-such.png", "no-such.png"}};
  std::vector<std::string> problems;
  const JobContext context{.fail = [&](const std::string& sentence) { problems.push_back(sentence); }};
  EXPECT_TRUE(vlads_of_images(files, 1024, SiftOptions{}, {}, {}, context).at(0).empty());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("no-such.png"), std::string::npos);
  vlads_of_features(files, {}, context);
  EXPECT_EQ(problems.size(), 2u);
}

}  // namespace
}  // namespace octavo
