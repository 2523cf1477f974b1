// Parts in files.

#include "io/results/part_items.h"

#include <gtest/gtest.h>

#include "engine/core/test_folder.h"
#include "io/files/output_file.h"
#include "io/files/read_bytes.h"
#include "octavo/error.h"

namespace octavo {
namespace {

class PartItemsTest : public testing::Test {
 protected:
  Part part(const std::string& name, std::uint32_t number, const PartItems& items) {
    const std::filesystem::path file = folder_ / name;
    write_part(file, {.shard = {number, 2}, .settings = "{}", .inputs = {4, "ab"}}, items);
    return part_in_file(file);
  }
  static PartItems items_of(const std::filesystem::path& file) { return items_in(std::vector<Part>{{file, {}}}); }

  const TestFolder folder_;
  const PartItems items_{{placed_name(10, "a\nb"), std::string("\0\n1", 3)}, {placed_name(9, "c"), ""}};
};

TEST_F(PartItemsTest, AreReadAsTheyWereWritten) {
  const Part one = part("one", 1, items_);
  EXPECT_EQ(one.note.shard, (Shard{1, 2}));
  EXPECT_EQ(items_of(one.place), items_);
  EXPECT_EQ(items_of(one.place).begin()->first, "0000000009 c");
  EXPECT_TRUE(items_of(part("none", 1, {}).place).empty());
}

TEST_F(PartItemsTest, DamagedFilesAreRefused) {
  const std::string text = io::read_text(part("one", 1, items_).place);
  const auto refuses = [&](const std::string& damaged) {
    write_file(folder_ / "damaged", damaged);
    EXPECT_THROW(items_of(folder_ / "damaged"), Error) << damaged;
  };
  for (std::size_t length = 0; length < text.size(); ++length) refuses(text.substr(0, length));
  refuses(text + "\n");
  const std::string begin = text.substr(0, text.find('\n') + 1);
  for (const char* items : {"1\n-1 1\na", "1\n1 99999999999999\na", "1\n1 1 ab", "-1\n1 1\nab", "x\n", "0"}) {
    refuses(begin + items);
  }
}

TEST_F(PartItemsTest, OfSeveralPartsAreOneList) {
  PartItems all = items_;
  all.emplace("x", "y");
  const Part one = part("one", 1, items_), two = part("two", 2, {{"x", "y"}}), other = part("other", 2, {{"x", "z"}});
  EXPECT_EQ(items_in(std::vector<Part>{two, one, two}), all);
  try {
    items_in(std::vector<Part>{one, two, other});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot merge '" + two.place + "' and '" + other.place + "': both have 'x', with different content");
  }
}

}  // namespace
}  // namespace octavo
