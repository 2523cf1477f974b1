#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/results/part_note.h"
#include "octavo/error.h"
#include "octavo/io/shard.h"

namespace octavo {
namespace {

std::string sentence_of(const std::vector<Part>& parts) {
  try {
    note_of_whole(parts);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Part part(std::uint32_t number, std::uint32_t count, const std::string& settings = R"({"layers":3})") {
  return {"part " + std::to_string(number),
          {.shard = {number, count}, .settings = settings, .inputs = {5, "ab"}, .items = 2}};
}

TEST(Shard, TextsAreRead) {
  EXPECT_EQ(shard_of_text("3/8"), (Shard{3, 8}));
  EXPECT_EQ(text_of(shard_of_text("1000000/1000000")), "1000000/1000000");
  for (const char* text : {"", "3", "0/3", "4/3", "x/2", "2/x", "1/0", "-1/2", "1/1000001", "1/2/3", " 1/2", "1/2 "}) {
    EXPECT_THROW(shard_of_text(text), Error) << text;
  }
}

// Recorded: other programs compute the same numbers, and parts of an earlier version stay good.
TEST(Shard, NumbersStay) {
  EXPECT_EQ(shard_number("", 1000), 204u);
  EXPECT_EQ(shard_number("a.png", 8), 7u);
  EXPECT_EQ(shard_number("holidays/IMG_0001.jpg", 1000), 916u);
}

TEST(Shard, ItemsAreSpreadEvenly) {
  for (const std::uint32_t count : {2u, 3u, 7u, 8u, 64u}) {
    std::vector<int> items(count);
    constexpr int per_shard = 400;
    for (std::uint32_t i = 0; i < count * per_shard; ++i) {
      const std::uint32_t number = shard_number("IMG_" + std::to_string(1000 + i) + ".jpg", count);
      ASSERT_GE(number, 1u);
      ASSERT_LE(number, count);
      ++items[number - 1];
    }
    // Six standard deviations of a binomial distribution.
    for (const int one : items) EXPECT_NEAR(one, per_shard, 120) << count;
  }
}

TEST(PartNote, IsReadAsItWasWritten) {
  const PartNote note{.kind = PartKind::colmap_matches,
                      .shard = {3, 8},
                      .settings = R"({"layers":3,"match":{"ratio":0.8}})",
                      .inputs = inputs_of(std::vector<std::string>{"a", "b"}),
                      .items = 7,
                      .problems = {"a: it is \"empty\""}};
  const PartNote read = part_note(json_of(note), "here");
  EXPECT_EQ(json_of(read), json_of(note));
  EXPECT_EQ(read.problems, note.problems);
  EXPECT_NE(inputs_of(std::vector<std::string>{"ab"}), inputs_of(std::vector<std::string>{"a", "b"}));
}

TEST(PartNote, DamagedTextsAreRefused) {
  const std::string text = json_of(part(1, 2).note);
  EXPECT_THROW(part_note("", "here"), Error);
  EXPECT_THROW(part_note("{}", "here"), Error);
  EXPECT_THROW(part_note("[1]", "here"), Error);
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_THROW(part_note(text.substr(0, length), "here"), Error) << length;
  }
  std::string deep = text;
  deep.replace(deep.find("{\"layers\":3}"), 12, std::string(1000000, '[') + std::string(1000000, ']'));
  EXPECT_THROW(part_note(deep, "here"), Error);
  // Files of an earlier version have other items.
  std::string earlier = text;
  earlier.replace(earlier.find("\"octavo_part\":3"), 15, "\"octavo_part\":2");
  EXPECT_THROW(part_note(earlier, "here"), Error);
  std::string other = text;
  other.replace(other.find("\"shard\":1"), 9, "\"shard\":9");
  EXPECT_THROW(part_note(other, "here"), Error);
}

TEST(PartNote, WholeHasAllShardsOnce) {
  Part one = part(1, 2), two = part(2, 2);
  one.note.problems = {"nothing in 'x'", "a"};
  two.note.problems = {"nothing in 'x'", "b"};
  const PartNote whole = note_of_whole(std::vector<Part>{two, one, two});
  EXPECT_EQ(whole.shard, (Shard{1, 1}));
  EXPECT_EQ(whole.items, 4u);
  EXPECT_EQ(whole.problems, (std::vector<std::string>{"nothing in 'x'", "a", "b"}));
  EXPECT_EQ(whole.settings, one.note.settings);
  EXPECT_EQ(whole.inputs, one.note.inputs);
}

TEST(PartNote, WholesAreComplete) {
  EXPECT_EQ(sentence_of({part(2, 2), part(1, 2), part(2, 2)}), "");
  EXPECT_EQ(sentence_of({}), "cannot merge: there are no parts");
  EXPECT_EQ(sentence_of({part(2, 3)}), "cannot merge: shards 1/3, 3/3 are missing");
  EXPECT_EQ(sentence_of({part(1, 2)}), "cannot merge: shard 2/2 is missing");
  EXPECT_NE(sentence_of({part(1, 100000)}).find("and 99979 more"), std::string::npos);
  EXPECT_EQ(sentence_of({part(1, 2), part(2, 3)}),
            "cannot merge 'part 1' (shard 1/2) and 'part 2' (shard 2/3): they are of different numbers of shards");
  EXPECT_EQ(sentence_of({part(1, 2), part(2, 2, R"({"layers":4})")}),
            "cannot merge parts that were made with other options: layers is 3 in 'part 1' (shard 1/2), and 4 in 'part "
            "2' (shard 2/2)");
  Part other = part(2, 2);
  other.note.inputs.count = 6;
  EXPECT_EQ(
      sentence_of({part(1, 2), other}),
      "cannot merge 'part 1' (shard 1/2) and 'part 2' (shard 2/2): they were given different inputs (5 and 6); do "
      "the shards again with the same ones");
  other = part(2, 2);
  other.note.kind = PartKind::archive;
  EXPECT_EQ(sentence_of({part(1, 2), other}),
            "cannot merge 'part 1' (shard 1/2) and 'part 2' (shard 2/2): one holds features, the other archive");
}

}  // namespace
}  // namespace octavo
