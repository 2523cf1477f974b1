// Which shard an item belongs to. The low bits of FNV-1a depend on few bits of a name, so a step of SplitMix64 (Steele,
// Lea and Flood 2014) mixes them with the others before the remainder is taken.

#include "octavo/io/shard.h"

#include <fmt/core.h>

#include <charconv>
#include <optional>

#include "engine/core/digest.h"
#include "octavo/error.h"

namespace octavo {
namespace {

constexpr std::uint32_t most_shards = 1'000'000;

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Shard shard_of_text(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto number = number_in(text.substr(0, slash)), count = number_in(text.substr(slash + 1));
    if (number && count && *number >= 1 && *number <= *count && *count <= most_shards) return {*number, *count};
  }
  throw Error(ErrorCode::invalid_option,
              InvalidOption{"shard", fmt::format("\"{}\"", text),
                            "must be I/N with whole numbers 1 <= I <= N <= 1000000, such as 3/8"});
}

std::string text_of(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.count); }

std::uint32_t shard_number(std::string_view name, std::uint32_t count) {
  Digest digest;
  digest.add(name.data(), name.size());
  std::uint64_t z = digest.value();
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<std::uint32_t>(z % count) + 1;
}

}  // namespace octavo
