// Files of VLADs, and the pairs that a merge makes of them.

#include "multiview/pairs/vlads_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/core/test_folder.h"
#include "io/files/output_file.h"
#include "octavo/error.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

class VladsFile : public testing::Test {
 protected:
  // A part of two shards of four images, of which number 2 has failed.
  Part part(std::uint32_t number, std::size_t neighbours, const std::vector<NamedVlad>& vlads) {
    const fs::path file = folder_ / ("part-" + std::to_string(number));
    const std::string settings = R"({"neighbours":)" + std::to_string(neighbours) + "}";
    write_vlads(file, {.kind = PartKind::vlads, .shard = {number, 2}, .settings = settings, .inputs = {4, "ab"}},
                vlads);
    return part_in_file(file);
  }
  static std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const TestFolder folder_;
  const std::vector<NamedVlad> first_{{3, "d", {0, 9}}, {0, "a", {9, 0}}}, second_{{1, "b", {8, 1}}};
};

TEST_F(VladsFile, IsReadAsItWasWritten) {
  const Part one = part(1, 5, first_);
  const std::vector<NamedVlad> read = read_vlads(one.place);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].place, 3u);
  EXPECT_EQ(read[0].name, "d");
  EXPECT_EQ(read[1].vlad, first_[1].vlad);
  EXPECT_TRUE(read_vlads(part(2, 5, {}).place).empty());
}

TEST_F(VladsFile, DamagedFilesAreRefused) {
  const std::string text = text_of(part(1, 5, first_).place);
  for (std::size_t length = 0; length < text.size(); ++length) {
    write_file(folder_ / "cut", text.substr(0, length));
    EXPECT_THROW(read_vlads(folder_ / "cut"), Error) << length;
  }
  std::string large = text;
  large.replace(large.find("2 2\n"), 3, "2 99999999999999");
  write_file(folder_ / "cut", large);
  EXPECT_THROW(read_vlads(folder_ / "cut"), Error);
}

TEST_F(VladsFile, PairsAreThoseOfAllImages) {
  const fs::path list = folder_ / "pairs.txt";
  merge_vlads(list, std::vector<Part>{part(2, 1, second_), part(1, 1, first_)});
  EXPECT_EQ(text_of(list), "a b\nb d\n");
  merge_vlads(list, std::vector<Part>{part(1, 2, first_), part(2, 2, second_), part(2, 2, second_)});
  EXPECT_EQ(text_of(list), "a b\na d\nb d\n");
  EXPECT_THROW(merge_vlads(folder_ / "pairs", std::vector<Part>{part(1, 2, first_), part(2, 2, second_)}), Error);
}

}  // namespace
}  // namespace octavo
