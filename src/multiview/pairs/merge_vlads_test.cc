// The pairs that a merge makes of VLADs.

#include "multiview/pairs/merge_vlads.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/core/test_folder.h"
#include "io/files/read_bytes.h"
#include "io/results/part_items.h"
#include "octavo/error.h"

namespace octavo {
namespace {

class MergeVlads : public testing::Test {
 protected:
  // A part of two shards of four images, of which number 2 has failed.
  Part part(std::uint32_t number, const std::string& settings) {
    const std::filesystem::path file = folder_ / ("part-" + std::to_string(number));
    const auto vlad = [](std::int16_t one, std::int16_t other) {
      return bytes_of_vlad(std::vector<std::int16_t>{one, other});
    };
    const PartItems first{{placed_name(3, "d"), vlad(0, 9)}, {placed_name(0, "a"), vlad(9, 0)}};
    const PartItems second{{placed_name(1, "b"), vlad(8, 1)}};
    write_part(file, {.kind = PartKind::vlads, .shard = {number, 2}, .settings = settings, .inputs = {4, "ab"}},
               number == 1 ? first : second);
    return part_in_file(file);
  }

  const TestFolder folder_;
};

TEST_F(MergeVlads, PairsAreThoseOfAllImages) {
  const std::filesystem::path list = folder_ / "pairs.txt";
  const std::string one = R"({"neighbours":1,"augment":0})", two = R"({"neighbours":2,"augment":0})";
  merge_vlads(list, std::vector<Part>{part(2, one), part(1, one)});
  EXPECT_EQ(io::read_text(list), "a b\nb d\n");
  const std::vector<Part> parts{part(1, two), part(2, two), part(2, two)};
  merge_vlads(list, parts);
  EXPECT_EQ(io::read_text(list), "a b\na d\nb d\n");
  EXPECT_THROW(merge_vlads(folder_ / "pairs", parts), Error);
  EXPECT_THROW(merge_vlads(list, std::vector<Part>{part(1, "{}"), part(2, "{}")}), Error);
}

}  // namespace
}  // namespace octavo
