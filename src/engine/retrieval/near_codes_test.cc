#include "engine/retrieval/near_codes.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace octavo {
namespace {

// Every second code is `code` with a number of bits flipped, the others are random.
std::vector<std::uint64_t> made_codes(std::size_t count, std::uint64_t code, std::mt19937_64& random) {
  std::vector<std::uint64_t> codes;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) {
      codes.push_back(random());
    } else {
      codes.push_back(code);
      for (std::size_t flips = random() % 40; flips > 0; --flips) codes.back() ^= std::uint64_t{1} << (random() % 64);
    }
  }
  return codes;
}

std::vector<NearCode> near_codes(const Isa& isa, std::span<const std::uint64_t> codes, std::uint64_t code,
                                 int max_distance) {
  std::vector<NearCode> near;
  add_near_codes(isa)(codes, code, max_distance, near);
  return near;
}

TEST(NearCodes, AreThoseOfTheDefinition) {
  std::mt19937_64 random(5);
  for (const std::size_t count : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 65, 127, 257, 1000}) {
    const std::uint64_t code = random();
    const std::vector<std::uint64_t> all = made_codes(count + 1, code, random);
    for (const std::size_t first : {0, 1}) {  // lists begin at any code
      const std::span<const std::uint64_t> codes = std::span(all).subspan(first, count);
      for (const int most : {-1, 0, 1, 16, 24, 63, 64}) {
        std::vector<NearCode> expected;
        for (std::uint32_t i = 0; i < count; ++i) {
          const int distance = std::popcount(codes[i] ^ code);
          if (distance <= most) expected.push_back({i, static_cast<std::uint32_t>(distance)});
        }
        for (const Isa& isa : supported_isas()) {
          EXPECT_EQ(near_codes(isa, codes, code, most), expected)
              << isa.name << ", " << count << " codes, at most " << most << " bits";
        }
      }
    }
  }
}

TEST(NearCodes, AreAdded) {
  const std::vector<std::uint64_t> codes{7, ~std::uint64_t{7}, 6};
  std::vector<NearCode> near{{9, 9}};
  add_near_codes(find_isa("auto"))(codes, 7, 1, near);
  EXPECT_EQ(near, (std::vector<NearCode>{{9, 9}, {0, 0}, {2, 1}}));
}

TEST(CodeDistances, AreThoseOfTheDefinition) {
  std::mt19937_64 random(6);
  for (const std::size_t count : {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 200}) {
    const FeatureCode code{random(), random()};
    const CodeColumns codes{made_codes(count, code[0], random), made_codes(count, ~code[1], random)};
    std::vector<std::uint8_t> expected;
    for (std::size_t i = 0; i < count; ++i) {
      expected.push_back(static_cast<std::uint8_t>(hamming_distance(code, {codes.low[i], codes.high[i]})));
    }
    for (const Isa& isa : supported_isas()) {
      std::vector<std::uint8_t> distances(count);
      code_distances(isa)(code, codes, distances.data());
      EXPECT_EQ(distances, expected) << isa.name << ", " << count << " codes";
    }
  }
}

}  // namespace
}  // namespace octavo
