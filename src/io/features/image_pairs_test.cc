// Pairs of images, and COLMAP's text of their matches.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/core/test_folder.h"
#include "octavo/error.h"
#include "octavo/io/collection.h"

namespace octavo {
namespace {

using Pairs = std::vector<ImagePair>;

TEST(ImagePairs, AllAndSequential) {
  EXPECT_EQ(all_pairs(0), Pairs{});
  EXPECT_EQ(all_pairs(1), Pairs{});
  EXPECT_EQ(all_pairs(3), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(sequential_pairs(4, 1), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(sequential_pairs(4, 2), (Pairs{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(sequential_pairs(10, 1, true), sequential_pairs(10, 1));
  EXPECT_EQ(sequential_pairs(6, 3, true), (Pairs{{0, 1},
                                                 {0, 2},
                                                 {0, 3},
                                                 {0, 4},
                                                 {1, 2},
                                                 {1, 3},
                                                 {1, 4},
                                                 {1, 5},
                                                 {2, 3},
                                                 {2, 4},
                                                 {2, 5},
                                                 {3, 4},
                                                 {3, 5},
                                                 {4, 5}}));
  EXPECT_EQ(sequential_pairs(3, 100, true), all_pairs(3));  // 2^99 is no index
}

TEST(ImagePairs, AListGivesEachPairOnceAndNamesItsProblems) {
  const TestFolder folder;
  const std::filesystem::path file = folder / "pairs.txt";
  std::ofstream(file) << "# a comment\n\nc.png a.png\r\n a.png\tb.png\na.png c.png\na.png b.png c.png\nx.png a.png\n"
                         "b.png b.png\nb.png\n";
  const std::vector<std::string> names{"a.png", "b.png", "c.png"};
  const PairList list = read_pair_list(file, names);
  EXPECT_EQ(list.pairs, (Pairs{{0, 1}, {2, 0}}));
  ASSERT_EQ(list.problems.size(), 4u);
  const std::string of = " of '" + file.string() + "' ";
  EXPECT_EQ(list.problems[0],
            "line 6" + of + "has 3 words, but must have the names of two images; one with a blank stands in quotes");
  EXPECT_EQ(list.problems[1], "line 7" + of + "names 'x.png', which is not one of the images");
  EXPECT_EQ(list.problems[2], "line 8" + of + "names 'b.png' twice, but must name two images");
  EXPECT_EQ(list.problems[3], "line 9" + of + "has one word, but must have the names of two images");
  std::filesystem::remove(file);
  EXPECT_THROW(read_pair_list(file, names), Error);
}

TEST(ImagePairs, AListHoldsNamesThatAreWords) {
  for (const char* name : {"a.jpg", "b/ü.jpg", "\xff\"'\\.png", "a#.jpg"}) EXPECT_TRUE(is_listable(name)) << name;
  for (const char* name : {"a b.jpg", "a\n.jpg", "a\t", "\v", "#a.jpg"}) EXPECT_FALSE(is_listable(name)) << name;
}

TEST(ImagePairs, NamesInQuotesMayHaveBlanks) {
  const std::vector<std::string> names{"a b.png", "c.png", "\"", " \\ ", "#1.png", "#2.png", "'d'.png", "\\e.png"};
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = i + 1; j < names.size(); ++j) text += pair_line(names[i], names[j], NamesInList::quoted);
  }
  EXPECT_EQ(text.substr(0, text.find('\n')), "\"a b.png\" c.png");
  const TestFolder folder;
  PairList list = read_pair_list(folder.write("pairs.txt", text), names);
  EXPECT_TRUE(list.problems.empty()) << list.problems.front();
  for (auto& [a, b] : list.pairs) {
    if (b < a) std::swap(a, b);  // "#1.png" is no first one
  }
  std::sort(list.pairs.begin(), list.pairs.end());
  EXPECT_EQ(list.pairs, all_pairs(names.size()));
  for (const char* const line : {"\"a b.png c.png", "\"a b.png\"c.png", "\"a b.png\" \"c.png", "\"\\\" c.png", "\""}) {
    const PairList none = read_pair_list(folder.write("pairs.txt", line), names);
    ASSERT_EQ(none.problems.size(), 1) << line;
    EXPECT_NE(none.problems[0].find("has a quote without an end"), std::string::npos) << none.problems[0];
  }
  EXPECT_THROW(pair_line("a\n.png", "b.png", NamesInList::quoted), Error);
}

TEST(ImagePairs, AHugeListIsRefusedBeforeItIsRead) {
  const TestFolder folder;
  const std::filesystem::path file = folder.write("pairs.txt", "");
  std::filesystem::resize_file(file, (std::uintmax_t{1} << 30) + 1);  // takes no place on the disk
  try {
    read_pair_list(file, {});
    ADD_FAILURE() << "it is read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("must have at most 1 GiB"), std::string::npos) << error.what();
  }
}

TEST(ImagePairs, MatchesInColmapsText) {
  const std::vector<Match> matches{{0, 7, 1}, {3, 2, 1}};
  const std::vector<std::uint8_t> inliers{0, 1};
  EXPECT_EQ(colmap_matches("a.png", "b.png", matches), "a.png b.png\n0 7\n3 2\n\n");
  EXPECT_EQ(colmap_matches("a.png", "b.png", matches, inliers), "a.png b.png\n3 2\n\n");
  EXPECT_EQ(colmap_matches("a.png", "b.png", {}), "a.png b.png\n\n");
  EXPECT_EQ(colmap_matches("#a.png", "b.png", matches), "b.png #a.png\n7 0\n2 3\n\n") << "no comment";
  EXPECT_THROW(colmap_matches("#a.png", "#b.png", matches), Error);
  EXPECT_THROW(colmap_matches("a b.png", "b.png", matches), Error);
  EXPECT_THROW(colmap_matches("a.png", "b.png", matches, std::vector<std::uint8_t>{1}), Error);
}

TEST(PairList, LeavesOutWhatALineCannotHold) {
  const std::vector<std::string> names{"a.png", "b c.png", "#1.png", "#2.png"};
  std::vector<ImagePair> pairs = all_pairs(names.size());
  const std::vector<std::string> problems = take_out_unlistable(pairs, names, NamesInList::plain);
  EXPECT_EQ(pairs, (std::vector<ImagePair>{{0, 2}, {0, 3}}));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_NE(problems[0].find("'b c.png' contains a blank"), std::string::npos);
  EXPECT_NE(problems[1].find("'#1.png' and '#2.png' begin with #"), std::string::npos);
  EXPECT_TRUE(has_blank("a\n.png"));
  EXPECT_FALSE(has_blank("\xff'.png"));
}

}  // namespace
}  // namespace octavo
