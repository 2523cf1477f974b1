#include "octavo/inverted_lists.h"

#include <gtest/gtest.h>

#include <random>

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
  void write() {
    InvertedListsWriter writer;
    for (const auto& image : features_) {
      for (const ListedFeature& one : image) writer.count(one.word);
    }
    storage_.assign(writer.bytes() / 8 + 1, 0);
    bytes_ = writer.bytes();
    writer.begin(storage(), static_cast<std::uint32_t>(features_.size()));
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
  EXPECT_FALSE(made.ask(2, 0, 0, 16).empty());
  EXPECT_TRUE(made.ask(2, 0, 0, 17).empty());
}

TEST(InvertedLists, ScoreIsThatOfTheDefinition) {
  MadeLists made(1, 1);
  // One feature: idf = bit_width(1/1) = 1; 3 bits differ; so (16 + 1 − 3)·1².
  EXPECT_EQ(made.ask(0, 0, 0, 3), (std::vector<ImageVote>{{0, 14}}));
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

TEST(InvertedListsWriter, RefusesWhatWasNotCounted) {
  InvertedListsWriter writer;
  writer.count(4);
  std::vector<std::uint64_t> storage(writer.bytes() / 8 + 1);
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(storage));
  EXPECT_THROW(writer.begin(bytes.first(writer.bytes() - 1), 1), Error);
  writer.begin(bytes.first(writer.bytes()), 1);
  EXPECT_THROW(writer.add(0, {.word = 5}), Error);
  EXPECT_THROW(writer.add(1, {.word = 4}), Error);
  writer.add(0, {.word = 4});
  EXPECT_THROW(writer.add(0, {.word = 4}), Error);
}

}  // namespace
}  // namespace octavo
