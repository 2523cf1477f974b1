#include "engine/retrieval/inverted_lists.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <tuple>

#include "octavo/device.h"
#include "octavo/error.h"

namespace octavo {
namespace {

// Lists of a number of images with random features, in memory.
class MadeLists {
 public:
  MadeLists(std::uint32_t images, int features_each) : random_(3) {
    features_.resize(images);
    for (auto& image : features_) {
      for (int i = 0; i < features_each; ++i) image.push_back(feature());
    }
    write();
  }

  ListedFeature feature() {
    return {static_cast<std::uint16_t>(random_()), random_(), static_cast<std::uint8_t>(random_()),
            static_cast<std::uint8_t>(random_())};
  }
  std::vector<std::vector<ListedFeature>>& features() { return features_; }
  [[nodiscard]] const std::vector<std::vector<ListedFeature>>& features() const { return features_; }
  void write() {
    InvertedListsWriter writer;
    const auto images = static_cast<std::uint32_t>(features_.size());
    for (std::uint32_t i = 0; i < images; ++i) {
      for (const ListedFeature& one : features_[i]) writer.count(i, one.word);
    }
    storage_.assign(writer.bytes(images) / 8 + 1, 0);
    bytes_ = writer.bytes(images);
    writer.begin(storage(), images);
    for (std::uint32_t i = 0; i < features_.size(); ++i) {
      for (const ListedFeature& one : features_[i]) writer.add(i, one);
    }
  }
  std::span<std::byte> storage() { return std::as_writable_bytes(std::span(storage_)).first(bytes_); }
  InvertedLists lists() { return InvertedLists(storage()); }
  WordCounts counts() {
    WordCounts counts;
    counts.add(lists());
    return counts;
  }

  // The features of an image, turned and enlarged, each with its word alone.
  std::vector<ImageVote> ask(std::uint32_t image, std::uint8_t turn, std::uint8_t enlarge, int flipped_bits,
                             std::size_t most = 100) {
    std::vector<QueryFeature> query;
    for (const ListedFeature& one : features_[image]) {
      query.push_back({.words = {&one.word, 1},
                       .code = one.code ^ ((std::uint64_t{1} << flipped_bits) - 1),
                       .scale = static_cast<std::uint8_t>(one.scale - enlarge),
                       .orientation = static_cast<std::uint8_t>(one.orientation - turn)});
    }
    return lists().vote(query, counts(), {.most = most});
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::vector<ListedFeature>> features_;
  std::vector<std::uint64_t> storage_;
  std::size_t bytes_ = 0;
};

TEST(InvertedLists, FindTheImageOfTheQuery) {
  MadeLists made(50, 40);
  for (const std::uint32_t image : {0u, 17u, 49u}) {
    const std::vector<ImageVote> votes = made.ask(image, 40, 16, 3);
    ASSERT_FALSE(votes.empty());
    EXPECT_EQ(votes[0].image, image);
    EXPECT_GT(votes[0].score, 10 * (votes.size() > 1 ? votes[1].score : 0));
  }
}

TEST(InvertedLists, CodesThatDifferTooMuchDoNotVote) {
  MadeLists made(5, 40);
  EXPECT_FALSE(made.ask(2, 0, 0, 12).empty());
  EXPECT_TRUE(made.ask(2, 0, 0, 13).empty());
}

TEST(InvertedLists, ScoreIsThatOfTheDefinition) {
  MadeLists made(1, 1);
  // One feature: idf = bit_width(1/1) = 1; 3 bits differ; so (12 + 1 − 3)·1².
  EXPECT_EQ(made.ask(0, 0, 0, 3), (std::vector<ImageVote>{{0, 10}}));
}

TEST(InvertedLists, VotesThatDisagreeAboutTheRotationCountLess) {
  MadeLists made(2, 40);
  made.features()[1] = made.features()[0];
  for (std::size_t i = 0; i < made.features()[1].size(); ++i) {
    made.features()[1][i].orientation = static_cast<std::uint8_t>(made.features()[0][i].orientation + 13 * i);
  }
  made.write();
  const std::vector<ImageVote> votes = made.ask(0, 0, 0, 0);
  ASSERT_EQ(votes.size(), 2u);
  EXPECT_EQ(votes[0].image, 0u);
  EXPECT_GT(votes[0].score, 4 * votes[1].score);
}

TEST(InvertedLists, AFeatureOfTheQueryVotesOnceForAnImage) {
  MadeLists made(1, 1);
  const std::vector<ImageVote> once = made.ask(0, 0, 0, 0);
  made.features()[0].assign(8, made.features()[0][0]);
  made.write();
  const ListedFeature& one = made.features()[0][0];
  const QueryFeature query{
      .words = {&one.word, 1}, .code = one.code, .scale = one.scale, .orientation = one.orientation};
  EXPECT_EQ(made.lists().vote(std::span(&query, 1), made.counts()), once);
}

TEST(InvertedLists, GiveTheBestImagesAlone) {
  MadeLists made(30, 40);
  for (auto& image : made.features()) image = made.features()[0];
  made.write();
  const std::vector<ImageVote> votes = made.ask(0, 0, 0, 0, 7);
  ASSERT_EQ(votes.size(), 7u);
  for (std::uint32_t i = 0; i < 7; ++i) EXPECT_EQ(votes[i].image, i) << "of equal scores the smaller number";
}

TEST(InvertedLists, FrequentWordsDoNotVote) {
  MadeLists made(200, 10);
  for (auto& image : made.features()) image[0].word = 7;
  made.write();
  const std::uint16_t word = 7;
  const ListedFeature& one = made.features()[4][0];
  const QueryFeature query{.words = {&word, 1}, .code = one.code};
  EXPECT_TRUE(made.lists().vote(std::span(&query, 1), made.counts()).empty());
  EXPECT_FALSE(made.lists().vote(std::span(&query, 1), made.counts(), {.max_share = 1}).empty());
}

TEST(InvertedLists, RefuseDamagedBytes) {
  MadeLists made(3, 5);
  const std::span<std::byte> good = made.storage();
  EXPECT_THROW(InvertedLists(good.first(good.size() - 1)), Error);
  EXPECT_THROW(InvertedLists(good.first(40)), Error);
  EXPECT_THROW(InvertedLists(std::span<const std::byte>(good).subspan(1)), Error);
  for (const std::size_t at : {0, 8, 16, 500}) {
    std::vector<std::uint64_t> copy(good.size() / 8 + 1);
    std::ranges::copy(good, std::as_writable_bytes(std::span(copy)).begin());
    auto bytes = std::as_writable_bytes(std::span(copy)).first(good.size());
    bytes[at] = bytes[at] ^ std::byte{0xff};
    EXPECT_THROW(InvertedLists{std::span<const std::byte>(bytes)}, Error) << at;
  }
}

// Images of several blocks of 65 536, most of them without features.
TEST(InvertedLists, FindImagesOfAllBlocks) {
  const std::vector<std::uint32_t> with_features{0, 65535, 65536, 131071, 131072, 199999};
  MadeLists made(200000, 0);
  const MadeLists other(1, 30);
  for (const std::uint32_t image : with_features) made.features()[image] = other.features()[0];
  made.write();
  EXPECT_EQ(made.lists().images(), 200000u);
  const std::vector<ImageVote> votes = made.ask(65536, 0, 0, 2);
  ASSERT_EQ(votes.size(), with_features.size());
  for (std::size_t i = 0; i < votes.size(); ++i) {
    EXPECT_EQ(votes[i].image, with_features[i]);
    EXPECT_EQ(votes[i].score, votes[0].score);
  }
  MadeLists empty(70000, 0);
  EXPECT_EQ(empty.lists().images(), 70000u);
  EXPECT_EQ(empty.lists().features(), 0u);
}

// Votes by the definition: every feature of the query with every listed one.
std::vector<ImageVote> votes_by_definition(const std::vector<std::vector<ListedFeature>>& images,
                                           std::span<const QueryFeature> query, const WordCounts& counts,
                                           const VoteOptions& options) {
  std::vector<ImageVote> result;
  for (std::uint32_t image = 0; image < images.size(); ++image) {
    std::vector<std::uint32_t> rotations(32), scalings(32);
    for (const QueryFeature& feature : query) {
      std::tuple<std::uint32_t, int, int> best{0, 0, 0};
      for (const ListedFeature& one : images[image]) {
        if (std::ranges::find(feature.words, one.word) == feature.words.end()) continue;
        const int distance = std::popcount(one.code ^ feature.code);
        if (distance > options.max_distance) continue;
        const auto idf = static_cast<std::uint32_t>(std::bit_width(counts.total() / counts.of(one.word)));
        const std::uint32_t weight = static_cast<std::uint32_t>(options.max_distance + 1 - distance) * idf * idf;
        const int rotation = static_cast<std::uint8_t>(one.orientation - feature.orientation);
        const int scaling = static_cast<std::uint8_t>(one.scale - feature.scale);
        best = std::max(best, std::tuple(weight, -rotation, -scaling));
      }
      rotations[static_cast<std::size_t>(-std::get<1>(best) / 8)] += std::get<0>(best);
      scalings[static_cast<std::size_t>(-std::get<2>(best) / 8)] += std::get<0>(best);
    }
    std::uint32_t turn = 0, zoom = 0;
    for (std::size_t i = 0; i < 32; ++i) {
      turn = std::max(turn, rotations[i] + rotations[(i + 1) % 32]);
      zoom = std::max(zoom, scalings[i] + scalings[(i + 1) % 32]);
    }
    if (turn > 0) result.push_back({image, std::min(turn, zoom)});
  }
  std::ranges::sort(result, {}, [](const ImageVote& v) { return std::pair(~v.score, v.image); });
  result.resize(std::min(result.size(), options.most));
  return result;
}

// Few words and codes that are all near, so that most images have many votes.
TEST(InvertedLists, VotesAreThoseOfTheDefinition) {
  MadeLists made(300, 30);
  std::mt19937_64 random(8);
  for (auto& image : made.features()) {
    for (ListedFeature& one : image) {
      one.word = static_cast<std::uint16_t>(random() % 50);
      one.code = random() & random() & 0xffffff;
    }
  }
  made.write();
  std::vector<std::uint16_t> words;
  std::vector<QueryFeature> query;
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 3; ++k) words.push_back(static_cast<std::uint16_t>((i + 7 * k) % 50));
  }
  for (std::size_t i = 0; i < 40; ++i) {
    query.push_back({.words = std::span(words).subspan(3 * i, 3),
                     .code = random() & 0xffff,
                     .scale = static_cast<std::uint8_t>(random()),
                     .orientation = static_cast<std::uint8_t>(random())});
  }
  const WordCounts counts = made.counts();
  for (const std::size_t most : {0, 1, 20, 1000}) {
    VoteOptions options{.max_share = 1, .most = most};
    const std::vector<ImageVote> expected = votes_by_definition(made.features(), query, counts, options);
    for (const std::string& isa : list_isas()) {
      options.isa = isa;
      EXPECT_EQ(made.lists().vote(query, counts, options), expected) << isa << ", " << most;
    }
  }
  EXPECT_THROW(made.lists().vote(query, counts, {.isa = "abacus"}), Error);
}

// A budget of codes takes rare words before frequent ones, and nearest words before further ones.
TEST(InvertedLists, AskRareAndNearWordsFirst) {
  MadeLists made(4, 0);
  const auto list = [&](std::uint32_t image, std::uint16_t word, int times) {
    for (int i = 0; i < times; ++i) made.features()[image].push_back({.word = word});
  };
  list(0, 10, 5);
  list(1, 11, 6);
  list(2, 12, 3);
  list(3, 13, 20);
  made.write();
  const std::vector<std::uint16_t> first{13, 12}, second{10, 11};  // costs 20 and 3·4; 5 and 6·4
  const std::vector<QueryFeature> query{{.words = first}, {.words = second}};
  const auto asked = [&](std::uint64_t most_codes, double share) {
    std::vector<std::uint32_t> images;
    const VoteOptions options{.max_share = 1, .most_codes = most_codes, .most_codes_share = share};
    for (const ImageVote& vote : made.lists().vote(query, made.counts(), options)) images.push_back(vote.image);
    std::ranges::sort(images);
    return images;
  };
  using Images = std::vector<std::uint32_t>;
  EXPECT_EQ(asked(4, 0), Images{});
  EXPECT_EQ(asked(5, 0), Images{0});
  EXPECT_EQ(asked(8, 0), (Images{0, 2}));
  EXPECT_EQ(asked(27, 0), (Images{0, 2}));
  EXPECT_EQ(asked(28, 0), (Images{0, 2, 3}));
  EXPECT_EQ(asked(34, 0), (Images{0, 1, 2, 3}));
  EXPECT_EQ(asked(0, 8.0 / 34), (Images{0, 2})) << "a share of all features";
}

TEST(InvertedListsWriter, RefusesFewerImagesThanWereCounted) {
  InvertedListsWriter writer;
  writer.count(70000, 4);
  std::vector<std::uint64_t> storage(writer.bytes(65536) / 8 + 1);
  EXPECT_THROW(writer.begin(std::as_writable_bytes(std::span(storage)).first(writer.bytes(65536)), 65536), Error);
}

TEST(InvertedListsWriter, RefusesWhatWasNotCounted) {
  InvertedListsWriter writer;
  writer.count(0, 4);
  std::vector<std::uint64_t> storage(writer.bytes(1) / 8 + 1);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(storage));
  EXPECT_THROW(writer.begin(bytes.first(writer.bytes(1) - 1), 1), Error);
  writer.begin(bytes.first(writer.bytes(1)), 1);
  EXPECT_THROW(writer.add(0, {.word = 5}), Error);
  EXPECT_THROW(writer.add(1, {.word = 4}), Error);
  writer.add(0, {.word = 4});
  EXPECT_THROW(writer.add(0, {.word = 4}), Error);
}

}  // namespace
}  // namespace octavo
